import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// One look over the photos that a run is asked about: those that the index answers for are told at
/// once, the others are left to be planned.
struct BatchPass {
  /// Its contents are the photos to plan.
  private(set) var session: LibrarySession
  let recorder: Recorder
  /// All photos of the library.
  let originals: [FilePath]
  /// The paths that photos will have, as far as they are known.
  private(set) var planned: [(path: FilePath, original: FilePath)] = []
  /// The chosen photos that are gone while their sidecars are there.
  private let missing: [FilePath]

  /// Begins a pass; `choose` takes a part of the photos that are to be planned.
  init(
    of batch: Batch, over session: LibrarySession, _ choice: Batch.Choice,
    _ choose: (@Sendable ([Asset]) -> [Asset])?, _ observe: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.session = session
    let recipe = batch.recipe
    originals = session.contents.originals
    let absent: [FilePath]
    (missing, absent) = batch.keep(choice, of: &self.session.contents, session.root)
    let told = session.survey?.told ?? []
    recorder = Recorder(
      self.session.contents,
      photos: self.session.contents.assets.count + told.count + missing.count + absent.count,
      settled: session.survey?.settled ?? [:], observe)
    if !session.root.isMirror, recipe.outputs.contains(where: \.budget.keepIfSmaller) {
      recorder.record(.warning("'keepIfSmaller' copies originals only to another folder: --output"))
    }
    for path in absent {
      tell(PhotoPlan(path, .leave(.fileMissing), "there is no such file in the library"))
    }
    let decided = session.survey?.decided ?? [:]
    for plan in told + self.session.contents.assets.compactMap({ decided[$0.path] }) { tell(plan) }
    // Photos that are up to date have the paths that they need.
    let planning = self.session.contents.assets.filter { decided[$0.path]?.reason != .upToDate }
    self.session.contents.assets.removeAll { decided[$0.path] != nil }
    if let choose { self.session.contents.assets = choose(self.session.contents.assets) }
    if self.session.contents.assets.isEmpty { return }
    let paths = RenditionPaths(of: recipe)
    for asset in planning where recipe.selection.matches(path: asset.path.bytes) {
      guard asset.file.claim.isRead(with: recipe.inputs) else { continue }
      planned += paths.known(of: asset.path).map { ($0, asset.path) }
    }
  }

  /// Tells of the photos that are gone, after all others.
  func end() {
    for path in missing { tell(PhotoPlan(missing: path)) }
  }

  private func tell(_ plan: PhotoPlan) {
    recorder.record(.started(plan.path))
    recorder.record(.finished(AssetOutcome(plan)))
  }
}
