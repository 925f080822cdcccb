import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Publishes a photo's sidecar alone: what changes in it has no renditions yet.
struct SidecarCommit {
  let context: EditContext
  /// From the library's root.
  let original: FilePath

  /// Writes the sidecar in the place of the one that was read, or as the first.
  ///
  /// Returns what the file is known by from now on; nil where the file system does not say.
  func replace(
    _ identity: FileIdentity?, with sidecar: Sidecar
  ) throws(PhotoFailure) -> FileIdentity {
    let text: [UInt8]
    do throws(SidecarError) { text = try sidecar.text() } catch {
      throw PhotoFailure(.corruptSidecar, error.message, hint: error.hint)
    }
    let path = Sidecar.path(of: original)
    let staged = try PhotoFailure.attempt {
      try context.publisher.stage(in: path.removingLastComponent())
    }
    let found = try PhotoFailure.attempt {
      try context.root.files.write(text, to: staged.file)
      let expected = identity.map(ExpectedFile.identity) ?? .absent
      let publication = Publication(path, staged, expected: expected)
      return try context.publisher.publish(
        PublicationGroup(renditions: [], sidecar: publication))
    }
    guard case let written?? = found.last else {
      throw PhotoFailure(.unreadable, "the sidecar is gone as soon as it was written")
    }
    return written
  }
}
