import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Prepares a photo's sidecar to be published.
struct SidecarCommit {
  let context: EditContext
  /// The original's path from the library's root.
  let original: FilePath

  /// Prepares the sidecar alone, for a change that has no renditions yet.
  func prepare(
    _ sidecar: Sidecar, replacing identity: FileIdentity?, _ outcome: AssetOutcome
  ) throws(PhotoFailure) -> PreparedEdit {
    var outcome = outcome
    let publication = try publication(of: sidecar, replacing: identity, &outcome.warnings)
    return PreparedEdit(
      group: PublicationGroup(renditions: [], sidecar: publication), outcome: outcome)
  }

  /// Writes the sidecar to a staged file that replaces the sidecar that was read; `identity` is nil
  /// if there was none.
  func publication(
    of sidecar: Sidecar, replacing identity: FileIdentity?, _ warnings: inout [String]
  ) throws(PhotoFailure) -> Publication<OpenFile> {
    let expected = identity.map(ExpectedFile.identity) ?? .absent
    return try publication(of: sidecar, expected: expected, &warnings)
  }

  /// Writes the sidecar to a staged file that replaces the expected file; adds a warning if the
  /// sidecar is unusually large.
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
    return Publication(path, staged, expected: expected)
  }

  /// Throws if a sidecar cannot be written; called before anything is rendered.
  static func check(_ sidecar: Sidecar) throws(PhotoFailure) { _ = try text(of: sidecar) }

  private static func text(of sidecar: Sidecar) throws(PhotoFailure) -> [UInt8] {
    do throws(SidecarError) { return try sidecar.text() } catch {
      throw PhotoFailure(Reason(error), error.message, hint: error.hint)
    }
  }
}
