import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds, without a recipe file, the renditions of recorded edits that are not up to date.
struct RecordedPlan {
  let context: EditContext
  let asset: Asset

  /// The plan of a stack: the renditions that runs of the recorded recipes would write.
  ///
  /// Nil if the photo has no sidecar that can be read.
  func plan(_ variant: String?) throws(PhotoFailure) -> PhotoPlan? {
    guard let found = try context.contents.usableSidecar(of: asset) else { return nil }
    let library = context.root.library
    // A variant may start from the image of another program.
    let foreign = try variant.map { _ throws(PhotoFailure) in
      try ForeignEdits(
        of: asset, in: context.contents, library, context.digests, date: context.date)
    }
    let state = StackState(asset.path, found, variant: variant, foreign: foreign, context)
    let digest = try PhotoFailure.attempt {
      try context.digests.digest(at: asset.path, .library, in: library)
    }
    var facts = state.facts(original: digest)
    var stale: [(depth: Int, output: StaleOutput)] = []
    for (depth, place) in state.stack.enumerated() where !place.adjustment.isForeign {
      let adjustment = place.adjustment
      facts.settings = adjustment.settings
      var common = try facts.staleness(of: depth) + settingsReasons(adjustment, state)
      common.removeAll { [.superseded, .missing, .modified].contains($0) }
      for rendition in adjustment.renditions {
        let file = facts.stack[depth].outputs[rendition.output]?.reason
        var reasons = common + [file].compactMap(\.self)
        if reasons.isEmpty {
          if stale.allSatisfy({ $0.depth == depth }) { continue }
          reasons = [.below]
        }
        let output = StaleOutput(
          output: rendition.output, edit: adjustment.formatIdentifier, reasons: reasons)
        stale.append((depth, output))
      }
    }
    var plan = PhotoPlan(asset.path, stale.isEmpty ? .leave(.upToDate) : .resume)
    plan.stale = stale.map(\.output)
    if let depth = stale.first?.depth {
      let outputs = stale.filter { $0.depth == depth }.map(\.output.output)
      plan.files = files(state, facts, digest, outputs, of: depth)
    }
    return plan
  }

  /// The files that a run of the recipe of the edit at index `depth` would change; empty if that
  /// run would not render the photo.
  private func files(
    _ state: StackState, _ facts: EditFacts, _ digest: Digest, _ outputs: [String], of depth: Int
  ) -> [PlannedFile] {
    var facts = facts
    for index in facts.stack.indices { facts.stack[index].isHandled = index == depth }
    // An empty settings digest differs from every recorded digest, so the edit counts as stale.
    facts.settings = ""
    guard case .render(let edit) = state.decision(facts).1,
      let recipe = try? RecordedEdit.recipe(of: state.stack[depth].adjustment)
    else { return [] }
    let stale = outputs.map { StaleOutput(output: $0, edit: nil, reasons: []) }
    return PlannedFiles(
      state, recipe, digest, hasFilm: outputs.contains { PairedFilm.output(of: $0) != nil }
    ).files(of: edit, writing: stale)
  }

  /// The reasons in the settings: changed settings of the photo, or revised filters.
  private func settingsReasons(
    _ adjustment: Adjustment, _ state: StackState
  ) throws(PhotoFailure) -> [Staleness] {
    if let before = adjustment.renderedOverrides {
      let now = adjustment.overrides
      let keys = now.keys + before.keys.filter { now[$0] == nil }
      return [
        .adjusted(
          keys.filter { now[$0] != before[$0] }.map { key in
            Staleness.ownChange(key, from: before[key], to: now[key])
          })
      ]
    }
    guard let recipe = try? RecordedEdit.recipe(of: adjustment) else { return [] }
    let film = try state.filmDigest(
      of: asset, beside: state.image(under: adjustment.base), for: recipe, after: adjustment)
    if let change = adjustment.change(to: film) { return [.recipe([change])] }
    let settings = recipe.settingsDigest(
      adjustment.files, focal: context.focalPoint(of: asset))
    if settings == adjustment.settings { return [] }
    return [
      RevisedFilters.reason(recipe, since: adjustment.settings) { revisions in
        recipe.settingsDigest(
          adjustment.files, focal: context.focalPoint(of: asset), revisions: revisions)
      }
    ]
  }
}
