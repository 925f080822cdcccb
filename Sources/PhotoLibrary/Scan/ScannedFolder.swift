public import SystemPackage

/// A folder's entries, sorted into lists by name and kind; each list is sorted by name.
public struct ScannedFolder: Sendable, Hashable {
  /// The path relative to the root; empty for the root.
  public let path: FilePath
  /// The files that may be originals or renditions; only sidecars distinguish the two.
  public internal(set) var files: [ScannedFile] = []
  public internal(set) var sidecars: [ScannedFile] = []
  /// Entries with the name of a sidecar that are not regular files; they are never followed, opened
  /// or replaced.
  public internal(set) var irregularSidecars: [FileName] = []
  public internal(set) var companions: [Companion] = []
  /// Temporary files.
  ///
  /// They are leftovers, unless the holder of the `LibraryLock` made them.
  public internal(set) var leftovers: [FileName] = []
  public internal(set) var skipped: [SkippedEntry] = []

  /// For each photo, the indices of its companions in `companions`.
  var companionsByPhoto: [FileName: [Int]] = [:]

  /// Creates a folder without entries.
  public init(path: FilePath) { self.path = path }

  /// The companions of one of `files`, sorted by name; see `PhotoNames`.
  public func companions(of original: FileName) -> [Companion] {
    companionsByPhoto[original, default: []].map { companions[$0] }
  }
}

/// A regular file, as it was when its folder was listed.
public struct ScannedFile: Sendable, Hashable {
  public let name: FileName
  public let status: FileStatus
  public let claim: FileClaim
}

/// An entry that is not a candidate for a photo or a rendition.
public struct SkippedEntry: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// The entry's name begins with a dot.
    case hidden
    case symbolicLink
    /// A FIFO, a socket or a device.
    case notFile
    /// A folder with the name of a photo; it is entered like any other.
    case folderNamedLikePhoto
    /// `.phbatchignore` excludes the entry.
    case ignored
    /// `@eaDir`, where Synology keeps thumbnails.
    case thumbnails
    /// The state folder of another output root; the walk excludes the whole folder that contains
    /// it.
    case anotherLibrary
  }

  public let name: FileName
  public let reason: Reason
}
