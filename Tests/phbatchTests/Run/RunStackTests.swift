import Foundation
import TestSupport
import Testing

/// Runs whose edits start from other edits of the same photo.
@Suite struct RunStackTests {
  /// A separate output root has a main stack of its own, if the library has none.
  @Test(arguments: [false, true]) func aVariantIsRenderedAgainWhenItsBaseEditChanges(
    _ isMirror: Bool
  ) throws {
    let place = try Workplace()
    func reasons(_ recipe: String) throws -> [String: String] {
      let mirror = place.path("mirror")
      return try isMirror
        ? place.reasons(recipe, "--output", mirror).reasons : place.reasons(recipe).reasons
    }
    func rendition(_ name: String) throws -> [UInt8] {
      try place.folder.read("\(isMirror ? "mirror" : "photos")/\(name)")
    }
    try place.recipe("export", variant: "web", from: "current", stops: 0.1)
    try place.recipe("edit", variant: nil, stops: 1, output: #""name": "full", "format": "png""#)
    #expect(try reasons("export") == ["a.jpg": "rendered"])
    let plain = try rendition("a.web.jpg")
    #expect(try reasons("edit") == ["a.jpg": "rendered"])
    #expect(try reasons("export") == ["a.jpg": "rendered"])
    let edited = try rendition("a.web.jpg")
    #expect(edited != plain)
    #expect(try reasons("export") == ["a.jpg": "up-to-date"])
    try place.recipe("edit", variant: nil, stops: -1, output: #""name": "full", "format": "png""#)
    #expect(try reasons("edit") == ["a.jpg": "rendered"])
    #expect(try reasons("export") == ["a.jpg": "rendered"])
    #expect(try rendition("a.web.jpg") != edited)
    #expect(try reasons("export") == ["a.jpg": "up-to-date"])
  }

  /// The second edit of a variant starts from the first one, also in a separate output root.
  @Test(arguments: [false, true]) func editsOfAVariantStack(_ isMirror: Bool) throws {
    let place = try Workplace()
    try place.recipe("one", variant: "v", stops: 1, output: #""name": "one", "format": "png""#)
    try place.recipe(
      "two", variant: "v", from: "current", stops: 1, output: #""name": "two", "format": "png""#)
    for recipe in ["one", "two"] {
      let more = isMirror ? ["--output", place.path("mirror")] : []
      let run = ["run", place.path("\(recipe).json"), place.library]
      let result = try Command.run(run + more)
      #expect(result.code == 0, "\(result.messages)")
    }
    try place.recipe("both", variant: "w", stops: 2, output: #""name": "both", "format": "png""#)
    #expect(try place.run("both").code == 0)
    let folder = isMirror ? "mirror" : "photos"
    let two = try place.folder.read("\(folder)/a.two.png")
    let difference = try Samples(file: two).difference(
      from: Samples(file: place.read("a.both.png")))
    #expect(difference <= 8)
    let one = try Samples(file: place.folder.read("\(folder)/a.one.png"))
    #expect(try Samples(file: two).difference(from: one) > 20)
  }

  @Test func aSecondRecipeStacksOnTheFirstAndIsRenderedAgainWithIt() throws {
    let place = try Workplace()
    try place.recipe("first", variant: nil, output: #""name": "first", "format": "png""#)
    try place.recipe("second", variant: nil, output: #""name": "second", "format": "png""#)
    #expect(try place.reasons("first").reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons("second").reasons == ["a.jpg": "rendered"])
    #expect(try place.reasons("first").reasons == ["a.jpg": "up-to-date"])
    #expect(try place.reasons("second").reasons == ["a.jpg": "up-to-date"])
    try place.recipe("first", variant: nil, stops: 2, output: #""name": "first", "format": "png""#)
    let before = try place.read("a.second.png")
    #expect(try place.reasons("first").reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.second.png") != before)
    #expect(try place.reasons("second").reasons == ["a.jpg": "up-to-date"])
    #expect(try place.reasons("first").reasons == ["a.jpg": "up-to-date"])
    try place.recipe("first", variant: nil, stops: 1, output: #""name": "first", "format": "png""#)
    let refused = try place.run("first", "--previous", "replace")
    #expect(refused.code == 4)
    #expect(refused.messages.contains("--yes"))
    #expect(try place.names().contains("a.second.png"))
    let replaced = try place.reasons("first", "--previous", "replace", "--yes")
    #expect(replaced.reasons == ["a.jpg": "rendered"])
    #expect(try place.names() == ["a.first.png", "a.jpg", "a.jpg.phbatch.json"])
  }

  /// A run refuses to start from an image of the main stack that is missing or not the recorded
  /// one, and a dry run says so too.
  @Test(arguments: [
    ("changed", "modified (the edit starts from 'a.full.png', which was changed by hand)"),
    ("missing", "base-missing (the edit starts from 'a.full.png', which is missing)"),
    (
      "older",
      "base-missing (the edit starts from 'a.full.png', which is not the recorded rendition)"
    ),
  ])
  func aDryRunChecksTheImageFromWhichAVariantStarts(_ state: String, _ words: String) throws {
    let place = try Workplace()
    let output = #""name": "full", "format": "png""#
    try place.recipe("edit", variant: nil, output: output)
    #expect(try place.run("edit").code == 0)
    let older = try place.read("a.full.png")
    try place.recipe("edit", variant: nil, stops: 1, output: output)
    #expect(try place.run("edit").code == 0)
    let image = "photos/a.full.png"
    switch state {
    case "changed": try place.folder.write(SyntheticPhoto.png(width: 31, height: 17), to: image)
    case "missing": try FileManager.default.removeItem(atPath: place.path(image))
    default: try place.folder.write(older, to: image)
    }
    try place.recipe("export", from: "current")
    let before = try place.snapshot()
    for option in ["--check", "--atomic"] {
      let result = try place.run("export", option)
      #expect(result.code == 4)
      #expect(result.messages.contains("a.jpg: \(words)"), "\(result.messages)")
      #expect(try place.snapshot() == before)
    }
  }

  /// An edit that is rendered again because its rendition is missing keeps its paths.
  @Test func aDryRunFindsThatAnEditBelowHasThePathOfTheNewEdit() throws {
    let place = try Workplace()
    try place.recipe(variant: nil)
    #expect(try place.run().code == 0)
    try FileManager.default.removeItem(atPath: place.path("photos/a.web.jpg"))
    try place.recipe(variant: nil, stops: 1)
    for option in ["--dry-run", "--atomic"] {
      let result = try place.run("recipe", "--previous", "stack", option)
      #expect(result.code == 3)
      #expect(
        result.messages.contains(
          "a.jpg: collision ('a.web.jpg' belongs to the edit by org.example.recipe 1.0.0)"),
        "\(result.messages)")
      #expect(try place.names() == ["a.jpg", "a.jpg.phbatch.json"])
    }
  }

  /// An edit that `adjust` recorded and that a run renders for the first time needs its paths, too.
  @Test func aDryRunFindsThatTwoAdjustedEditsHaveOnePath() throws {
    let place = try Workplace()
    for name in ["first", "second"] {
      let adjusted = try Command.run([
        "adjust", place.path("photos/a.jpg"), "--library", place.library, "--recipe",
        place.recipe(name, variant: nil), "--set", "exposure.stops=1",
      ])
      #expect(adjusted.code == 0)
    }
    for option in ["--dry-run", "--atomic"] {
      let result = try place.run("first", option)
      #expect(result.code == 3)
      #expect(
        result.messages.contains("'a.web.jpg' belongs to the edit by org.example.second 1.0.0"),
        "\(result.messages)")
    }
  }
}
