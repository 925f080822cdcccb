import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Renames one photo's damaged sidecar.
///
/// If the photo's own settings or its focal point can be read, a new sidecar with them is written;
/// otherwise the next run creates a new sidecar.
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
      return .done(AssetOutcome(asset.path, .skipped, "the photo's sidecar is not damaged"))
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
    let rescued = try rescued(from: path)
    let end = rescued.map { "kept: \(Self.words($0))" } ?? "the next run creates a new one"
    var outcome = AssetOutcome(
      asset.path, .repaired, "the damaged sidecar was renamed to '\(aside.displayed)'; \(end)")
    let commit = SidecarCommit(context: context, original: asset.path)
    let sidecar =
      try rescued.map { sidecar throws(PhotoFailure) in
        try commit.publication(of: sidecar, replacing: identity, &outcome.warnings)
      } ?? Publication(path, nil, expected: identity.map(ExpectedFile.identity) ?? .absent)
    let group = PublicationGroup(
      renditions: [Publication(aside, staged, expected: .absent)], sidecar: sidecar)
    return PreparedEdit(group: group, outcome: outcome)
  }

  /// The maximum size in bytes of a damaged sidecar from which settings are recovered, 4 MiB.
  private static let readLimit = 4 << 20

  /// Returns a new sidecar with the settings that the damaged one still contains; nil if there are
  /// none.
  ///
  /// If the damaged sidecar is a copy of another photo's sidecar, its settings are not used.
  private func rescued(from path: FilePath) throws(PhotoFailure) -> Sidecar? {
    // A sidecar that cannot be read has nothing to rescue.
    guard let bytes = try? context.root.files.read(path, limit: Self.readLimit) else { return nil }
    let salvage = SidecarSalvage(bytes, date: context.date)
    if salvage.isEmpty { return nil }
    let digest = try PhotoFailure.attempt {
      try Digest(of: context.root.library.open(asset.path), in: context.root.library)
    }
    if let recorded = salvage.original, recorded != "\(digest)" { return nil }
    var sidecar = Sidecar(
      original: OriginalRecord(
        file: RecordedName(bytes: Array(asset.file.name.bytes)), bytes: Int(digest.count),
        sha256: "\(digest)", width: 0, height: 0, date: nil))
    sidecar.reversions = salvage.settings
    sidecar.focalPoint = salvage.focalPoint
    return sidecar
  }

  private static func words(_ sidecar: Sidecar) -> String {
    let keys = sidecar.reversions.flatMap { $0.overrides.keys }
    return (keys + (sidecar.focalPoint == nil ? [] : ["focal point"])).joined(separator: ", ")
  }

  /// Returns an unused name for the damaged sidecar: `a.jpg.phbatch.json.damaged`, then
  /// `.damaged-2` and so on.
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
