import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Prepares a photo's sidecar to be published.
struct SidecarCommit {
  let context: EditContext
  /// From the library's root.
  let original: FilePath

  /// The sidecar alone: what changes in it has no renditions yet.
  func prepare(
    _ sidecar: Sidecar, replacing identity: FileIdentity?, _ outcome: AssetOutcome
  ) throws(PhotoFailure) -> PreparedEdit {
    let publication = try publication(of: sidecar, replacing: identity)
    return PreparedEdit(
      group: PublicationGroup(renditions: [], sidecar: publication), outcome: outcome)
  }

  /// Writes the sidecar to a staged file, for the place of the one that was read, or as the first.
  func publication(
    of sidecar: Sidecar, replacing identity: FileIdentity?
  ) throws(PhotoFailure) -> Publication<OpenFile> {
    try publication(of: sidecar, expected: identity.map(ExpectedFile.identity) ?? .absent)
  }

  /// Writes the sidecar to a staged file, for the place of what is expected there.
  func publication(
    of sidecar: Sidecar, expected: ExpectedFile
  ) throws(PhotoFailure) -> Publication<OpenFile> {
    let text: [UInt8]
    do throws(SidecarError) { text = try sidecar.text() } catch {
      throw PhotoFailure(.corruptSidecar, error.message, hint: error.hint)
    }
    let path = Sidecar.path(of: original)
    let staged = try PhotoFailure.attempt {
      try context.publisher.stage(in: path.removingLastComponent())
    }
    do throws(PhotoFailure) {
      try PhotoFailure.attempt { try context.root.files.write(text, to: staged.file) }
    } catch {
      context.discard([staged])
      throw error
    }
    return Publication(path, staged, expected: expected)
  }
}
