import Notation
import Testing

@testable import PhotoRecipes

/// Tests that each invalid curve is reported with its position, before rendering.
@Suite struct CurvesTests {
  @Test(
    arguments: ["rgb", "red", "green", "blue"],
    [
      ("[]", "the curve has no point"), ("[[0.5, 0.5]]", "the curve has only one point"),
      (
        "[[0, 0], [0.6, 0.5], [0.4, 0.8], [1, 1]]",
        "point 3 of the curve, [0.4,0.8], has a smaller x"
      ),
      ("[[1, 1], [0, 0]]", "point 2 of the curve, [0,0], has a smaller x"),
      (
        "[[0, 0], [0.5, 0.4], [0.5, 0.6], [1, 1]]",
        "point 3 of the curve, [0.5,0.6], has the same x"
      ),
      ("[[0, 0], [0, 0]]", "point 2 of the curve, [0,0], has the same x"),
      ("[[0, 0], [2.1, 1]]", "[2.1,1] is out of range"), ("[[0, -0.1], [1, 1]]", "out of range"),
      ("[[0, 0], [1]]", "found an array"), ("[[0, 0], [1, \"1\"]]", "found an array"),
      ("[0, 1]", "found 0, expected points"), ("\"linear\"", "expected points"),
    ])
  func everyMistakeInACurveIsReported(_ channel: String, _ mistake: (String, String)) throws {
    let filters = "[{\"filter\": \"curves\", \"\(channel)\": \(mistake.0)}]"
    let found = diagnostics(RecipeText(filters: filters))
    #expect(found.count == 1, "\(found)")
    let first = try #require(found.first)
    #expect(first.description.contains(mistake.1), "\(first)")
    #expect(first.path.description.hasPrefix("$.filters[0].\(channel)"))
  }

  /// Points of the curves for R, G and B may be above white; points of the lightness curve may not.
  @Test func channelCurvesMayHavePointsAboveWhite() throws {
    let points = "[[0, 0], [1, 0.8], [2, 1.4]]"
    let recipe = try RecipeText(filters: #"[{"filter": "curves", "rgb": \#(points)}]"#).recipe()
    let filter = try #require(recipe.steps.first?.filter as? Curves)
    let spline = MonotoneSpline(filter.rgb.points)
    #expect(spline(1) == 0.8 && spline(2) == 1.4 && spline(3) > 1.8)
    let found = diagnostics(
      RecipeText(filters: #"[{"filter": "curves", "lightness": \#(points)}]"#))
    #expect(found.first?.description.contains("[2,1.4] is out of range") == true)
  }

  @Test func twoPointsAtAnyPositionAreAValidCurve() throws {
    let recipe = try RecipeText(
      filters: #"[{"filter": "curves", "red": [[0.3, 0.9], [0.31, 0.1]]}]"#
    ).recipe()
    let filter = try #require(recipe.steps.first?.filter as? Curves)
    #expect(filter.red.points.map(\.x) == [0.3, 0.31])
  }
}
