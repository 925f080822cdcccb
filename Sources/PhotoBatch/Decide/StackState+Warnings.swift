import PhotoLibrary

extension StackState {
  /// Classifies an edit by its effect on the existing stack.
  func action(of edit: Edit) -> PhotoPlan.Action {
    if edit.layers.contains(where: { if case .recipe(_?) = $0 { true } else { false } }) {
      return .resume
    }
    if edit.moves || !edit.dropped(of: stack.count).isEmpty { return .replace }
    return start(of: edit) == nil && stack.isEmpty ? .render : .stack
  }

  /// Returns a text that names the image of another edit from which the recipe starts; nil if the
  /// recipe starts from the original.
  func standing(of edit: Edit) -> String? {
    guard let (below, file) = start(of: edit) else { return nil }
    let name = "\(below.formatIdentifier) \(below.formatVersion)"
    return "stacked on '\(file.text)' of \(name)"
  }

  /// The warnings about an edit: other programs' edits that it does not include, and a starting
  /// image smaller than the original.
  func warnings(of edit: Edit) -> [String] {
    var warnings = leftOut(of: edit).map {
      "the edit by another program in '\($0.file.text)' has no image, and the run renders without it"
    }
    if context.options.onForeign == .report {
      let layers = edit.layers
      for (index, found) in newForeign.enumerated() where !layers.contains(.foreign(index)) {
        guard let file = found.foreign?.file, !isRefreshed(file, in: edit) else { continue }
        warnings.append(
          "the edit by another program in '\(file.text)' is newer and was ignored; see --on-foreign"
        )
      }
      for (depth, place) in stack.enumerated() where layers.contains(.kept(depth)) {
        guard foreignFile(of: place.adjustment) == .gone, let file = place.adjustment.foreign?.file
        else { continue }
        warnings.append(
          "'\(file.text)' is missing, but its edit is still in the stack; see --on-foreign")
      }
    }
    if let (below, _) = start(of: edit), let size = below.current,
      let original = sidecar?.original, size.width * size.height < original.width * original.height
    {
      warnings.append(
        "the edit starts from an image of only \(size.width)×\(size.height) pixels; the original has"
          + " \(original.width)×\(original.height)"
      )
    }
    return warnings
  }

  /// The adjustment from whose image the recipe's new adjustment starts, and that image's name; nil
  /// if there is none.
  private func start(of edit: Edit) -> (Adjustment, RecordedName)? {
    guard edit.layers.last == .recipe(inPlaceOf: nil),
      let below = edit.layers.dropLast().last.flatMap(adjustment),
      case .rendition(let file, _)? = below.currentBase
    else { return nil }
    return (below, file)
  }

  /// Other programs' edits without an image, directly below the recipe's new adjustment; the result
  /// does not show them.
  private func leftOut(of edit: Edit) -> [ForeignRecord] {
    guard edit.layers.last == .recipe(inPlaceOf: nil) else { return [] }
    let below = edit.layers.dropLast().reversed().prefix { adjustment($0)?.isForeign ?? false }
    return below.reversed().compactMap { adjustment($0)?.foreign }.filter { $0.current == nil }
  }

  private func isRefreshed(_ file: RecordedName, in edit: Edit) -> Bool {
    edit.layers.contains { layer in
      if case .refreshed(let depth) = layer {
        stack[depth].adjustment.foreign?.file == file
      } else {
        false
      }
    }
  }

  /// Returns the adjustment of a layer; nil for the layer of the recipe.
  private func adjustment(_ layer: Edit.Layer) -> Adjustment? {
    switch layer {
    case .kept(let depth), .replayed(let depth): stack[depth].adjustment
    case .refreshed(let depth): refreshed(stack[depth].adjustment)
    case .foreign(let index): newForeign[index]
    case .recipe: nil
    }
  }
}
