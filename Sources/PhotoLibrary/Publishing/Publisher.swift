public import SystemPackage

/// Writes files under names of their own, then gives them those they are meant to have.
public protocol Publisher<Files>: Sendable {
  associatedtype Files: FileSystem

  /// Makes an empty file, open for reading and writing, that `publish` can put anywhere on the same
  /// file system; best in the folder of its final name, which is made if missing.
  func stage(in folder: FilePath) throws(FileSystemError) -> StagedFile<Files.File>

  /// Removes a staged file that will not be published.
  func discard(_ staged: StagedFile<Files.File>) throws(FileSystemError)

  /// Publishes renditions in their order, then the sidecar, and returns when they would survive a
  /// power failure.
  ///
  /// If it throws, none of the files that the group staged is left under its temporary name. What it
  /// returns is what the files are known by from now on, in the same order; nil for those removed.
  @discardableResult
  func publish(
    _ group: PublicationGroup<Files.File>
  ) throws(PublishingError) -> [FileIdentity?]
}

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

  public init(_ path: FilePath, _ staged: StagedFile<File>?, expected: ExpectedFile) {
    self.path = path
    self.staged = staged
    self.expected = expected
  }
}

/// What must be there before; anything else is somebody's and stays.
public enum ExpectedFile: Sendable, Hashable {
  case absent
  case identity(FileIdentity)
  /// Bytes; reads the file.
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
