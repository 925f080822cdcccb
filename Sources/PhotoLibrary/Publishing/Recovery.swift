public import Notation
import PhotoRecipes
import Synchronization
public import SystemPackage

/// The result of a recovery.
public struct RecoveryReport: Sendable, Hashable {
  /// The files that have their new bytes, of commits that were not ended.
  public var completed: [FilePath] = []
  /// The files that are as they were before, because somebody else's file stood in the way.
  public var undone: [FilePath] = []

  public init() {}
}

/// Why there is no recovery.
public enum RecoveryError: UserError, Hashable {
  /// A journal is damaged; it was set aside under this name.
  case illegible(FilePath)
  /// A journal is not by this machine, or names what no journal of phbatch names.
  case forged(FilePath)
  /// A journal, or a folder above it, belongs to another user, or others may write to it.
  case open(FilePath)

  public var message: String {
    switch self {
    case .illegible(let path): "the journal of a commit is damaged: '\(path.displayed)'"
    case .forged(let path):
      "'\(path.displayed)' was written on another machine, or not by phbatch; nothing was done"
    case .open(let path):
      "what is to be completed or undone may be forged: others may write to '\(path.displayed)'"
    }
  }

  public var hint: String {
    switch self {
    case .illegible:
      "look with 'phbatch verify', then remove that file; until then temporary files are kept"
    case .forged: "run phbatch on that machine first; if there is none, remove that file"
    case .open: "run as the user it belongs to, after 'chmod go-w' on it; or remove the journal"
    }
  }
}

extension Publisher {
  /// Completes the commits that were not ended, or takes back what cannot be completed, and removes
  /// temporary files of the state folder.
  ///
  /// To be called first of all by the holder of the `LibraryLock`. It can be called again at any
  /// time, also after a crash during it.
  /// - Throws: `RecoveryError`, or a `FileSystemError`; the journals are still there then.
  @discardableResult
  public func recover() throws -> RecoveryReport {
    let folder = OutputRoot.stateFolder
    guard try files.status(at: folder) != nil else { return RecoveryReport() }
    var report = RecoveryReport()
    if try files.status(at: JournalFolder<Files>.path) != nil {
      let lock = try files.lock(Self.lock)
      defer { withExtendedLifetime(lock) {} }
      report = try recoverHoldingLock()
    }
    // No scan sees what is left here.
    try removeLeftovers(files.names(in: folder), in: folder)
    return report
  }

  func recoverHoldingLock() throws -> RecoveryReport {
    var report = RecoveryReport()
    let folder = JournalFolder<Files>.path
    var damaged: FilePath?
    let names = try files.names(in: folder)
    // Journals that were not committed are in the way of those that follow them.
    for name in names where name.hasSuffix(".tmp") {
      if let component = name.component { try files.remove(folder.appending(component)) }
    }
    for name in names {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      if name.extension.elementsEqual(JournalFolder<Files>.damaged.utf8) {
        state.withLock { $0.keepsLeftovers = true }
      }
      guard let mark = JournalFolder<Files>.mark(of: name) else { continue }
      do { try settle(path, mark, &report) } catch JournalFlaw.forged {
        throw RecoveryError.forged(path)
      } catch JournalFlaw.illegible {
        damaged = try setAside(path)
      }
    }
    if let damaged { throw RecoveryError.illegible(damaged) }
    return report
  }

  /// A damaged journal stops one run; the files that it may need stay until it is removed.
  private func setAside(_ path: FilePath) throws -> FilePath {
    let place = path.removingLastComponent().appending(
      "\(path.stem ?? "journal").\(JournalFolder<Files>.damaged)")
    try files.rename(path, to: place, .replacing)
    state.withLock { $0.keepsLeftovers = true }
    return place
  }

  private func settle(
    _ path: FilePath, _ mark: JournalFolder<Files>.Mark, _ report: inout RecoveryReport
  ) throws {
    for place in [OutputRoot.stateFolder, JournalFolder<Files>.path, path] {
      guard try files.status(at: place)?.isPrivate == true else { throw RecoveryError.open(place) }
    }
    let settlement = settlement
    let journal = try settlement.journals.read(path)
    var undone: [Journal.Unit] = []
    if mark == .published {
      try settlement.putAway(journal, settlement.isOld)
      try settlement.file(journal, .published)
    } else {
      for whole in journal.wholes where try !settlement.settle(whole) { undone += whole }
      try settlement.saver.save(folders: journal.folders)
      try settlement.conclude(journal, undone: undone, isOld: settlement.isOld)
    }
    for unit in journal.units {
      let paths = unit.entries.map(\.path)
      if undone.contains(unit) { report.undone += paths } else { report.completed += paths }
    }
  }
}
