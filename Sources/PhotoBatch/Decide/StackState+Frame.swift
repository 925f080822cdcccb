import PhotoLibrary
import PhotoRecipes
import PhotoRender

extension StackState {
  /// The map from positions in the upright original to positions in an image that an edit starts
  /// from, both 0…1; nil if it is not known, as for another program's image.
  func frame(of base: Adjustment.Base) -> Homography? {
    if base == .original { return .identity }
    return maker(of: base).flatMap { $0.adjustment.frame(of: $0.rendition) }
  }

  /// The original of an image that an edit starts from; nil for the original itself, and if the
  /// image's place in the original is not known.
  func origin(of base: Adjustment.Base, photo: OpenFile) -> StartImage.Origin? {
    if base == .original { return nil }
    return frame(of: base).map { StartImage.Origin(file: photo, frame: $0) }
  }
}

extension Adjustment {
  /// The map from positions in the upright original to positions in a rendition of the adjustment,
  /// both 0…1; nil if it is not known.
  func frame(of rendition: RenditionRecord) -> Homography? {
    if let frame = rendition.frame { return frame }
    let recipe = try? RecordedEdit.recipe(of: self)
    let output = recipe?.outputs.first { $0.name == rendition.output }
    guard let recipe, let output, showsWholeOriginal(in: output, of: recipe) else { return nil }
    return .identity
  }

  /// Records the place of the current rendition in the original; other renditions are no image that
  /// an edit starts from.
  ///
  /// `start` is the place of the image that the adjustment started from, and `frames` are the
  /// places of the renditions in this image, by the names of their outputs.
  mutating func record(_ frames: [String: Homography], after start: Homography?, _ recipe: Recipe) {
    let name = current?.output
    guard let index = renditions.firstIndex(where: { $0.output == name }),
      let output = recipe.outputs.first(where: { $0.name == name }),
      !showsWholeOriginal(in: output, of: recipe), let start, let own = frames[output.name]
    else { return }
    renditions[index].frame = own.after(start).rounded
  }

  /// True if positions in the upright original are the same positions in an output's rendition;
  /// then they need no record.
  private func showsWholeOriginal(in output: Output, of recipe: Recipe) -> Bool {
    base == .original && recipe.keepsFrame(output)
  }
}
