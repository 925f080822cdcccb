public import SystemPackage

/// A file under a temporary name.
public struct StagedFile<File: Sendable>: Sendable {
  /// The temporary path, relative to the output root.
  public let path: FilePath
  public let file: File
}

/// A staged file that is saved and closed.
///
/// Any number of such files can wait for one commit.
public struct SavedFile: Sendable {
  /// The temporary path, relative to the output root.
  let path: FilePath
  /// The file's identity; publishing fails if it has changed.
  let identity: FileIdentity
  let digest: Digest
}

/// The new file of a publication.
public enum NewFile<File: Sendable>: Sendable {
  case staged(StagedFile<File>)
  case saved(SavedFile)

  /// The temporary path, relative to the output root.
  var path: FilePath {
    switch self {
    case .staged(let staged): staged.path
    case .saved(let saved): saved.path
    }
  }

  /// The open file; nil if it is already saved and closed.
  public var open: File? {
    guard case .staged(let staged) = self else { return nil }
    return staged.file
  }
}

/// The planned change at one path: a file is created, replaced or removed.
public struct Publication<File: Sendable>: Sendable {
  /// The final name of the file, relative to the output root.
  public let path: FilePath
  /// The new file; nil if the publication removes the name.
  public internal(set) var new: NewFile<File>?
  public let expected: ExpectedFile
  /// True if the file that is replaced or removed is kept in the trash.
  ///
  /// Files that cannot be rendered again are kept, and every sidecar, because `undo` reads
  /// sidecars.
  public let keepsDisplaced: Bool
  /// The digest of the staged bytes; nil if the file must be read.
  public let digest: Digest?

  /// Plans a publication.
  ///
  /// A sidecar that is replaced or removed is always kept.
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

/// The file that is expected at a path.
///
/// Any other file belongs to another program or a user, and stays.
public enum ExpectedFile: Sendable, Hashable {
  case absent
  case identity(FileIdentity)
  /// A file with these bytes.
  case digest(Digest)
}

/// Files that are published together: a photo's renditions and its sidecar.
public struct PublicationGroup<File: Sendable>: Sendable {
  public var renditions: [Publication<File>]
  public var sidecar: Publication<File>?
  /// The digest of the photo from which the renditions were rendered, for the ledger; nil for files
  /// that phbatch did not render.
  public var original: Digest?
  /// Checks, right before the commit, that the files from which the group was made are unchanged.
  public var checkSource: @Sendable () throws(PublishingError) -> Void = {}

  public init(renditions: [Publication<File>], sidecar: Publication<File>? = nil) {
    self.renditions = renditions
    self.sidecar = sidecar
  }

  /// The publications in their order: the renditions, then the sidecar.
  public var inOrder: [Publication<File>] { renditions + (sidecar.map { [$0] } ?? []) }
}
