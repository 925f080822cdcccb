import PhotoRecipes
import Testing

/// Tests the graph that edits the frames of a photo's film (that of a motion photo or Live Photo).
@Suite struct FramesTests {
  private static func recipe(_ filters: String, _ outputs: String? = nil) throws -> Recipe {
    try GoldenGraphTests.recipe(
      #"""
      {"identifier": "a.b", "version": "1.0.0", "filters": \#(filters),
       "outputs": [\#(outputs ?? #"{"name": "out", "format": "jpeg"}"#)]}
      """#)
  }

  private static func frames(
    _ filters: String, photo: Size = Size(4000, 3000), _ orientation: Orientation = .upright,
    film: Size = Size(2000, 1500), _ filmOrientation: Orientation = .upright
  ) throws -> String {
    let photo = PhotoShape(stored: photo, orientation: orientation, shrinks: [1, 2, 4, 8])
    let film = PhotoShape(stored: film, orientation: filmOrientation, shrinks: [1])
    let graph = try recipe(filters).graph.editingFrames("out", of: photo, in: film)
    return "\(try #require(graph))"
  }

  @Test func lengthsInPixelsAreScaledToTheSizeOfTheFilm() throws {
    let filters = """
      [{"filter": "crop", "left": 1000, "top": 500, "width": 2000, "height": 1000},
       {"filter": "blur", "radius": 8}]
      """
    #expect(
      try Self.frames(filters) == """
        %0 = original
        %1 = orient %0
        %2 = crop %1  1000×500+500+250
        %3 = blur %2  sigma 4
        out ← %3
        """)
  }

  /// The film keeps its own orientation; positions in steps refer to the upright photo.
  @Test func theOrientationOfTheFilmMayDifferFromThePhotos() throws {
    let filters = #"[{"filter": "crop", "top": 0, "height": "25%"}]"#
    #expect(
      try Self.frames(
        filters, photo: Size(3000, 4000), film: Size(2000, 1500), Orientation(rawValue: 6)!)
          == """
          %0 = original
          %1 = orient %0
          %2 = crop %1  1500×500+0+0
          out ← %2
          """)
  }

  /// A film that is wider than the photo is cropped to the photo's aspect ratio before all steps.
  @Test func aFilmOfAnotherAspectRatioIsCropped() throws {
    #expect(
      try Self.frames("[]", film: Size(1920, 1080)) == """
        %0 = original
        %1 = orient %0
        %2 = crop %1  1440×1080+240+0
        out ← %2
        """)
  }

  @Test func outputSizesAreReducedInProportionToTheFilm() throws {
    #expect(
      try Self.frames(#"[{"filter": "resize", "longEdge": 1000}]"#).contains("to 500×375"))
  }

  @Test func masksThatNeedAuxiliaryPicturesAreRefused() throws {
    let filters = #"[{"filter": "exposure", "stops": 1, "mask": {"matte": {"of": "portrait"}}}]"#
    #expect(throws: FrameObstacle.auxiliary(.portrait)) { try Self.frames(filters) }
  }

  /// The edited film is kept with the rendition that is the current one.
  @Test func byDefaultTheCurrentFullSizeRenditionKeepsTheFilm() throws {
    let all = #""metadata": "all""#
    for (output, keeps) in [
      (#""format": "jpeg", \#(all)"#, true), (#""format": "heic", \#(all)"#, true),
      (#""format": "jpeg", "metadata": "archive""#, true), (#""format": "jpeg""#, false),
      (#""format": "jpeg", "live": "keep""#, true),
      (#""format": "jpeg", \#(all), "live": "still""#, false),
      (#""format": "png", \#(all)"#, false),
      (#""format": "jpeg", \#(all), "maxBytes": 90000"#, false),
      (#""format": "jpeg", \#(all), "filters": [{"filter": "resize", "width": 900}]"#, false),
    ] {
      let recipe = try Self.recipe("[]", #"{"name": "out", \#(output)}"#)
      #expect(recipe.keepsFilm(recipe.outputs[0]) == keeps, "\(output)")
    }
    let two = try Self.recipe(
      "[]",
      #"{"name": "a", "format": "jpeg", \#(all)}, {"name": "b", "format": "jpeg", \#(all), "#
        + #""current": true}"#)
    #expect(two.outputs.map(two.keepsFilm) == [false, true])
  }

  @Test func aFormatThatCannotStoreAFilmIsRefused() throws {
    #expect(throws: (any Error).self) {
      try Self.recipe("[]", #"{"name": "out", "format": "webp", "live": "keep"}"#)
    }
  }
}
