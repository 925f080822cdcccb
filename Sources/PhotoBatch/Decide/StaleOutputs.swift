import PhotoLibrary
import PhotoRecipes

/// Lists the renditions that an edit writes, with the reasons for each.
struct StaleOutputs {
  let facts: EditFacts
  let state: StackState
  /// The recipe with the photo's own settings.
  let recipe: RecipeEdit
  let options: BatchOptions

  init(_ facts: EditFacts, _ state: StackState, _ recipe: RecipeEdit, _ options: BatchOptions) {
    self.facts = facts
    self.state = state
    self.recipe = recipe
    self.options = options
  }

  /// The renditions of all layers that an edit renders, oldest first.
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
    return recipe.recipe.outputs.compactMap { output in
      var reasons = common
      if let old {
        if !known.contains(output.name) { reasons.insert(.new, at: 0) }
        reasons += fileReasons(output.name, at: old)
      }
      return reasons.isEmpty
        ? nil : StaleOutput(output: output.name, edit: nil, reasons: reasons)
    }
  }

  /// The reasons that all outputs of the recipe share.
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
    reasons += facts.staleness(of: old).compactMap { reason -> Staleness? in
      switch reason {
      case .missing, .modified: nil
      case .settings: .settings(changes(since: state.stack[old].adjustment))
      default: reason
      }
    }
    return reasons
  }

  private func replayedOutputs(_ depth: Int) -> [StaleOutput] {
    let adjustment = state.stack[depth].adjustment
    return adjustment.renditions.map { rendition in
      var reasons = fileReasons(rendition.output, at: depth)
      if !facts.stack[depth].originalIsSame { reasons.append(.original) }
      return StaleOutput(
        output: rendition.output, edit: adjustment.formatIdentifier,
        reasons: reasons.isEmpty ? [.below] : reasons)
    }
  }

  private func fileReasons(_ output: String, at depth: Int) -> [Staleness] {
    switch facts.stack[depth].outputs[output] {
    case .missing?: [.missing]
    case .modified?: [.modified]
    case .present?, nil: []
    }
  }

  /// The changes that make the settings digest different, as text.
  private func changes(since old: Adjustment) -> [String] {
    var changes = RecordDifference(from: old.recipe, to: recipe.recipe.record).changes
    for (path, digest) in recipe.files.digests.sorted(by: { $0.key < $1.key }) {
      if let before = old.files[path], before != digest {
        changes.append("the content of '\(path)' changed")
      }
    }
    // The digest also includes the focal point and the revisions of the filters.
    return changes.isEmpty
      ? ["the focal point changed, or a new version of phbatch renders a filter differently"]
      : changes
  }
}
