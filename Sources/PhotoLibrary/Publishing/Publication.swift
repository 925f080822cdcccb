public import SystemPackage

/// A file under a temporary name.
public struct StagedFile<File: Sendable>: Sendable {
  /// Relative to the output root.
  public let path: FilePath
  public let file: File
}

/// What is to happen to one name.
public struct Publication<File: Sendable>: Sendable {
  /// The name, relative to the output root.
  public let path: FilePath
  /// What to put there; nil removes the file.
  public let staged: StagedFile<File>?
  public let expected: ExpectedFile
  /// Whether what it displaces goes to the trash: what could not be rendered again, and every
  /// sidecar, which `undo` needs.
  public let keepsDisplaced: Bool
  /// Of the staged bytes, if it is known; else the file is read.
  public let digest: Digest?

  /// Plans a publication; what a sidecar displaces is always kept.
  public init(
    _ path: FilePath, _ staged: StagedFile<File>?, expected: ExpectedFile,
    keepsDisplaced: Bool = false, digest: Digest? = nil
  ) {
    self.path = path
    self.staged = staged
    self.expected = expected
    self.keepsDisplaced = keepsDisplaced || Sidecar.isPath(path)
    self.digest = digest
  }
}

/// What must be there before; anything else is somebody's and stays.
public enum ExpectedFile: Sendable, Hashable {
  case absent
  case identity(FileIdentity)
  /// Bytes.
  case digest(Digest)
}

/// What belongs together: the renditions of a photo and the sidecar that claims them.
public struct PublicationGroup<File: Sendable>: Sendable {
  public var renditions: [Publication<File>]
  public var sidecar: Publication<File>?

  public init(renditions: [Publication<File>], sidecar: Publication<File>? = nil) {
    self.renditions = renditions
    self.sidecar = sidecar
  }

  var inOrder: [Publication<File>] { renditions + (sidecar.map { [$0] } ?? []) }
}
