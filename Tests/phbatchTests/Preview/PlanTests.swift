import Foundation
import TestSupport
import Testing

/// `phbatch status --why`: the plan for a photo, and the reasons for each rendition.
@Suite struct PlanTests {
  private let place: Workplace
  private var rendition: String { place.path("photos/a.web.png") }

  init() throws { place = try Workplace() }

  private func recipe(stops: Double, outputs: String = "", version: String = "1.0.0") throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.plan", "version": "\(version)",
        "filters": [ { "filter": "exposure", "stops": \(stops) } ],
        "outputs": [ { "name": "web", "format": "png" } \(outputs) ]
      }
      """, to: "recipe.json")
  }

  /// The action, and each stale output with its reasons.
  private func plan(
    _ options: [String] = []
  ) throws -> (action: String, reasons: [String: [String]]) {
    let result = try Command.run(
      ["status", place.path("photos"), "--recipe", place.path("recipe.json"), "--why"]
        + ["--format", "json"] + options)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let plan = try #require((object as? [String: Any])?["plan"] as? [String: Any])
    let stale = try #require(plan["stale"] as? [[String: Any]])
    let reasons = try stale.map {
      (try #require($0["output"] as? String), try #require($0["reasons"] as? [String]))
    }
    return (try #require(plan["action"] as? String), Dictionary(uniqueKeysWithValues: reasons))
  }

  @Test func newPhotosAreRendered() throws {
    try recipe(stops: 0.5)
    let plan = try plan()
    #expect(plan.action == "render")
    #expect(plan.reasons == ["web": ["the recipe has not rendered it yet"]])
  }

  @Test func renderedPhotosAreUpToDate() throws {
    try recipe(stops: 0.5)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let plan = try plan()
    #expect(plan.action == "up-to-date")
    #expect(plan.reasons.isEmpty)
  }

  @Test func changedSettingsAreNamed() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try recipe(stops: 0.75, outputs: #", { "name": "small", "format": "png" }"#)
    let plan = try plan()
    #expect(plan.action == "resume")
    let changes = "exposure.stops was 0.5, is now 0.75, small was added"
    #expect(
      plan.reasons == ["web": [changes], "small": ["the recipe has not rendered it yet", changes]])
  }

  @Test func missingAndChangedFilesAreNamed() throws {
    try recipe(stops: 0.5, outputs: #", { "name": "small", "format": "png" }"#)
    _ = try place.reasons()
    try FileManager.default.removeItem(atPath: rendition)
    #expect(try plan().action == "resume")
    #expect(try plan().reasons == ["web": ["its file is missing"]])
  }

  @Test func changedOriginalsAreNamed() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try place.addPhoto("a.jpg", width: 50)
    #expect(try plan().reasons == ["web": ["the content of the original changed"]])
  }

  /// The text and the JSON objects contain the same information.
  @Test func linesOfTextSayIt() throws {
    try recipe(stops: 0.5)
    let result = try Command.run(
      ["status", place.path("photos"), "--recipe", place.path("recipe.json"), "--why"])
    #expect(
      result.output.contains("    plan: render\n      web: the recipe has not rendered it yet"))
  }

  @Test func whyNeedsARecipe() throws {
    let result = try Command.run(["status", place.path("photos"), "--why"])
    #expect(result.code == 64)
    #expect(result.messages.contains("--why works only with --recipe"))
  }

  /// A dry run and `status` change nothing.
  @Test func plansWriteNothing() throws {
    try recipe(stops: 0.5)
    let before = try place.snapshot()
    _ = try plan()
    _ = try place.run("recipe", "--dry-run")
    #expect(try place.snapshot() == before)
  }

  /// The order of a list does not depend on which photo is planned first.
  @Test func dryRunsListPhotosInOrder() throws {
    let names = (10..<34).map { "\($0).jpg" }
    let place = try Workplace(names.shuffled())
    try place.recipe()
    let lines = try place.run("recipe", "--dry-run", "--jobs", "4").lines
    #expect(lines == names.map { "\($0): due" } + ["24 due"])
    let events = try place.run("recipe", "--dry-run", "--jobs", "4", "--format", "json").events
    let done = events.filter { $0["event"] as? String == "asset-done" }
    #expect(done.map { $0["file"] as? String } == names)
    #expect(done.allSatisfy { $0["reason"] as? String == "due" && $0["due"] as? Bool == true })
  }
}
