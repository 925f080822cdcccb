import Notation
import PhotoRecipes
import Testing

/// Compares the optimised graphs of recipes with their expected text; each test shows the effect of
/// one optimiser pass.
@Suite struct GoldenGraphTests {
  /// The graph of a recipe with one output, planned for a JPEG photo.
  static func plan(
    _ filters: String, _ width: Int = 4000, _ height: Int = 3000,
    orientation: Orientation = .upright, shrinks: [Int] = [1, 2, 4, 8],
    rendering: RenderingMode = .balanced
  ) throws -> Graph {
    let shape = PhotoShape(stored: Size(width, height), orientation: orientation, shrinks: shrinks)
    return try recipe(
      #"{"identifier": "a.b", "version": "1.0.0", "highlights": {"rolloff": "hard"}, "filters": \#(filters), "outputs": [{"name": "o", "format": "jpeg"}]}"#
    ).graph.planned(for: shape, rendering)
  }

  static func recipe(_ text: String) throws -> Recipe {
    let document = try RecipeDocument(SourceText(name: "test", text: text)) {
      _ throws(Problem) in throw .missingKey("file", in: "the test")
    }
    return try document.recipe().recipe
  }

  @Test func neighbouringPointFiltersAreOneProgram() throws {
    let graph = try Self.plan(
      #"[{"filter": "exposure", "stops": 1}, {"filter": "sepia", "opacity": 0.5}, {"filter": "invert"}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = point %0  decode · ×2 · encode; save; matrix [0.393 0.769 0.189 | 0.349 0.686 0.168 | 0.272 0.534 0.131]; mix 0.5; ×-1 +1
        o ← %1
        """)
  }

  @Test func identityFiltersAddNoNodes() throws {
    let graph = try Self.plan(
      #"[{"filter": "exposure"}, {"filter": "hue"}, {"filter": "blur"}, {"filter": "crop"}, {"filter": "sepia", "opacity": 0}, {"filter": "invert", "enabled": false}, {"filter": "resize", "longEdge": 9000}, {"filter": "rotate"}, {"filter": "flip"}, {"filter": "flip", "id": "back"}, {"filter": "pad", "aspect": "4:3"}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = flip %0  horizontal
        %2 = flip %1  horizontal
        o ← %2
        """)
  }

  @Test func cropsAreMovedBeforeRotationsAndVignettes() throws {
    let graph = try Self.plan(
      #"[{"filter": "vignette", "intensity": -1}, {"filter": "rotate", "angle": 90}, {"filter": "crop", "left": 0, "top": 0, "width": 1500, "height": 1000}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = crop %0  1000×1500+0+1500
        %2 = point %1  decode; radial ×(1 + -1) from 0.15 to 0.85 at 0,0.5 0.25,0 0,0.5; encode
        %3 = turn %2  90°
        o ← %3
        """)
  }

  @Test func neighbouringCropsAreMerged() throws {
    let graph = try Self.plan(
      #"[{"filter": "crop", "left": 100, "top": 200, "width": 3000, "height": 2000}, {"filter": "exposure", "stops": 1}, {"filter": "resize", "width": 500, "height": 500, "fit": "cover"}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original  shrink 2
        %1 = crop %0  1000×1000+300+100
        %2 = resize %1  to 500×500 lanczos3
        %3 = point %2  decode · ×2 · encode
        o ← %3
        """)
  }

  @Test func reductionsAreMovedToTheFrontExceptInExactRendering() throws {
    let filters =
      #"[{"filter": "exposure", "stops": 1}, {"filter": "rotate", "angle": 270}, {"filter": "resize", "width": 600}]"#
    #expect(
      try "\(Self.plan(filters))" == """
        %0 = original  shrink 4
        %1 = resize %0  to 800×600 lanczos3
        %2 = point %1  decode · ×2 · encode
        %3 = turn %2  270°
        o ← %3
        """)
    #expect(
      try "\(Self.plan(filters, rendering: .exact))" == """
        %0 = original
        %1 = point %0  decode · ×2 · encode
        %2 = turn %1  270°
        %3 = resize %2  to 600×800 lanczos3
        o ← %3
        """)
  }

  @Test(arguments: [
    (4000, 1), (3999, 1), (1601, 1), (1600, 2), (801, 2), (800, 4), (401, 4), (400, 8), (20, 8),
  ])
  func theLoadersReductionLeavesAQuarterMoreThanNeeded(_ edge: Int, _ shrink: Int) throws {
    let graph = try Self.plan(#"[{"filter": "resize", "longEdge": \#(edge)}]"#)
    #expect(graph.nodes[0].operation == .original(shrink: shrink))
  }

  @Test(arguments: [
    #"[{"filter": "resize", "longEdge": 100, "linear": true}]"#,
    #"[{"filter": "blur", "radius": 3}, {"filter": "resize", "longEdge": 100}]"#,
    #"[{"filter": "pad", "aspect": "1:1"}, {"filter": "resize", "longEdge": 100}]"#,
    #"[{"filter": "resize", "longEdge": 9000, "enlarge": true}]"#,
  ])
  func filtersThatNeedAllPixelsDisableShrinkOnLoad(_ filters: String) throws {
    #expect(try Self.plan(filters).nodes[0].operation == .original(shrink: 1))
  }

  @Test func nodesThatOutputsShareAreMaterialized() throws {
    let recipe = try Self.recipe(
      """
      {"identifier": "a.b", "version": "1.0.0", "highlights": {"rolloff": "hard"}, "filters": [{"filter": "exposure", "stops": 1}],
       "outputs": [
        {"name": "full", "format": "jpeg"},
        {"name": "web", "format": "jpeg", "filters": [{"filter": "resize", "width": 1000}]},
        {"name": "same", "format": "webp", "filters": [{"filter": "resize", "width": 1000}]}]}
      """)
    let shape = PhotoShape(stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2])
    let graph = recipe.graph.planned(for: shape, .balanced)
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = point %0  decode · ×2 · encode
        %2 = resize %1  to 1000×750 lanczos3
        full ← %1
        web ← %2
        same ← %2
        """)
    #expect(graph.heldNodes == [1, 2])
  }

  /// The shoulder, which compresses light above white, is part of the first program, so outputs
  /// that differ only in size share its result.
  @Test func aShoulderFollowsStepsAboveWhite() throws {
    let recipe = try Self.recipe(
      """
      {"identifier": "a.b", "version": "1.0.0",
       "filters": [{"filter": "exposure", "stops": 1}],
       "outputs": [
        {"name": "full", "format": "jpeg"},
        {"name": "web", "format": "jpeg", "filters": [{"filter": "resize", "width": 1000}]}]}
      """)
    let shape = PhotoShape(stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2])
    #expect(
      "\(recipe.graph.planned(for: shape, .balanced))" == """
        %0 = original
        %1 = point %0  decode · ×2 · encode; roll off from 0.5, bend 1.3333
        %2 = resize %1  to 1000×750 lanczos3
        full ← %1
        web ← %2
        """)
  }

  @Test(
    arguments: zip(
      Orientation.allCases,
      [
        "", "flip horizontal", "turn 180°", "flip horizontal, turn 180°",
        "flip horizontal, turn 270°", "turn 90°", "flip horizontal, turn 90°", "turn 270°",
      ]))
  func orientationTagsBecomeRotationsAndFlips(_ orientation: Orientation, _ wanted: String) throws {
    let graph = try Self.plan("[]", 300, 200, orientation: orientation)
    let steps = graph.nodes.dropFirst().map { "\($0.operation.name) \($0.operation.details)" }
    #expect(steps.joined(separator: ", ") == wanted)
    let shape = PhotoShape(stored: Size(300, 200), orientation: orientation, shrinks: [1])
    #expect(
      graph.sizes(for: shape).last == (orientation.swapsEdges ? Size(200, 300) : Size(300, 200)))
  }

  @Test(arguments: [
    (#""width": 100, "height": 100"#, Size(100, 75)),
    (#""width": 100, "height": 100, "fit": "outside""#, Size(133, 100)),
    (#""width": 100, "height": 100, "fit": "cover""#, Size(100, 100)),
    (#""width": 100, "height": 300, "fit": "exact""#, Size(100, 300)),
    (#""width": 9000, "height": 300, "fit": "exact""#, Size(4000, 300)),
    (#""width": 9000"#, Size(4000, 3000)), (#""width": 8000, "enlarge": true"#, Size(8000, 6000)),
    (#""width": 9000, "height": 9000, "fit": "cover""#, Size(3000, 3000)),
    (#""shortEdge": 300"#, Size(400, 300)), (#""megapixels": 3"#, Size(2000, 1500)),
    (#""percent": 12.5"#, Size(500, 375)), (#""longEdge": "2in", "dpi": 100"#, Size(200, 150)),
    (#""width": "25%""#, Size(1000, 750)),
  ])
  func plannedSizesFollowTheSettingsOfResize(_ settings: String, _ wanted: Size) throws {
    let shape = PhotoShape(stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2, 4, 8])
    for rendering in [RenderingMode.balanced, .exact] {
      let graph = try Self.plan(#"[{"filter": "resize", \#(settings)}]"#, rendering: rendering)
      #expect(graph.sizes(for: shape).last == wanted)
    }
  }

  @Test(arguments: [Size(1, 30_000), Size(30_000, 1), Size(1, 1), Size(2, 7)])
  func aTinyPhotoKeepsAtLeastOnePixel(_ size: Size) throws {
    let graph = try Self.plan(
      #"[{"filter": "resize", "longEdge": 10}, {"filter": "crop", "aspect": "16:9"}, {"filter": "rotate", "angle": 90}]"#,
      size.width, size.height)
    let shape = PhotoShape(stored: size, orientation: .upright, shrinks: [1, 2, 4, 8])
    #expect(graph.sizes(for: shape).allSatisfy { $0.width >= 1 && $0.height >= 1 })
  }
}
