public import SystemPackage

/// The changes of one run that `undo` can take back.
public struct TrashedRun: Sendable, Hashable {
  /// The number of the run; later runs have higher numbers.
  public let number: Int
  /// The photos that the run changed, in the order of the changes.
  public let changes: [PhotoChange]
  /// The command of the run; nil if it is not recorded.
  public let command: String?

  /// Files that changed together: a photo's renditions and its sidecar.
  public struct PhotoChange: Sendable, Hashable {
    public let renditions: [FileChange]
    /// The sidecars in the order of their publication: two if the edits of a photo moved with it.
    public let sidecars: [FileChange]

    /// The sidecar that was published last; nil if there is none.
    public var sidecar: FileChange? { sidecars.last }

    /// The path of the original, derived from the path of the sidecar that was published last; nil
    /// if the change has no sidecar.
    public var original: FilePath? { sidecar.flatMap { Sidecar.original(of: $0.path) } }

    /// The path by which reports and selections name the change: the original's, or the first
    /// file's.
    public var place: FilePath? { original ?? renditions.first?.path }

    /// True if all files were removed.
    public var isRemoval: Bool { (renditions + sidecars).allSatisfy { $0.after == nil } }

    /// True if taking back the change only restores files from the trash or removes files.
    ///
    /// Nothing has to be rendered again then.
    public var restoresNothingRendered: Bool {
      (renditions + sidecars).allSatisfy { if case .removed = $0.before { false } else { true } }
    }

    /// True if the change can be taken back without a photo: it has only renditions or only
    /// sidecars, and each file was created, or was removed and is in the trash.
    public var needsNoPhoto: Bool {
      let files = renditions + sidecars
      let isAlone = sidecars.isEmpty || renditions.isEmpty
      return isAlone
        && files.allSatisfy { file in
          switch file.before {
          case .absent: true
          case .kept: file.after == nil
          case .removed: false
          }
        }
    }
  }

  public struct FileChange: Sendable, Hashable {
    /// The path from the output root.
    public let path: FilePath
    public let before: Before
    /// The digest of the file that the run wrote to `path`; nil if the run removed the file.
    public let after: Digest?
  }

  public enum Before: Sendable, Hashable {
    case absent
    /// A file that is kept in the trash, at this path from the output root.
    case kept(FilePath, Digest)
    /// A removed file with this digest, which rendering can create again.
    case removed(Digest)

    /// The digest of the file; nil if there was none.
    var digest: Digest? {
      switch self {
      case .absent: nil
      case .kept(_, let digest), .removed(let digest): digest
      }
    }
  }

  init(number: Int, changes: [PhotoChange]) {
    self.number = number
    self.changes = changes
    command = nil
  }

  /// Reads the journals of a run, and keeps the changes for which `isKept` returns true.
  ///
  /// - Throws: `RecoveryError` if one is damaged, was not written on this machine, or may have been
  ///   put there by another user. Undo executes these journals, so they must be trustworthy.
  init(
    _ number: Int, in files: some FileSystem, where isKept: (PhotoChange) -> Bool = { _ in true }
  ) throws {
    let folder = Trash.folder(of: number)
    for place in [OutputRoot.stateFolder, Trash.path, folder] {
      try Self.checkPrivate(place, in: files)
    }
    let journals = JournalFolder(Saver(files: files, durability: .none))
    var changes: [PhotoChange] = []
    for name in try files.names(in: folder) where name.hasSuffix(".json") {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      try Self.checkPrivate(path, in: files)
      do {
        let journal = try journals.read(path)
        changes += journal.units.map { PhotoChange($0, folder) }.filter(isKept)
      } catch JournalFlaw.illegible {
        throw RecoveryError.illegible(path)
      } catch JournalFlaw.forged {
        throw RecoveryError.forged(path)
      }
    }
    self.number = number
    self.changes = changes
    command = Trash.command(of: number, in: files)
  }

  private static func checkPrivate(_ place: FilePath, in files: some FileSystem) throws {
    guard try files.status(at: place)?.isPrivate == true else { throw RecoveryError.open(place) }
  }
}

extension TrashedRun.PhotoChange {
  init(_ unit: Journal.Unit, _ folder: FilePath) {
    let files = unit.entries.map { TrashedRun.FileChange($0, folder) }
    renditions = files.filter { !Sidecar.isPath($0.path) }
    sidecars = files.filter { Sidecar.isPath($0.path) }
  }
}

extension TrashedRun.FileChange {
  init(_ entry: Journal.Entry, _ folder: FilePath) {
    path = entry.path
    after = entry.new
    before =
      switch (entry.old, entry.trashName) {
      case (nil, _): .absent
      case (let old?, let name?): .kept(folder.appending(name), old)
      case (let old?, nil): .removed(old)
      }
  }
}
