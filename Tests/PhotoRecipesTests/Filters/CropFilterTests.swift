import Testing

@testable import PhotoRecipes

@Suite struct CropFilterTests {
  /// The part of a photo of 400 × 300 pixels that a crop keeps; `settings` are those of the filter.
  private static func kept(_ settings: String) throws -> Rectangle? {
    let recipe = try RecipeText(filters: "[{\"filter\": \"crop\", \(settings)}]").recipe()
    return recipe.graph.nodes.compactMap { node in
      if case .crop(let crop) = node.operation { crop.rectangle(in: Size(400, 300)) } else { nil }
    }.first
  }

  @Test(arguments: [
    (#""left": 10, "right": 30"#, 10, 0, 360, 300), (#""right": "25%""#, 0, 0, 300, 300),
    (#""right": 20, "width": 100"#, 280, 0, 100, 300),
    (#""bottom": 0.1, "height": 30"#, 0, 240, 400, 30),
    (#""left": 5, "top": 6, "right": 7, "bottom": 8"#, 5, 6, 388, 286),
    (#""left": 300, "width": 200, "bottom": 400"#, 300, 0, 100, 1),
    (#""top": 50, "bottom": 260"#, 0, 50, 400, 1), (#""right": 20, "width": 500"#, 0, 0, 400, 300),
  ])
  func theEdgesOfACropAreDistancesFromTheFrame(
    _ settings: String, _ left: Int, _ top: Int, _ width: Int, _ height: Int
  ) throws {
    #expect(
      try Self.kept(settings) == Rectangle(left: left, top: top, size: Size(width, height)))
  }

  @Test(arguments: [
    #""left": 1, "right": 1, "width": 5"#, #""top": 1, "bottom": 1, "height": 5"#,
    #""right": 1, "aspect": "1:1""#,
  ])
  func contradictorySettingsOfACropAreRefused(_ settings: String) {
    let found = diagnostics(RecipeText(filters: "[{\"filter\": \"crop\", \(settings)}]"))
    #expect(found.count == 1, "\(found)")
  }
}
