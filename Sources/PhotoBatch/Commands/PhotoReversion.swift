import Notation
import PhotoLibrary
import PhotoRecipes

/// Reverts the newest adjustment of one photo's stack, or all of them.
struct PhotoReversion {
  let context: EditContext
  let asset: Asset
  let worker: WorkerProcess
  /// The name of the variant; nil for the main stack, or for a photo's only stack.
  let variant: String?
  let isWhole: Bool
  /// True if no other stack may take the place of the main stack.
  let isExact: Bool

  func run() -> AssetRunner.Result {
    do throws(PhotoFailure) { return try result() } catch {
      return error.isCancelled ? .cancelled : .done(AssetOutcome(asset.path, error))
    }
  }

  private func result() throws(PhotoFailure) -> AssetRunner.Result {
    guard let sidecar = try context.contents.usableSidecar(of: asset) else {
      return .done(AssetOutcome(asset.path, .skipped, "the photo has no edits"))
    }
    if isExact {
      guard !sidecar.0.stack(variant).isEmpty else {
        return .done(AssetOutcome(asset.path, .skipped, "the photo has no edits in this stack"))
      }
      return try result(sidecar, variant)
    }
    switch StackChoice(variant, in: sidecar.0) {
    case .none(let words, let hint):
      return .done(AssetOutcome(asset.path, .skipped, words, hint: hint))
    case .stack(let variant, _): return try result(sidecar, variant)
    }
  }

  /// Reverts the adjustments of the variant's stack, which must not be empty.
  private func result(
    _ sidecar: (Sidecar, FileIdentity), _ variant: String?
  ) throws(PhotoFailure) -> AssetRunner.Result {
    let state = StackState(asset.path, sidecar, variant: variant, context)
    let rest = isWhole ? 0 : state.stack.count - 1
    if !isWhole, let before = sidecar.0.withoutAdoption(variant) {
      let outcome = AssetOutcome(
        asset.path, .reverted,
        "the adopted rendition is again treated as changed by hand; its file was kept")
      let commit = SidecarCommit(context: context, original: asset.path)
      return .prepared(try commit.prepare(before, replacing: sidecar.1, outcome))
    }
    let photo = try PhotoFailure.attempt { try context.root.library.open(asset.path) }
    let digest = try PhotoFailure.attempt { try Digest(of: photo, in: context.root.library) }
    let editor = StackEditor(
      context: context, asset: asset, worker: worker, state: state, photo: photo, digest: digest)
    let removed = state.stack[rest...].map(\.adjustment)
    let notes = removed.filter { !$0.isForeign }.map(reversion)
    let (layers, warnings) = layers(below: rest, state, state.facts(original: digest))
    let edit = Edit(layers: layers, start: state.stack.first?.adjustment.base ?? .original)
    var prepared = try editor.carryOut(edit, nil, reversions: notes, warnings: warnings)
    prepared.outcome.reason = .reverted
    prepared.outcome.detail = words(removed, state, rest, prepared.outcome.detail)
    return .prepared(prepared)
  }

  /// The record of a reverted adjustment.
  ///
  /// An adjustment that no run has rendered has no settings digest; it gets that of its recipe with
  /// the photo's own settings, so that runs do not render it either.
  private func reversion(of adjustment: Adjustment) -> Reversion {
    var note = Reversion(of: adjustment, date: context.date)
    if note.settings.isEmpty {
      let own = adjustment.overrides.members.map { Assignment(key: $0.key, value: $0.value) }
      let recipe = try? RecipeDocument(recorded: adjustment).recipe(overrides: own).recipe
      note.settings =
        recipe?.settingsDigest(adjustment.files, focal: context.focalPoint(of: asset)) ?? ""
    }
    return note
  }

  /// Returns the layers for the `depth` lowest adjustments of the stack; missing renditions of the
  /// topmost are rendered again.
  private func layers(
    below depth: Int, _ state: StackState, _ facts: EditFacts
  ) -> ([Edit.Layer], warnings: [String]) {
    var facts = facts
    facts.policy.acceptsChanged = true
    for index in 0..<depth where !facts.stack[index].isForeign {
      do throws(EditFacts.Obstacle) {
        _ = try RecordedEdit(state.stack[index].adjustment, context.registry)
      } catch { facts.stack[index].obstacle = error }
    }
    do throws(EditFacts.Obstacle) { return (try facts.support(depth), []) } catch {
      return ((0..<depth).map { .kept($0) }, [error.detail])
    }
  }

  private func words(
    _ removed: [Adjustment], _ state: StackState, _ rest: Int, _ rendered: String?
  ) -> String {
    let names = removed.map { "\($0.formatIdentifier) \($0.formatVersion)" }
    let place = rest == 0 ? "the original" : state.stack[rest - 1].adjustment.formatIdentifier
    let effect = rendered ?? "no rendition was rendered again"
    return "\(names.joined(separator: ", ")) reverted to \(place); \(effect)"
  }
}
