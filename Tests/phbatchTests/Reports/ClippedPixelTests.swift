import Foundation
import TestSupport
import Testing

/// The share of clipped pixels in events and reports.
@Suite struct ClippedPixelTests {
  private static let size = (width: 60, height: 40)

  private static let output =
    #""name": "web", "format": "png", "highlights": {"rolloff": "hard"}"#

  /// A library with a photo of `SyntheticPhoto`, a recipe that doubles its light, and a recipe that
  /// does not change it.
  private func place() throws -> Workplace {
    let place = try Workplace([])
    try place.addPhoto("a.png", width: Self.size.width, height: Self.size.height)
    try place.recipe(stops: 1, output: Self.output)
    try place.recipe("plain", variant: "plain", stops: 0)
    return place
  }

  /// The share of the photo's pixels with a channel above half of the maximum light; these pixels
  /// are clipped when the light is doubled.
  private static var share: Double {
    func light(_ level: Double) -> Double { pow((level / 255 + 0.055) / 1.055, 2.4) }
    var clipped = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isEdge = (x / (size.width / 7) + y / (size.height / 5)).isMultiple(of: 2)
        let colour = [255 * x / (size.width - 1), 255 * y / (size.height - 1), isEdge ? 200 : 40]
        if colour.contains(where: { 2 * light(Double($0)) > light(255.5) }) { clipped += 1 }
      }
    }
    return (Double(clipped) / Double(size.width * size.height) * 10_000).rounded() / 10_000
  }

  private func renditions(_ photos: [[String: Any]]) -> [[String: Any]] {
    photos.flatMap { $0["renditions"] as? [[String: Any]] ?? [] }
  }

  private func events(_ result: CommandResult) throws -> [[String: Any]] {
    renditions(try result.events.filter { $0["event"] as? String == "asset-done" })
  }

  private func text(_ place: Workplace, _ name: String) throws -> String {
    String(decoding: try place.folder.read(name), as: UTF8.self)
  }

  @Test func eventsAndReportsContainTheShareOfClippedPixels() throws {
    let wanted = Self.share
    #expect((0.3...0.95).contains(wanted))
    let place = try place()
    #expect(try events(place.run("recipe", "--format", "json", "--dry-run")).isEmpty)
    let names = ["r.json", "r.html", "r.md"]
    let options = names.flatMap { ["--report", place.path($0)] }
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library, "--format", "json"] + options)
    #expect(try events(result).map { $0["clipped"] as? Double } == [wanted])
    let json = try JSONSerialization.jsonObject(with: Data(try place.folder.read("r.json")))
    let photos = try #require((json as? [String: Any])?["photos"] as? [[String: Any]])
    #expect(renditions(photos).map { $0["clipped"] as? Double } == [wanted])
    let tenths = Int((wanted * 1000).rounded())
    let percent =
      tenths.isMultiple(of: 10) ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    #expect(try text(place, "r.html").contains("<th>clipped</th>"))
    #expect(try text(place, "r.html").contains("<td>\(percent)</td>"))
    #expect(try text(place, "r.md").contains("| \(percent) |"))
    // The share is reported for rendered photos only, and is not in the sidecar.
    #expect(try !place.sidecar("a.png").contains("clipped"))
    #expect(try events(place.run("recipe", "--format", "json")).isEmpty)
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  @Test func aPhotoWithoutClippingHasAShareOfZero() throws {
    let result = try place().run("plain", "--format", "json")
    #expect(try events(result).map { $0["clipped"] as? Double } == [0])
  }

  /// A copy of the original has no share of clipped pixels, because no pixels were computed.
  @Test func aCopiedOriginalHasNoShareOfClippedPixels() throws {
    let place = try Workplace([])
    try place.folder.write(
      SyntheticPhoto.jpeg(width: 400, height: 300, quality: 40), to: "photos/a.jpg")
    try place.recipe(
      stops: 0, output: #""name": "web", "format": "jpeg", "quality": 98, "keepIfSmaller": true"#)
    let result = try place.run("recipe", "--format", "json", "--output", place.path("copies"))
    let found = try #require(try events(result).first)
    #expect(found["copied"] as? Bool == true && found["clipped"] == nil)
  }
}
