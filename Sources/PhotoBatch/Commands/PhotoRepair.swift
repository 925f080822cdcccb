import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Renames one photo's damaged sidecar, so that the next run creates a new sidecar.
struct PhotoRepair {
  let context: EditContext
  let asset: Asset

  func run() -> AssetRunner.Result {
    do throws(PhotoFailure) { return try result() } catch {
      return .done(AssetOutcome(asset.path, error))
    }
  }

  private func result() throws(PhotoFailure) -> AssetRunner.Result {
    switch context.contents.sidecars[asset.path] {
    case nil: return .done(AssetOutcome(asset.path, .skipped, "the photo has no sidecar"))
    case .usable:
      return .done(AssetOutcome(asset.path, .upToDate, "the photo's sidecar is not damaged"))
    case .unusable(.newerSidecar, let error):
      throw PhotoFailure(.newerSidecar, error.message, hint: error.hint)
    case .unusable(_, let error as SidecarError) where error == .notFile:
      throw PhotoFailure(.corruptSidecar, error.message, hint: error.hint)
    case .unusable: return .prepared(try setAside())
    }
  }

  private func setAside() throws(PhotoFailure) -> PreparedEdit {
    let files = context.root.files
    let path = Sidecar.path(of: asset.path)
    let aside = try freeName(beside: path)
    let staged = try PhotoFailure.attempt {
      let file = try files.open(path)
      let staged = try context.publisher.stage(in: path.removingLastComponent())
      try files.copy(file, to: staged.file)
      return staged
    }
    let identity = try PhotoFailure.attempt { try files.status(at: path)?.identity }
    let publications = [
      Publication(aside, staged, expected: .absent),
      Publication<OpenFile>(path, nil, expected: identity.map(ExpectedFile.identity) ?? .absent),
    ]
    let outcome = AssetOutcome(
      asset.path, .repaired,
      "its damaged sidecar was renamed to '\(aside.displayed)'; the next run creates a new one")
    return PreparedEdit(group: PublicationGroup(renditions: publications), outcome: outcome)
  }

  /// Returns `a.jpg.phbatch.json.damaged`, with a number if that name is in use.
  private func freeName(beside path: FilePath) throws(PhotoFailure) -> FilePath {
    for number in 1..<100 {
      let ending = number == 1 ? ".damaged" : ".damaged-\(number)"
      guard let name = FilePath(bytes: path.bytes + Array(ending.utf8)) else { break }
      let found = try PhotoFailure.attempt { try context.root.files.status(at: name) }
      if found == nil { return name }
    }
    throw PhotoFailure(
      .corruptSidecar, "the damaged sidecar cannot be renamed: all names are in use",
      hint: "remove older files that end with '.damaged'")
  }
}
