import TestSupport
import Testing
import Vips

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

  /// Nothing in a rendition depends on the photo's resolution, so an unknown unit of it in EXIF is not
  /// a warning.
  @Test func anUnknownUnitOfTheResolutionIsNoWarning() throws {
    let place = try Workplace()
    try place.recipe()
    var photo = try Samples.waves(60, 40, maximum: 255).file(
      "jpegsave_target", fields: ["exif-ifd0-Artist": .text("Ada")])
    let inches: [UInt8] = [0x28, 1, 3, 0, 1, 0, 0, 0, 2, 0]
    let entry = try #require(photo.firstRange(of: inches))
    photo[entry.lowerBound + 8] = 0
    try place.folder.write(photo, to: "photos/a.jpg")
    let result = try place.run("recipe", "--strict")
    #expect(result.code == 0)
    #expect(!(result.output + result.messages).contains("resolution"), "\(result)")
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
