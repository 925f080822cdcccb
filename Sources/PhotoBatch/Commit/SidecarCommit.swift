import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Prepares the publication of a photo's changed sidecar.
struct SidecarCommit {
  let context: EditContext
  /// The original's path, relative to the library's root.
  let original: FilePath

  /// Prepares a sidecar to be published without any renditions.
  func prepare(
    _ sidecar: Sidecar, replacing identity: FileIdentity?, _ outcome: AssetOutcome
  ) throws(PhotoFailure) -> PreparedEdit {
    var outcome = outcome
    let publication = try publication(of: sidecar, replacing: identity, &outcome.warnings)
    return PreparedEdit(
      group: PublicationGroup(renditions: [], sidecar: publication), outcome: outcome)
  }

  /// Writes the sidecar to a staged file, which will replace the sidecar with this identity; nil if
  /// there is none.
  func publication(
    of sidecar: Sidecar, replacing identity: FileIdentity?, _ warnings: inout [String]
  ) throws(PhotoFailure) -> Publication<OpenFile> {
    let expected = identity.map(ExpectedFile.identity) ?? .absent
    return try publication(of: sidecar, expected: expected, &warnings)
  }

  /// Writes the sidecar to a staged file, which will replace the expected file; adds a warning if
  /// the sidecar is unusually large.
  func publication(
    of sidecar: Sidecar, expected: ExpectedFile, _ warnings: inout [String]
  ) throws(PhotoFailure) -> Publication<OpenFile> {
    let text = try Self.text(of: sidecar)
    if let warning = Sidecar.warning(bytes: text.count) { warnings.append(warning) }
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
    return Publication(path, staged, expected: expected, digest: Digest(of: text))
  }

  /// Throws if the sidecar is too large to be written; the caller checks this before it renders
  /// anything.
  static func check(_ sidecar: Sidecar) throws(PhotoFailure) { _ = try text(of: sidecar) }

  private static func text(of sidecar: Sidecar) throws(PhotoFailure) -> [UInt8] {
    do throws(SidecarError) { return try sidecar.text() } catch {
      throw PhotoFailure(Reason(error), error.message, hint: error.hint)
    }
  }
}
