import Foundation
import TestSupport
import Testing

/// Limits of a rendition's size in bytes: `maxBytes`, `minSaving`, `keepIfSmaller`.
@Suite struct BudgetTests {
  /// A library with a photo of 400 × 300 pixels that has many details.
  private func place(_ output: String, quality: Int = 95) throws -> Workplace {
    let place = try Workplace([])
    try place.folder.write(
      SyntheticPhoto.jpeg(width: 400, height: 300, quality: quality), to: "photos/a.jpg")
    try recipe(output, place)
    return place
  }

  private func recipe(_ output: String, _ place: Workplace, filters: String = "") throws {
    try place.folder.write(
      """
      { "identifier": "org.example.budget", "version": "1.0.0", "variant": "web",
        "filters": [ \(filters) ], "outputs": [ { "name": "web", \(output) } ] }
      """, to: "recipe.json")
  }

  /// The facts of the only rendition, from the last event of the photo.
  private func rendition(_ place: Workplace, _ arguments: String...) throws -> [String: Any] {
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library, "--format", "json"] + arguments)
    let done = try result.events.last { $0["event"] as? String == "asset-done" }
    let renditions = try #require(done?["renditions"] as? [[String: Any]])
    return try #require(renditions.first, "\(result.output)\(result.messages)")
  }

  @Test(arguments: ["jpeg", "webp"])
  func theQualityIsTheHighestThatFitsIntoMaxBytes(_ format: String) throws {
    let free = try place(#""format": "\#(format)", "quality": 90"#)
    let whole = try #require(try rendition(free)["bytes"] as? Int)
    #expect(try rendition(place(#""format": "\#(format)""#))["quality"] == nil)
    let limit = whole * 2 / 3
    let fitting = try place(
      #""format": "\#(format)", "quality": 90, "maxBytes": \#(limit), "minQuality": 10"#)
    let found = try rendition(fitting)
    let quality = try #require(found["quality"] as? Int)
    #expect((10..<90).contains(quality))
    #expect(try #require(found["bytes"] as? Int) <= limit)
    // At a quality that is higher by one, the file would exceed the limit.
    let above = try place(#""format": "\#(format)", "quality": \#(quality + 1)"#)
    #expect(try #require(rendition(above)["bytes"] as? Int) > limit)
    let same = try place(#""format": "\#(format)", "quality": \#(quality)"#)
    let ending = format == "jpeg" ? "jpg" : format
    #expect(try same.run().code == 0)
    #expect(try same.read("a.web.\(ending)") == fitting.read("a.web.\(ending)"))
  }

  @Test func aPhotoFailsIfNoQualityFitsIntoMaxBytes() throws {
    let place = try place(#""format": "jpeg", "maxBytes": 500"#)
    for _ in 1...2 {
      let (reasons, code) = try place.reasons()
      #expect(reasons == ["a.jpg": "over-budget"])
      #expect(code == 3)
      #expect(try place.names() == ["a.jpg"])
    }
    #expect(try place.run("recipe", "--check").code == 2)
    let said = try place.run().messages
    #expect(said.contains("at quality 40, more than the 500 that 'maxBytes' allows"))
    try recipe(#""format": "png", "maxBytes": 500"#, place)
    #expect(try place.run().messages.contains("use jpeg, webp or avif"))
    #expect(try place.leftovers() == [])
  }

  @Test func aPhotoFailsIfItsRenditionSavesLessThanMinSaving() throws {
    let place = try place(#""format": "jpeg", "quality": 95, "minSaving": 0.2"#)
    #expect(try place.reasons().reasons == ["a.jpg": "over-budget"])
    #expect(try place.run().messages.contains("less than the 20 % that 'minSaving' requires"))
    try recipe(#""format": "jpeg", "quality": 50, "minSaving": 0.2"#, place)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  @Test func theOriginalIsCopiedIfTheRenditionIsNotSmaller() throws {
    let output = #""format": "jpeg", "quality": 95, "keepIfSmaller": true, "path": "{stem}.{ext}""#
    let place = try place(output, quality: 40)
    let mirror = ["--output", place.path("small")]
    let before = try place.snapshot()
    let found = try rendition(place, mirror[0], mirror[1])
    #expect(found["copied"] as? Bool == true)
    #expect(try place.folder.read("small/a.jpg") == place.read("a.jpg"))
    #expect(try place.reasons("recipe", mirror[0], mirror[1]).reasons == ["a.jpg": "up-to-date"])
    #expect(try place.snapshot() == before)
    #expect(try Command.run(["verify", place.path("small")]).code == 0)
    // The rendition of this photo is smaller than the photo, so it is written instead of a copy.
    try place.folder.write(
      SyntheticPhoto.jpeg(width: 400, height: 300, quality: 100), to: "photos/b.jpg")
    try recipe(output.replacing("95", with: "50"), place)
    #expect(try place.run("recipe", mirror[0], mirror[1]).code == 0)
    #expect(
      try place.folder.read("small/b.jpg").count < place.read("b.jpg").count)
  }

  /// The original's bytes are not copied if its picture differs from the rendition's, or if it
  /// contains data that the rendition must not contain.
  @Test func anOriginalThatDiffersFromTheRenditionIsNotCopied() throws {
    func isCopied(_ photo: [UInt8], _ output: String, filters: String = "") throws -> Bool {
      let place = try Workplace([])
      try place.folder.write(photo, to: "photos/a.jpg")
      try recipe(output, place, filters: filters)
      let found = try rendition(place, "--output", place.path("small"))
      return found["copied"] as? Bool == true
    }
    let plain = try SyntheticPhoto.jpeg(width: 400, height: 300, quality: 40)
    let output = #""format": "jpeg", "quality": 98, "keepIfSmaller": true"#
    #expect(try isCopied(plain, output))
    #expect(try isCopied(plain, output, filters: #"{"filter": "exposure", "stops": 0}"#))
    #expect(try isCopied(plain, output, filters: #"{"filter": "resize", "longEdge": 4000}"#))
    #expect(try !isCopied(plain, output, filters: #"{"filter": "exposure", "stops": 0.1}"#))
    #expect(try !isCopied(plain, output, filters: #"{"filter": "crop", "width": "99%"}"#))
    #expect(try !isCopied(plain, output.replacing("jpeg", with: "webp")))
    #expect(try !isCopied(plain, output + #", "profile": "display-p3""#))
    #expect(try !isCopied(plain, output + #", "maxBytes": \#(plain.count - 1)"#))
    // A photo is not copied if it contains a comment, or data after the end of the picture.
    let comment: [UInt8] = [0xFF, 0xFE, 0x00, 0x06] + Array("home".utf8)
    #expect(try !isCopied(Array(plain[..<2]) + comment + plain[2...], output))
    #expect(try !isCopied(plain + Array("trailer".utf8), output))
    #expect(try isCopied(plain + Array("trailer".utf8), output + #", "metadata": "archive""#))
    // The photo is turned by its orientation tag, but the rendition's pixels are upright.
    let turned = try Self.exif(plain, tag: 0x0112, value: 6)
    #expect(try !isCopied(turned, output))
    let place = try Workplace([])
    try place.folder.write(turned, to: "photos/a.jpg")
    try recipe(output, place)
    let result = try place.run("recipe", "--output", place.path("small"))
    #expect(
      result.messages.contains(
        "copied in its place: the orientation tag rotates the photo"))
    #expect(try !isCopied(Self.exif(plain, tag: 0x8825, value: 8), output))
  }

  @Test func keepIfSmallerCopiesAnOriginalOnlyToASeparateOutputFolder() throws {
    let place = try place(#""format": "jpeg", "quality": 95, "keepIfSmaller": true"#, quality: 40)
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("only to another folder; give one with --output"))
    #expect(try place.read("a.web.jpg") != place.read("a.jpg"))
  }

  /// The photo with one more entry in the first directory of its Exif block.
  private static func exif(_ photo: [UInt8], tag: UInt16, value: UInt8) throws -> [UInt8] {
    let start = try #require(
      photo.indices.first { photo[$0...].starts(with: Array("Exif\0\0".utf8)) })
    let length = Int(photo[start - 2]) << 8 | Int(photo[start - 1])
    let entry: [UInt8] = [
      UInt8(tag & 0xFF), UInt8(tag >> 8), 3, 0, 1, 0, 0, 0, value, 0, 0, 0,
    ]
    let tiff: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0]
    let body = Array("Exif\0\0".utf8) + tiff
    let size = [UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)]
    return Array(photo[..<(start - 2)]) + size + body + photo[(start - 2 + length)...]
  }
}
