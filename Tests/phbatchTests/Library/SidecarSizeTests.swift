import Foundation
import TestSupport
import Testing

/// Sidecars that grow: a warning above 64 KiB, an error above 1 MiB.
@Suite struct SidecarSizeTests {
  /// A library with a sidecar that contains an unknown key with this many bytes.
  private static func library(_ bytes: Int) throws -> Workplace {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    let ballast = String(repeating: "x", count: bytes)
    try place.edit("a.jpg") {
      $0.replacing(#""phbatch": "1.0""#, with: "\"phbatch\": \"1.0\", \"xNotes\": \"\(ballast)\"")
    }
    return place
  }

  private static func warnings(_ result: CommandResult) throws -> [String] {
    try result.events.flatMap { $0["warnings"] as? [String] ?? [] }
  }

  @Test func aSidecarOfUsualSizeCausesNoWarning() throws {
    let place = try Self.library(60 << 10)
    let result = try place.run("recipe", "--format", "json")
    #expect(try Self.warnings(result) == [])
    #expect(try result.reasons == ["a.jpg": "up-to-date"])
  }

  @Test func aLargeSidecarCausesAWarning() throws {
    let place = try Self.library(70 << 10)
    let nothing = try place.run("recipe", "--format", "json")
    #expect(nothing.code == 0)
    #expect(try Self.warnings(nothing).count == 1)
    #expect(try Self.warnings(nothing).first?.contains("KiB, more than 64") == true)
    // The warning is also given if the photo's result comes from the index.
    #expect(try Self.warnings(place.run("recipe", "--format", "json")).count == 1)
    #expect(try place.run().messages.contains("warning: a.jpg: the sidecar has"))
    try place.recipe(stops: 1)
    #expect(try Self.warnings(place.run("recipe", "--dry-run", "--format", "json")).count == 1)
    let rendered = try place.run("recipe", "--format", "json")
    #expect(try rendered.reasons == ["a.jpg": "rendered"])
    #expect(try Self.warnings(rendered).count == 1)
    let adjusted = try Command.run([
      "adjust", place.path("photos/a.jpg"), "--variant", "web", "--set", "exposure.stops=0.1",
      "--format", "json",
    ])
    #expect(try Self.warnings(adjusted).count == 1)
  }

  @Test func oversizedSidecarsAreNotChanged() throws {
    let place = try Self.library(1 << 20)
    let before = try place.snapshot()
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons["a.jpg"] == "oversized-sidecar")
    for command in [["status", place.library], ["verify", place.library]] {
      let result = try Command.run(command)
      #expect(result.code == 4)
      #expect(result.output.contains("oversized-sidecar"))
    }
    #expect(try place.snapshot() == before)
    #expect(try Command.run(["repair", place.library]).code == 0)
    #expect(try place.read("a.jpg.phbatch.json.damaged") == before["a.jpg.phbatch.json"]?.bytes)
  }

  /// A recipe that is too long for any sidecar causes an error of its own.
  @Test(arguments: [false, true])
  func aRecipeTooLongForAnySidecarIsAnError(_ isOfAnOutput: Bool) throws {
    let place = try Workplace()
    func list(_ mask: String) -> String {
      "{\"add\": [\(Array(repeating: mask, count: 16).joined(separator: ", "))]}"
    }
    let radial = #"{"radial": {"center": [0.123456, 0.654321], "radius": 0.25, "angle": 12.5}}"#
    let steps = #"[{"filter": "exposure", "stops": 1, "mask": \#(list(list(list(radial))))}]"#
    let lists = isOfAnOutput ? (#"[{"filter": "invert"}]"#, steps) : (steps, "[]")
    try place.folder.write(
      """
      {"identifier": "org.example.long", "version": "1.0.0", "filters":
       \(lists.0),
       "outputs": [{"name": "small", "format": "jpeg"}, {"name": "web", "format": "jpeg", "filters":
       \(lists.1)}]}
      """, to: "recipe.json")
    let line = isOfAnOutput ? 4 : 2
    for result in [try place.run(), try Command.run(["validate", place.path("recipe.json")])] {
      #expect(result.code == 65)
      #expect(result.messages.contains("recipe.json:\(line):"), "\(result.messages.prefix(500))")
      #expect(result.messages.contains("in each photo's sidecar; the limit is 1024"))
    }
    #expect(try place.names() == ["a.jpg"])
  }

  /// A photo is not rendered if its sidecar would become too large.
  @Test func aPhotoWhoseSidecarWouldBecomeTooLargeIsNotRendered() throws {
    let place = try Self.library((1 << 20) - 3000)
    let title = String(repeating: "t", count: 4000)
    try place.recipe(
      "second", variant: nil, output: #""name": "other", "format": "jpeg""#,
      more: "\"title\": \"\(title)\",")
    let before = try place.snapshot()
    let result = try place.run("second", "--format", "json")
    #expect(result.code == 4)
    #expect(try result.reasons == ["a.jpg": "oversized-sidecar"])
    #expect(try place.snapshot() == before)
    #expect(try place.leftovers() == [])
  }
}
