import PhotoBatch
import SystemPackage
import Testing

@testable import PhotoStudio

@Suite struct RecipeDifferenceTests {
  private func differences(_ onDisk: String, _ mine: String) -> [String] {
    RecipeDifference.all(onDisk: Array(onDisk.utf8), mine: Array(mine.utf8))
      .map { "\($0.name): \($0.onDisk ?? "none"), \($0.mine ?? "none")" }
  }

  @Test func settingsThatDifferAreNamedByTheirSteps() {
    let found = differences(
      """
      {"version": "1.0.1", "filters": [
         {"filter": "exposure", "stops": 1.25, "mask": {"radial": {"feather": 0.50}}},
         {"id": "soft", "filter": "clarity"}],
       "outputs": [{"name": "web", "quality": 80, "filters": [{"filter": "sharpen"}]}]}
      """,
      """
      {"version": "1.0.1", "filters": [
         {"filter": "exposure", "stops": 0.5, "mask": {"radial": {"feather": 0.5, "radius": 1}}},
         {"id": "soft", "filter": "clarity", "amount": 0.2}],
       "outputs": [{"name": "web", "filters": [{"filter": "sharpen", "amount": 2}]}]}
      """)
    #expect(
      found == [
        "exposure.stops: 1.25, 0.5", "exposure.mask.radial.radius: none, 1",
        "soft.amount: none, 0.2", "outputs.web.filters.sharpen.amount: none, 2",
        "outputs.web.quality: 80, none",
      ])
  }

  @Test func movedAndRemovedStepsAreDifferences() {
    let both = #"{"filters": [{"filter": "hue"}, {"filter": "sepia"}]}"#
    let moved = #"{"filters": [{"filter": "sepia"}, {"filter": "hue"}]}"#
    #expect(differences(both, moved) == [#"filters: ["hue", "sepia"], ["sepia", "hue"]"#])
    #expect(
      differences(both, #"{"filters": [{"filter": "hue"}]}"#) == [
        #"filters: ["hue", "sepia"], ["hue"]"#, #"sepia.filter: "sepia", none"#,
      ])
  }

  @Test func onlyOneHasAMeaningInItsSpelling() {
    let recipe = #"{"filters": [{"filter": "crop", "left": 0.50, "width": 1.0}]}"#
    let other = #"{"filters": [{"filter": "crop", "left": 5e-1, "width": 1}]}"#
    #expect(differences(recipe, other) == ["crop.width: 1.0, 1"])
  }

  @Test func aDamagedFileHasNoDifferences() {
    #expect(differences("{", "{}") == [])
  }

  @Test func thePageGetsTheDifferencesOfAConflict() {
    let refusal = Refusal(
      changed: "web.json", onDisk: Array(#"{"title": "a"}"#.utf8),
      mine: RecipeText(Array(#"{"title": "b"}"#.utf8)))
    let answer = String(decoding: HTTPResponse(refusal).body, as: UTF8.self)
    #expect(answer.contains(#""differences":[{"mine":"\"b\"","name":"title","onDisk":"\"a\""}]"#))
  }
}
