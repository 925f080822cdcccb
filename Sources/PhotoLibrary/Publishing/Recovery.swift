import Notation
import PhotoRecipes
import Synchronization
public import SystemPackage

/// The result of a recovery.
public struct RecoveryReport: Sendable, Hashable {
  /// The files of unfinished commits that now have their new bytes.
  public var completed: [FilePath] = []
  /// The files that were restored to their old bytes, because another program's file had one of the
  /// names.
  public var undone: [FilePath] = []

  public init() {}
}

extension Publisher {
  /// Completes unfinished commits, undoes commits that cannot be completed, and removes temporary
  /// files of the state folder.
  ///
  /// The holder of the `LibraryLock` calls this function before any other work. It can be called
  /// again at any time, even after a crash during a call.
  ///
  /// - Throws: `RecoveryError`, or a `FileSystemError`; the journals that were not handled still
  ///   exist.
  @discardableResult
  public func recover() throws -> RecoveryReport {
    let folder = place.folder
    guard try files.status(at: folder) != nil else { return RecoveryReport() }
    var report = RecoveryReport()
    if try files.status(at: place.journals) != nil {
      let locks = try lockCommits()
      defer { withExtendedLifetime(locks) {} }
      report = try recoverHoldingLocks()
    }
    // Scans do not enter the state folder, so its leftovers are removed here.
    try removeLeftovers(files.names(in: folder), in: folder)
    if let trash = try Trash.lastFolder(in: files, place) {
      try removeLeftovers(files.names(in: trash), in: trash)
    }
    return report
  }

  func recoverHoldingLocks() throws -> RecoveryReport {
    var report = RecoveryReport()
    let folder = place.journals
    var damaged: FilePath?
    let names = try files.names(in: folder)
    // A temporary file of an uncommitted journal is removed, because it would prevent the creation
    // of a later journal with the same identifier.
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

  /// Renames a damaged journal, so that only the run that finds it fails.
  ///
  /// Temporary files, which the journal may need, are kept until a user removes the journal.
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
    for folder in place.folders + [place.journals, path] {
      guard try files.status(at: folder)?.isPrivate == true else {
        throw RecoveryError.open(folder)
      }
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
