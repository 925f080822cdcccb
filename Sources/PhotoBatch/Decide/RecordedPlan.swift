import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Plans, without a recipe, the renditions of recorded edits that are no longer up to date.
struct RecordedPlan {
  let context: EditContext
  let asset: Asset

  /// The plan of a stack: the renditions that runs of the recorded recipes would write.
  ///
  /// Nil if the photo has no sidecar that can be read.
  func plan(_ variant: String?) throws(PhotoFailure) -> PhotoPlan? {
    guard let found = try context.contents.usableSidecar(of: asset) else { return nil }
    let state = StackState(asset.path, found, variant: variant, context)
    let library = context.root.library
    let digest = try PhotoFailure.attempt {
      try context.digests.digest(at: asset.path, .library, in: library)
    }
    var facts = state.facts(original: digest)
    var stale: [StaleOutput] = []
    for (depth, place) in state.stack.enumerated() where !place.adjustment.isForeign {
      let adjustment = place.adjustment
      facts.settings = adjustment.settings
      let common = facts.staleness(of: depth) + settingsReasons(adjustment)
      for rendition in adjustment.renditions {
        let file = facts.stack[depth].outputs[rendition.output]?.reason
        let reasons =
          common.filter { ![.superseded, .missing, .modified].contains($0) }
          + [file].compactMap(\.self)
        if reasons.isEmpty { continue }
        stale.append(
          StaleOutput(
            output: rendition.output, edit: adjustment.formatIdentifier, reasons: reasons))
      }
    }
    var plan = PhotoPlan(asset.path, stale.isEmpty ? .leave(.upToDate) : .resume)
    plan.stale = stale
    return plan
  }

  /// The reasons in the settings: the photo's own ones, and filters that were revised.
  private func settingsReasons(_ adjustment: Adjustment) -> [Staleness] {
    if let before = adjustment.renderedOverrides {
      let now = adjustment.overrides
      let keys = now.keys + before.keys.filter { now[$0] == nil }
      return [
        .adjusted(
          keys.filter { now[$0] != before[$0] }.map { key in
            "\(key) was \(before[key]?.compactText ?? "the recipe's"), is now "
              + (now[key]?.compactText ?? "the recipe's")
          })
      ]
    }
    guard let recipe = try? RecordedEdit.recipe(of: adjustment) else { return [] }
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
