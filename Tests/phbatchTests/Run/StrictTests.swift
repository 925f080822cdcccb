import TestSupport
import Testing

/// `--strict`: warnings about a photo's renditions are errors.
@Suite struct StrictTests {
  /// A library whose recipe draws a character that no font has.
  private func place() throws -> Workplace {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.folder.write(
      """
      { "identifier": "org.example.strict", "version": "1.0.0",
        "filters": [ { "filter": "text", "content": "{stem} \u{10FFFD}" } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ] }
      """, to: "recipe.json")
    return place
  }

  @Test func aWarningFailsThePhotoInAStrictRun() throws {
    let place = try place()
    for _ in 1...2 {
      let result = try place.run("recipe", "--strict")
      #expect(result.code == 3)
      #expect(result.messages.contains("no installed font has: U+10FFFD"), "\(result.messages)")
      #expect(result.messages.contains("run without --strict"))
      #expect(try place.names() == ["a.jpg", "b.jpg"])
    }
    #expect(try place.leftovers() == [])
    #expect(try place.run().code == 0)
    #expect(try place.names().contains("a.web.jpg"))
  }

  /// An edit on top of a small image is a warning of the plan, before anything is rendered.
  @Test func aWarningOfThePlanFailsThePhotoInAStrictRun() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      "small", variant: nil,
      output: #""name": "s", "format": "jpeg", "current": true,"#
        + #" "filters": [{"filter": "resize", "longEdge": 20}]"#)
    try place.recipe(
      "next", variant: nil, output: #""name": "n", "format": "jpeg", "current": true"#)
    #expect(try place.run("small").code == 0)
    let names = try place.names()
    let result = try place.run("next", "--strict")
    #expect(result.code == 3 && result.messages.contains("an image of only"), "\(result.messages)")
    #expect(try place.names() == names)
    #expect(try place.run("next").code == 0)
  }

  @Test func photosWithoutWarningsAreRenderedInAStrictRun() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    #expect(try place.run("recipe", "--strict").code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }
}
