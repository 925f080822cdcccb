import PhotoRecipes
import Testing

/// Tests crops that are moved towards the loader.
@Suite struct CropsFirstTests {
  /// Two crops that follow each other have the plan of one crop, whatever precedes them.
  @Test(
    arguments: [
      "", #"{"filter": "vignette"},"#, #"{"filter": "rotate", "angle": 90},"#,
      #"{"filter": "flip"}, {"filter": "exposure", "mask": {"radial": {"radius": 0.2}}},"#,
      #"{"filter": "straighten", "angle": 3},"#,
    ], Orientation.allCases)
  func twoCropsEqualOne(_ steps: String, _ orientation: Orientation) throws {
    func plan(_ crops: String) throws -> String {
      "\(try GoldenGraphTests.plan("[\(steps) \(crops)]", 1200, 800, orientation: orientation))"
    }
    let first = #"{"filter": "crop", "left": 133, "top": 31, "width": 600, "height": 500}"#
    let second = #"{"id": "b", "filter": "crop", "left": 9, "top": 131, "width": 99, "height": 77}"#
    let both = #"{"filter": "crop", "left": 142, "top": 162, "width": 99, "height": 77}"#
    #expect(try plan("\(first), \(second)") == plan(both))
  }
}
