import FoundationEssentials
import Glibc
import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
public import SystemPackage

/// The result of comparing a library's files with the records in its sidecars.
public struct Verification: Sendable {
  /// The findings, sorted by path.
  public private(set) var findings: [Finding] = []
  public private(set) var sidecars = 0
  public private(set) var originals = 0
  public private(set) var renditions = 0
  /// The size in bytes of all originals and renditions, as recorded.
  public private(set) var bytes = 0

  /// Reads every original that has a sidecar, and every rendition; `folder` is a library or the
  /// output folder of a library.
  ///
  /// Writes nothing.
  public static func read(_ folder: FilePath) async throws -> Verification {
    let root: OutputRoot
    do { root = try OutputRoot(reading: folder) } catch let error as FileSystemError
      where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory
    {
      throw MissingInput(
        "there is no library '\(folder.displayed)'", hint: "give the path of a folder of photos")
    }
    var verification = Verification()
    let contents = LibraryContents(scanning: root)
    verification.add(contents)
    try verification.addState(of: root, contents)
    let recorded = verification.recordedFiles(contents, root)
    verification.findings += await findings(in: recorded).filter { !$0.isPending(in: root) }
    verification.findings.sort {
      ($0.path.string, $0.kind.rawValue) < ($1.path.string, $1.kind.rawValue)
    }
    return verification
  }

  /// The highest exit code of all findings.
  public var exitCode: ExitCode {
    let highest = findings.map(\.kind.exitCode.rawValue).max()
    return highest.flatMap { ExitCode(rawValue: $0) } ?? .success
  }

  private mutating func add(_ contents: LibraryContents) {
    for problem in contents.problems {
      findings.append(Finding(problem.path, .unreadable, problem.message))
    }
    findings += contents.orphans.map { Finding($0.path, .orphan, $0.detail) }
  }

  private mutating func addState(of root: OutputRoot, _ contents: LibraryContents) throws {
    findings += root.unfinishedCommits.map { Finding($0.folder, .unfinished, $0.text) }
    findings += try Self.leftovers(contents, root).map { Finding($0, .leftover) }
    findings += try root.damagedJournals().map { Finding($0, .damagedJournal) }
    findings += root.foreignJournals.map { Finding($0, .damagedJournal, Self.foreignJournal) }
    findings += try root.parkedFiles().map { Finding($0, .parked) }
  }

  /// The detail of a journal that this machine must not execute.
  private static let foreignJournal =
    "written on another machine, or not by phbatch; only the machine that began the commit can"
    + " complete it, and files that the commit has changed may be 'modified'"

  /// The temporary files that the next run removes.
  ///
  /// These are not the files of a running command, and not those that an interrupted shard or
  /// another machine needs to complete its commit.
  private static func leftovers(
    _ contents: LibraryContents, _ root: OutputRoot
  ) throws -> [FilePath] {
    let found = contents.leftovers.flatMap { folder, names in
      names.compactMap { $0.path(in: folder) }
    }
    let all = found + (try root.stateLeftovers())
    if all.isEmpty || root.isInUse || !root.foreignJournals.isEmpty { return [] }
    let shards = ShardFolders.interruptions(of: root)
    return try all.filter { path in
      let name = path.lastComponent.map { FileName($0) }
      if let name, shards.contains(where: { $0.owns(name) }) { return false }
      // A command that has ended since the scan has removed its files.
      return try root.files.status(at: path) != nil
    }
  }

  /// Returns the files to compare with their records.
  ///
  /// Adds a finding for each sidecar that cannot be used.
  private mutating func recordedFiles(
    _ contents: LibraryContents, _ root: OutputRoot
  ) -> [RecordedFile] {
    var recorded: [RecordedFile] = []
    let films = RecordedFilms(contents, root)
    for (original, found) in contents.sidecars.sorted(by: { $0.key.string < $1.key.string }) {
      sidecars += 1
      switch found {
      case .unusable(let reason, let error):
        let kind = Finding.Kind(rawValue: reason.rawValue) ?? .corruptSidecar
        findings.append(Finding(Sidecar.path(of: original), kind, error.message))
      case .usable(let sidecar, _):
        recorded.append(
          RecordedFile(
            role: .original, path: original, files: root.library, bytes: sidecar.original.bytes,
            sha256: sidecar.original.sha256))
        for film in films.films(of: original, sidecar) {
          switch film {
          case .file(let film): recorded.append(film)
          case .missing(let finding): findings.append(finding)
          }
        }
        recorded += renditions(of: original, sidecar, root)
      }
    }
    originals = recorded.count { $0.role == .original }
    renditions = recorded.count { $0.role == .rendition }
    // Each size is valid, but the sum of thousands of sizes may overflow.
    bytes = recorded.reduce(0) { sum, file in
      let (total, isTooMuch) = sum.addingReportingOverflow(file.bytes ?? 0)
      return isTooMuch ? .max : total
    }
    return recorded
  }

  private mutating func renditions(
    of original: FilePath, _ sidecar: Sidecar, _ root: OutputRoot
  ) -> [RecordedFile] {
    var recorded: [RecordedFile] = []
    for adjustment in sidecar.adjustments {
      for rendition in adjustment.renditions {
        let path = adjustment.path(of: rendition, original: original, sidecar.original)
        guard let path else {
          if let file = misplaced(rendition, adjustment, original, sidecar, root) {
            recorded.append(file)
          }
          continue
        }
        // An adopted rendition must have the bytes that it had when it was adopted.
        let kept = adjustment.foreign?.current
        let isStale = { @Sendable (digest: Digest) -> Bool in
          root.isPublished(digest, of: original, sidecar)
        }
        let file = RecordedFile(
          role: .rendition, path: path, files: root.files, bytes: kept?.bytes ?? rendition.bytes,
          sha256: kept?.sha256 ?? rendition.sha256,
          isStale: kept == nil ? isStale : nil)
        // Renditions that share a file are one file.
        let isKnown = recorded.contains { $0.path == path && $0.sha256 == file.sha256 }
        if !isKnown { recorded.append(file) }
      }
    }
    return recorded
  }

  /// The file of a recorded rendition that has another path than its template gives, because the
  /// template uses the photo's folder, which was renamed.
  ///
  /// Adds a finding if the template gives no path.
  private mutating func misplaced(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ original: FilePath,
    _ sidecar: Sidecar, _ root: OutputRoot
  ) -> RecordedFile? {
    let place = adjustment.templatePath(of: rendition, original: original, sidecar.original)
    guard let place else {
      findings.append(
        Finding(
          Sidecar.path(of: original), .corruptSidecar,
          "the sidecar lists '\(rendition.file.displayed)', which the recipe does not produce"))
      return nil
    }
    return RecordedFile(
      role: .rendition, path: place, files: root.files, bytes: rendition.bytes,
      sha256: rendition.sha256, formerName: rendition.file)
  }

  /// Reads the files on all cores and returns the findings.
  private static func findings(in recorded: [RecordedFile]) async -> [Finding] {
    let places = Places()
    return await withTaskGroup(of: [Finding].self) { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.addTask {
          var findings: [Finding] = []
          while true {
            let index = places.next()
            guard index < recorded.count, !Task.isCancelled else { return findings }
            if let finding = recorded[index].finding() { findings.append(finding) }
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}

extension Finding {
  /// True if an unfinished commit explains this finding; the commit is itself reported as a
  /// finding.
  fileprivate func isPending(in root: OutputRoot) -> Bool {
    switch kind {
    case .modified, .stale: root.pending.concern(path) && root.isExplained(path)
    case .missing: root.pending.concern(path)
    default: false
    }
  }
}

/// A counter from which several tasks take the index of the next file.
private final class Places: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

/// A file whose bytes a sidecar records.
struct RecordedFile: Sendable {
  enum Role: Sendable {
    case original
    /// The film of a Live Photo.
    case film
    case rendition
  }

  let role: Role
  let path: FilePath
  let files: RealFileSystem
  /// The recorded size; nil for films, whose digest alone is recorded.
  let bytes: Int?
  let sha256: String
  /// Returns true if phbatch wrote these bytes for the photo earlier; nil for originals and adopted
  /// renditions, which phbatch does not write.
  var isStale: (@Sendable (Digest) -> Bool)?
  /// The recorded name of a rendition whose template gives another path now; nil for other files.
  var formerName: RecordedName?

  /// Reads the file and compares it with its record; nil if both agree.
  func finding() -> Finding? {
    let difference = difference()
    guard let formerName, difference?.kind != .unreadable else { return difference }
    // The next run renders the file again in both cases, because the sidecar records another path.
    return Finding(
      path, difference == nil ? .stale : .missing,
      "the sidecar records it as '\(formerName.displayed)'")
  }

  private func difference() -> Finding? {
    do {
      guard let status = try files.status(at: path) else {
        return Finding(path, role == .rendition ? .missing : .originalMissing)
      }
      let changed = Finding(path, role == .rendition ? .modified : .originalChanged)
      // An original or adopted rendition of another size has changed, and its bytes need not be
      // read.
      let isWhole = Int(status.identity.size) == bytes || bytes == nil || isStale != nil
      guard status.kind == .regular, isWhole else { return changed }
      let digest = try Digest(of: files.open(path), in: files)
      // If the digest agrees but the size does not, the record is damaged.
      let hasSize = bytes.map { $0 == Int(digest.count) } ?? true
      if "\(digest)" == sha256 { return hasSize ? nil : changed }
      guard let isStale, isStale(digest) else { return changed }
      return Finding(path, .stale, "phbatch wrote it, but the sidecar records another one")
    } catch let error as FileSystemError where error.errno == .noSuchFileOrDirectory {
      return Finding(path, role == .rendition ? .missing : .originalMissing)
    } catch let error as FileSystemError {
      return Finding(path, .unreadable, error.message)
    } catch {
      return Finding(path, .unreadable, "\(error)")
    }
  }
}
