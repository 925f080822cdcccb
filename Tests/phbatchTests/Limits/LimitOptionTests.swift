import Foundation
import TestSupport
import Testing
import Vips

/// The command-line options that limit the size of photos.
@Suite struct LimitOptionTests {
  /// A library with a photo, an animation of three frames, and a progressive photo.
  private static func place() throws -> Workplace {
    let place = try Workplace(["a.jpg"])
    let colours: [UInt8] = [10, 90, 200]
    let frames = try colours.map {
      try Image(
        pixels: [UInt8](repeating: $0, count: 600), width: 20, height: 10, bands: 3, format: .uchar)
    }
    let tall = try Image.calling("arrayjoin", ["in": .images(frames), "across": .integer(1)])
      .image("out").setting([
        "page-height": .integer(10), "n-pages": .integer(3), "delay": .integers([100, 100, 100]),
      ])
    try place.folder.write(try SyntheticPhoto.bytes(tall, "gifsave_target"), to: "photos/b.gif")
    try place.folder.write(
      try SyntheticPhoto.bytes(
        SyntheticPhoto.image(width: 60, height: 40), "jpegsave_target", ["interlace": .flag(true)]),
      to: "photos/c.jpg")
    try place.recipe(more: #""inputs": {"frames": "all"},"#)
    return place
  }

  @Test(arguments: [
    ("--max-bytes", "100", ["a.jpg", "b.gif", "c.jpg"]), ("--max-frames", "2", ["b.gif"]),
    ("--max-scans", "2", ["c.jpg"]),
  ])
  func limitsOnTheCommandLineRefuseLargerPhotos(
    _ option: String, _ value: String, _ refused: [String]
  ) throws {
    let place = try Self.place()
    let usage = try place.run("recipe", option, "0")
    #expect(usage.code == 64 && usage.messages.contains(option))
    let (found, code) = try place.reasons("recipe", option, value)
    #expect(code == 3)
    #expect(found.filter { $0.value == "too-large" }.keys.sorted() == refused, "\(found)")
    #expect(try place.reasons().code == 0)
  }

  /// Other commands that read a recipe accept the same limits as a run.
  @Test func allCommandsThatReadARecipeAcceptTheLimitsOfARun() throws {
    let place = try Workplace()
    try place.folder.write(try SyntheticPhoto.png(width: 90, height: 60), to: "mask.png")
    try place.folder.write(
      """
      {
        "identifier": "org.example.masked", "version": "1.0.0",
        "filters": [ { "filter": "invert", "mask": {"image": {"file": "mask.png"}} } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    let recipe = place.path("recipe.json")
    for command in [
      ["validate", recipe], ["explain", recipe, place.path("photos/a.jpg")],
      ["status", place.library, "--recipe", recipe], ["run", recipe, place.library, "--dry-run"],
    ] {
      #expect(try Command.run(command + ["--max-pixels", "0"]).code == 64)
      let refused = try Command.run(command + ["--max-pixels", "5399"])
      #expect(refused.code == 65, "\(command)")
      #expect(refused.messages.contains("90×60 pixels, more than the limit of 5399"))
      #expect(try Command.run(command + ["--max-pixels", "5400"]).code == 0, "\(command)")
    }
  }

  /// `explain` refuses the photos that a run would refuse.
  @Test(arguments: [("--max-bytes", "100"), ("--max-pixels", "300")])
  func explainRefusesPhotosAboveTheLimits(_ option: String, _ value: String) throws {
    let place = try Self.place()
    let command = ["explain", place.path("recipe.json"), place.path("photos/a.jpg")]
    #expect(try Command.run(command).code == 0)
    let refused = try Command.run(command + [option, value])
    #expect(refused.code == 3, "\(refused.code)")
    #expect(refused.messages.contains(option), "\(refused.messages)")
  }

  /// `validate` checks a recipe with the memory limit of a run, independent of the number of
  /// workers.
  @Test func validateUsesTheMemoryLimitOfARun() throws {
    let place = try Workplace()
    try place.folder.write(
      """
      {
        "identifier": "org.example.text", "version": "1.0.0",
        "filters": [ { "filter": "text", "content": "a", "size": 1 } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """, to: "recipe.json")
    let recipe = place.path("recipe.json")
    for memory in ["40M", "100M", "160M", "220M"] {
      let valid = try Command.run(["validate", recipe, "--memory", memory])
      let run = try Command.run(["run", recipe, place.library, "--dry-run", "--memory", memory])
      #expect((valid.code == 65) == (run.code == 65), "\(memory)")
      if valid.code == 65 {
        #expect(run.messages.contains(valid.messages), "\(valid.messages)\n\(run.messages)")
      }
    }
  }

  /// A preview has the same limits as a run.
  @Test(arguments: [
    ("--max-bytes", "100", 3), ("--max-frames", "2", 1), ("--max-scans", "2", 1),
    ("--max-pixels", "300", 3),
  ])
  func previewRefusesPhotosAboveTheLimits(_ option: String, _ value: String, _ refused: Int) throws
  {
    let place = try Self.place()
    func preview(_ arguments: String...) throws -> CommandResult {
      try Command.run(
        ["preview", place.path("recipe.json"), place.library, "-o", place.path("p.html"), "--yes"]
          + arguments)
    }
    let usage = try preview(option, "0")
    #expect(usage.code == 64 && usage.messages.contains(option))
    #expect(try preview().code == 0)
    let result = try preview(option, value)
    let page = String(decoding: try place.folder.read("p.html"), as: UTF8.self)
    #expect(result.code == 3, "\(result.messages)")
    #expect(page.components(separatedBy: "fail: too-large").count - 1 == refused)
  }
}
