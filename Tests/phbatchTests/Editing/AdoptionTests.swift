import TestSupport
import Testing

/// With `--on-modified adopt`, a rendition that was changed by hand is adopted as an edit only if
/// it is an image that can be decoded.
@Suite struct AdoptionTests {
  private static let cut = "a photo that ends early"

  @Test(arguments: ["", "no image at all", cut])
  func aChangedRenditionThatDoesNotDecodeIsNotAdopted(_ content: String) throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    _ = try place.run()
    let photo = try SyntheticPhoto.jpeg(width: 600, height: 400)
    let bytes = content == Self.cut ? Array(photo.prefix(photo.count / 2)) : Array(content.utf8)
    try place.folder.write(bytes, to: "photos/a.web.jpg")
    let before = try place.snapshot()
    for option in ["--atomic", "--dry-run"] {
      let result = try place.run("recipe", "--on-modified", "adopt", option)
      #expect(result.code == 4)
      #expect(result.messages.contains("a.jpg: modified ('a.web.jpg' cannot be adopted: "))
      #expect(result.messages.contains("--on-modified overwrite"))
      #expect(try place.snapshot() == before)
    }
    #expect(
      try place.reasons("recipe", "--on-modified", "overwrite").reasons == ["a.jpg": "rendered"])
  }

  @Test func aChangedRenditionThatIsAnImageIsAdopted() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.folder.write(
      try SyntheticPhoto.jpeg(width: 31, height: 17), to: "photos/a.web.jpg")
    #expect(try place.run("recipe", "--on-modified", "adopt").code == 0)
    #expect(try place.run().output == "1 up-to-date\n")
  }

  /// A dry run that would only adopt a rendition reports what the run then reports.
  @Test(arguments: [(0.5, "up-to-date", Int32(0)), (1.0, "buried", Int32(4))])
  func aDryRunOfAnAdoptionReportsWhatTheRunReports(
    _ stops: Double, _ reason: String, _ code: Int32
  ) throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.folder.write(
      try SyntheticPhoto.jpeg(width: 31, height: 17), to: "photos/a.web.jpg")
    try place.recipe(stops: stops)
    let before = try place.snapshot()
    let planned = try place.run("recipe", "--on-modified", "adopt", "--check")
    #expect(planned.output == "1 \(reason)\n")
    #expect(try place.snapshot() == before)
    let run = try place.run("recipe", "--on-modified", "adopt")
    #expect(try place.sidecar("a.jpg").contains("adopted"))
    // The edit that starts from the rendition is the user's, and not that of another program.
    let isBuried = run.messages.contains("an edit made outside phbatch starts from it")
    #expect(isBuried == (reason == "buried"))
    for result in [planned, run] {
      #expect(result.code == code)
      #expect(result.output == planned.output)
      #expect(
        result.messages.contains(
          "a.jpg: renditions that were changed by hand become separate edits"))
    }
  }
}
