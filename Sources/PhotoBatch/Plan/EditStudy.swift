import PhotoLibrary

/// What was decided for a photo, and what that rests on.
struct EditStudy {
  let edit: RecipeEdit
  let editor: StackEditor
  let decision: EditDecision

  private var state: StackState { editor.state }

  /// What the recipe's adjustment starts from; where nothing is to be done, what it started from or
  /// would.
  var base: Adjustment.Base {
    switch decision {
    case .render(let edit): base(in: edit)
    case .nothing: recordedBase
    }
  }

  /// Whether the edit below is to be rendered again first.
  var startsFromReplayed: Bool {
    guard case .render(let edit) = decision, let place = recipePlace(in: edit), place > 0,
      case .replayed = edit.layers[place - 1]
    else { return false }
    return true
  }

  /// Opens the image that the recipe starts from.
  func openBase() throws(PhotoFailure) -> OpenFile { try editor.open(base) }

  private func base(in edit: Edit) -> Adjustment.Base {
    guard let place = recipePlace(in: edit), place > 0 else { return edit.start }
    let current =
      switch edit.layers[place - 1] {
      case .kept(let depth), .replayed(let depth), .recipe(inPlaceOf: let depth?):
        state.stack[depth].adjustment.currentBase
      case .refreshed(let depth): state.refreshed(state.stack[depth].adjustment).currentBase
      case .foreign(let index): state.newForeign[index].currentBase
      case .recipe(inPlaceOf: nil): Adjustment.Base?.none
      }
    return current ?? .original
  }

  private func recipePlace(in edit: Edit) -> Int? {
    edit.layers.lastIndex { if case .recipe = $0 { true } else { false } }
  }

  private var recordedBase: Adjustment.Base {
    let stack = state.stack.map(\.adjustment)
    guard let depth = stack.lastIndex(where: edit.recipe.handles) else {
      return stack.last?.currentBase ?? .original
    }
    return depth > 0 ? stack[depth - 1].currentBase ?? .original : stack[depth].base
  }
}
