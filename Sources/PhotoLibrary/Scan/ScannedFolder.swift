public import SystemPackage

/// A folder's entries, sorted into lists by name and kind; each list is sorted by name.
public struct ScannedFolder: Sendable, Hashable {
  /// Relative to the root; empty for the root.
  public let path: FilePath
  /// Every file that may be an original or a rendition, which only sidecars tell apart.
  public internal(set) var files: [ScannedFile] = []
  public internal(set) var sidecars: [ScannedFile] = []
  /// Entries with the name of a sidecar that are no regular files; they are never followed, opened
  /// or replaced.
  public internal(set) var irregularSidecars: [FileName] = []
  public internal(set) var companions: [Companion] = []
  /// Temporary files: nobody's, unless the holder of the `LibraryLock` made them.
  public internal(set) var leftovers: [FileName] = []
  public internal(set) var skipped: [SkippedEntry] = []

  /// Where the companions of a file stand in `companions`.
  var companionsByPhoto: [FileName: [Int]] = [:]

  /// A folder with nothing in it.
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

/// An entry that is no candidate.
public struct SkippedEntry: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// Its name begins with a dot.
    case hidden
    case symbolicLink
    /// A FIFO, a socket or a device.
    case notFile
    /// A folder with the name of a photo; it is entered like any other.
    case folderNamedLikePhoto
    /// `.phbatchignore` leaves it out.
    case ignored
    /// `@eaDir`, where Synology keeps thumbnails.
    case thumbnails
    /// The state folder of another output root, whose whole folder is left out.
    case anotherLibrary
    case unreadable(Errno)
  }

  public let name: FileName
  public let reason: Reason
}
