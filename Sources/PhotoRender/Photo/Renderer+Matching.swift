import PhotoRecipes

extension Renderer {
  /// The same renderer, with the settings of its formats as they are for one photo.
  func matching(_ photo: PhotoFile) -> Renderer {
    guard recipe.outputs.contains(where: { $0.format.dependsOnPhoto }) else { return self }
    let coding = JPEGCoding(photo)
    var renderer = self
    for index in renderer.recipe.outputs.indices {
      let format = renderer.recipe.outputs[index].format
      renderer.recipe.outputs[index].format = format.matching(coding)
      if format.dependsOnPhoto { renderer.savedAsPhoto.insert(recipe.outputs[index].name) }
    }
    return renderer
  }
}
