import Notation
import PhotoLibrary
import PhotoRecipes

/// Lists the renditions that an edit renders, with the reasons for each.
struct StaleOutputs {
  let facts: EditFacts
  let state: StackState
  /// The recipe with the photo's own settings.
  let recipe: RecipeEdit
  /// Returns the recipe with other own settings; nil if they are invalid.
  private let recipeWith: (JSON.Object) -> Recipe?
  private var options: BatchOptions { state.context.options }

  init(
    _ facts: EditFacts, _ state: StackState, _ recipe: RecipeEdit,
    _ recipeWith: @escaping (JSON.Object) -> Recipe?
  ) {
    self.facts = facts
    self.state = state
    self.recipe = recipe
    self.recipeWith = recipeWith
  }

  /// Returns the renditions of all layers that an edit renders, from the oldest layer to the
  /// newest.
  func outputs(of edit: Edit) -> [StaleOutput] {
    edit.layers.flatMap { layer -> [StaleOutput] in
      switch layer {
      case .recipe(let depth): ownOutputs(inPlaceOf: depth)
      case .replayed(let depth): replayedOutputs(depth)
      case .kept, .foreign, .refreshed: []
      }
    }
  }

  private func ownOutputs(inPlaceOf depth: Int?) -> [StaleOutput] {
    let old = depth ?? facts.stack.lastIndex(where: \.isHandled)
    let known = old.map { Set(state.stack[$0].adjustment.renditions.map(\.output)) } ?? []
    let common = commonReasons(inPlaceOf: depth, old)
    let settings = settingsReasons(since: old)
    return recipe.renditions.compactMap { name, output in
      var reasons = common
      if old != nil, !known.contains(name) {
        // If the output itself is new, changes of the recipe are not listed as reasons.
        reasons = [.new] + settings(output).filter { $0.kind == .adjusted }
      } else if let old {
        reasons += settings(output) + fileReasons(name, at: old)
      }
      return reasons.isEmpty ? nil : StaleOutput(output: name, edit: nil, reasons: reasons)
    }
  }

  /// The reasons that apply to all outputs of the recipe.
  private func commonReasons(inPlaceOf depth: Int?, _ old: Int?) -> [Staleness] {
    var reasons: [Staleness] = []
    if depth == nil {
      if options.previous == .replace && (old != nil || facts.elsewhere != nil) {
        reasons.append(.asked("--previous replace"))
      } else if options.previous == .stack && old != nil {
        reasons.append(.asked("--previous stack"))
      } else if old == nil {
        reasons.append(facts.isReverted ? .asked("--redo") : .new)
      }
    }
    guard let old else { return reasons }
    for reason in facts.staleness(of: old) {
      switch reason {
      case .superseded, .missing, .modified, .settings: break
      default: reasons.append(reason)
      }
    }
    return reasons
  }

  private func replayedOutputs(_ depth: Int) -> [StaleOutput] {
    let adjustment = state.stack[depth].adjustment
    var names = adjustment.renditions.map(\.output)
    if names.isEmpty, let recorded = try? RecordedEdit.recipe(of: adjustment) {
      names = recorded.renditions(hasFilm: recipe.film != nil).map(\.name)
    }
    return names.map { name in
      var reasons = fileReasons(name, at: depth)
      if adjustment.settings.isEmpty {
        reasons += [.new] + adjusted(adjustment)
      } else if !facts.stack[depth].originalIsSame {
        reasons.append(.original)
      }
      return StaleOutput(
        output: name, edit: adjustment.formatIdentifier,
        reasons: reasons.isEmpty ? [.below] : reasons)
    }
  }

  private func fileReasons(_ output: String, at depth: Int) -> [Staleness] {
    facts.stack[depth].outputs[output]?.reason.map { [$0] } ?? []
  }

  /// Returns a function that lists, for an output, the reasons why the settings digest of the
  /// recipe differs from the settings digest of the adjustment at index `depth` of the stack.
  ///
  /// The list is empty if the digests are equal.
  private func settingsReasons(since depth: Int?) -> (String) -> [Staleness] {
    guard let depth, facts.stack[depth].settings != facts.settings else { return { _ in [] } }
    let old = state.stack[depth].adjustment
    // `adjust` can record a photo's settings before the recipe has ever run; then no digest is
    // recorded.
    if old.settings.isEmpty {
      let adjusted = adjusted(old)
      return { _ in adjusted }
    }
    let keys = changedKeys(since: old)
    let parameters = keys.filter { !$0.contains(".") }
    let places = placesChanged(by: parameters, since: old)
    let byParameters = places.values.reduce(into: Set()) { $0.formUnion($1) }
    let changes = RecordDifference(from: old.recipe, to: recipe.recipe.record).changes
    var files = recipe.files.digests.sorted(by: { $0.key < $1.key }).filter { path, digest in
      old.files[path].map { $0 != digest } ?? false
    }.map { "the content of '\($0.key)' changed" }
    files += [old.change(to: recipe.film)].compactMap(\.self)
    if changes.isEmpty && files.isEmpty {
      let reason = RevisedFilters.reason(
        recipe.recipe, since: old.settings, digest: recipe.settings)
      return { _ in [reason] }
    }
    return { output in
      // If one output is stale, all outputs are rendered. If only other outputs' settings changed,
      // those changes are the reasons for this output too.
      let own = changes.filter { $0.output == nil || $0.output == output }
      let all = own.isEmpty && files.isEmpty ? changes : own
      let isAdjusted = { (change: RecordDifference.Change) in keys.contains(where: change.concerns)
      }
      let direct = all.filter { !byParameters.contains($0.place) }
      let effective = parameters.filter { key in
        all.contains { places[key]?.contains($0.place) ?? false }
      }
      let adjusted =
        effective.map { ownChange($0, since: old) }
        + direct.filter(isAdjusted).map { $0.text(in: output) }
      let others = direct.filter { !isAdjusted($0) }.map { $0.text(in: output) } + files
      return (adjusted.isEmpty ? [] : [.adjusted(adjusted)])
        + (others.isEmpty ? [] : [.recipe(others)])
    }
  }

  /// The places in the recipe's record that the photo's own values of these parameters have changed
  /// since the adjustment was rendered, by the parameters.
  private func placesChanged(
    by parameters: [String], since old: Adjustment
  ) -> [String: Set<[String]>] {
    func places(_ keys: [String]) -> Set<[String]>? {
      var before = recipe.overrides
      for key in keys { before[key] = rendered(key, in: old) }
      guard let earlier = recipeWith(before) else { return nil }
      let changes = RecordDifference(from: earlier.record, to: recipe.recipe.record).changes
      return Set(changes.map(\.place))
    }
    if parameters.isEmpty { return [:] }
    let together = places(parameters) ?? []
    // Without one of the changes, the other values may be invalid.
    return Dictionary(uniqueKeysWithValues: parameters.map { ($0, places([$0]) ?? together) })
  }

  /// The own value with which the adjustment was rendered; nil if it had none, or if the value is
  /// not known.
  private func rendered(_ key: String, in old: Adjustment) -> JSON? {
    if let known = old.renderedOverrides { return known[key] }
    return recipe.overrides[key] == nil ? old.overrides[key] : nil
  }

  private func ownChange(_ key: String, since old: Adjustment) -> String {
    Staleness.ownChange(key, from: rendered(key, in: old), to: recipe.overrides[key])
  }

  /// The reason for the first rendering of an edit that has own settings of the photo.
  private func adjusted(_ edit: Adjustment) -> [Staleness] {
    let own = edit.overrides.members.map { "\($0.key) = \($0.value.compactText)" }
    return own.isEmpty ? [] : [.adjusted(own)]
  }

  /// Returns the keys of the photo's own settings that may have changed since the adjustment was
  /// rendered.
  private func changedKeys(since old: Adjustment) -> [String] {
    let now = recipe.overrides
    guard let before = old.renderedOverrides else {
      // `adjust` did not change the settings. The sidecar was edited by hand, or this run drops the
      // settings, so every key may have changed.
      return Array(Set(now.keys + old.overrides.keys))
    }
    return (now.keys + before.keys.filter { now[$0] == nil }).filter { now[$0] != before[$0] }
  }
}
