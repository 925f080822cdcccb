public import SystemPackage

/// A file under a temporary name.
public struct StagedFile<File: Sendable>: Sendable {
  /// Relative to the output root.
  public let path: FilePath
  public let file: File
}

/// A staged file that is saved and closed, so that any number of them can wait for one commit.
public struct SavedFile: Sendable {
  /// Relative to the output root.
  let path: FilePath
  /// The identity that it must still have when it is published.
  let identity: FileIdentity
  let digest: Digest
}

/// The new file of a publication.
public enum NewFile<File: Sendable>: Sendable {
  case staged(StagedFile<File>)
  case saved(SavedFile)

  /// The temporary name, relative to the output root.
  var path: FilePath {
    switch self {
    case .staged(let staged): staged.path
    case .saved(let saved): saved.path
    }
  }

  /// The file, as long as it is open.
  public var open: File? {
    guard case .staged(let staged) = self else { return nil }
    return staged.file
  }
}

/// The planned change of one name.
public struct Publication<File: Sendable>: Sendable {
  /// The name, relative to the output root.
  public let path: FilePath
  /// The new file; nil if the name is removed.
  public internal(set) var new: NewFile<File>?
  public let expected: ExpectedFile
  /// True if the displaced file goes to the trash: files that cannot be rendered again, and every
  /// sidecar, which `undo` needs.
  public let keepsDisplaced: Bool
  /// The digest of the staged bytes; nil if the file must be read.
  public let digest: Digest?

  /// Plans a publication; what a sidecar displaces is always kept.
  public init(
    _ path: FilePath, _ staged: StagedFile<File>?, expected: ExpectedFile,
    keepsDisplaced: Bool = false, digest: Digest? = nil
  ) {
    self.path = path
    new = staged.map { .staged($0) }
    self.expected = expected
    self.keepsDisplaced = keepsDisplaced || Sidecar.isPath(path)
    self.digest = digest
  }
}

/// The file that is expected at a place; any other file belongs to somebody else and stays.
public enum ExpectedFile: Sendable, Hashable {
  case absent
  case identity(FileIdentity)
  /// Bytes.
  case digest(Digest)
}

/// Files that are published together: a photo's renditions and its sidecar.
public struct PublicationGroup<File: Sendable>: Sendable {
  public var renditions: [Publication<File>]
  public var sidecar: Publication<File>?
  /// Looks, right before the commit, whether what the files were made of is still as it was.
  public var checkSource: @Sendable () throws(PublishingError) -> Void = {}

  public init(renditions: [Publication<File>], sidecar: Publication<File>? = nil) {
    self.renditions = renditions
    self.sidecar = sidecar
  }

  /// The renditions, then the sidecar.
  public var inOrder: [Publication<File>] { renditions + (sidecar.map { [$0] } ?? []) }
}
