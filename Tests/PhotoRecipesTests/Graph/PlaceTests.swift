import Testing

@testable import PhotoRecipes

/// Tests the position of a point of the photo after operations that change the frame.
@Suite struct PlaceTests {
  private static func place(
    _ filters: String, orientation: Orientation = .upright
  ) throws -> Homography.Point? {
    let stored = Size(400, 200)
    let shape = PhotoShape(
      stored: orientation.swapsEdges ? stored.turned : stored, orientation: orientation,
      shrinks: [1])
    let recipe = try GoldenGraphTests.recipe(
      #"{"identifier": "a.b", "version": "1.0.0", "filters": \#(filters), "outputs": [{"name": "o", "format": "jpeg"}]}"#
    )
    return recipe.graph.place(of: .init(0.25, 0.1), for: shape)
  }

  /// The arguments are filters, and the position of the point after these filters, as fractions of
  /// the frame.
  ///
  /// Before the filters, the photo has 400 × 200 pixels, and the point is (100, 20).
  @Test(
    arguments: [
      ("[]", 0.25, 0.1), (#"[{"filter": "exposure", "stops": 1}, {"filter": "blur"}]"#, 0.25, 0.1),
      (#"[{"filter": "flip"}]"#, 0.75, 0.1),
      (#"[{"filter": "flip", "direction": "vertical"}]"#, 0.25, 0.9),
      (#"[{"filter": "rotate", "angle": 90}]"#, 0.9, 0.25),
      (#"[{"filter": "rotate", "angle": -90}]"#, 0.1, 0.75),
      (#"[{"filter": "crop", "left": 50, "top": 10, "width": 200, "height": 100}]"#, 0.25, 0.1),
      (#"[{"filter": "crop", "left": 200}]"#, -0.5, 0.1),
      (#"[{"filter": "resize", "longEdge": 100}]"#, 0.25, 0.1),
      (#"[{"filter": "border", "width": 100}]"#, 200 / 600.0, 120 / 400.0),
      (
        #"[{"filter": "rotate", "angle": 180}, {"filter": "crop", "left": 0, "width": 200}]"#, 1.5,
        0.9
      ),
      (
        #"[{"filter": "perspective", "corners": [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]]}]"#, 0.5,
        0.2
      ),
    ] as [(String, Double, Double)])
  func aPointMovesWithTheFrame(_ filters: String, _ x: Double, _ y: Double) throws {
    let found = try #require(try Self.place(filters))
    #expect(abs(found.x - x) < 1e-9 && abs(found.y - y) < 1e-9, "\(found)")
  }

  @Test(arguments: Orientation.allCases) func pointsReferToTheUprightPhoto(
    _ orientation: Orientation
  ) throws {
    let found = try #require(try Self.place("[]", orientation: orientation))
    #expect(abs(found.x - 0.25) < 1e-9 && abs(found.y - 0.1) < 1e-9, "\(found)")
    let flipped = try #require(try Self.place(#"[{"filter": "flip"}]"#, orientation: orientation))
    #expect(abs(flipped.x - 0.75) < 1e-9 && abs(flipped.y - 0.1) < 1e-9, "\(flipped)")
  }

  @Test func aPointInAReplacedPictureHasNoPositionInThePhoto() {
    var graph = Graph()
    let node = graph.append(.replacement(Replacement(number: 0, size: Size(4, 3))))
    graph.addOutput("o", node)
    let shape = PhotoShape(stored: Size(400, 200), orientation: .upright, shrinks: [1])
    #expect(graph.place(of: .init(0.5, 0.5), for: shape) == nil)
  }
}
