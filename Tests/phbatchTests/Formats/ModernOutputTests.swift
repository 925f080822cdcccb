import Foundation
import TestSupport
import Testing
import Vips

/// AVIF, HEIC, JPEG XL and GIF output by the real command with sandboxed workers.
@Suite struct ModernOutputTests {
  private static let formats = ["avif", "heic", "jxl", "gif"]

  private static func size(_ bytes: [UInt8]) throws -> [Int] {
    let image = try Image.load(from: Source(bytes: bytes))
    return [image.width, image.height]
  }

  @Test func onePhotoIsRenderedInAllModernFormats() throws {
    let place = try Workplace(["a.jpg", "b.png"])
    let outputs = Self.formats.map { #"{ "name": "\#($0)", "format": "\#($0)" }"# }
    try place.folder.write(
      """
      { "identifier": "org.example.modern", "version": "1.0.0", "variant": "v",
        "outputs": [ \(outputs.joined(separator: ", ")) ] }
      """, to: "recipe.json")
    let result = try place.run()
    #expect(result.code == 0, "\(result.output)\(result.messages)")
    for photo in ["a", "b"] {
      for format in Self.formats {
        #expect(try Self.size(place.read("\(photo).\(format).\(format)")) == [60, 40])
      }
    }
    #expect(try place.reasons().reasons.values.allSatisfy { $0 == "up-to-date" })
    #expect(try place.leftovers() == [])
  }

  @Test(arguments: ["avif", "heic", "jxl"])
  func theQualityOfModernFormatsIsTheHighestThatFitsIntoMaxBytes(
    _ format: String
  ) throws {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: 300, height: 200)
    let own = #""name": "web", "format": "\#(format)", "effort": 3, "quality": "#
    try place.recipe(output: own + "90")
    #expect(try place.run().code == 0)
    let limit = try place.read("a.web.\(format)").count * 2 / 3
    try place.recipe(output: own + #"90, "maxBytes": \#(limit), "minQuality": 10"#)
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library, "--format", "json"])
    let done = try #require(try result.events.last { $0["event"] as? String == "asset-done" })
    let rendition = try #require((done["renditions"] as? [[String: Any]])?.first)
    let quality = try #require(rendition["quality"] as? Int)
    #expect((10..<90).contains(quality))
    let fitting = try place.read("a.web.\(format)")
    #expect(fitting.count <= limit)
    try place.recipe(output: own + "\(quality + 1)")
    #expect(try place.run().code == 0)
    #expect(try place.read("a.web.\(format)").count > limit)
  }

  @Test(arguments: formats) func anOriginalThatIsSmallerThanItsRenditionIsCopied(
    _ format: String
  ) throws {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: 120, height: 80)
    try place.recipe(output: #""name": "web", "format": "\#(format)", "metadata": "none""#)
    #expect(try place.run().code == 0)
    let small = try place.read("a.web.\(format)")
    let second = try Workplace([])
    try second.folder.write(small, to: "photos/b.\(format)")
    let best = ["gif": #""effort": 1"#, "jxl": #""lossless": true"#][format] ?? #""quality": 99"#
    try second.folder.write(
      """
      { "identifier": "org.example.kept", "version": "1.0.0", "variant": "v", "outputs": [
        { "name": "web", "format": "\(format)", \(best), "keepIfSmaller": true, "minSaving": 0.9 } ] }
      """, to: "recipe.json")
    let result = try Command.run(
      ["run", second.path("recipe.json"), second.library, "--output", second.path("site")])
    #expect(result.code == 0, "\(result.messages)")
    #expect(try second.folder.read("site/b.web.\(format)") == small, "\(result.messages)")
  }

  @Test func theManifestListsTheSmallestFormatFirst() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [32], "formats": ["jpeg", "webp", "avif"]
        """#)
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    let manifest = String(decoding: try place.folder.read("photos/web.json"), as: UTF8.self)
    let places = ["image/avif", "image/webp", "image/jpeg"].map {
      manifest.range(of: $0)?.lowerBound
    }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(manifest.contains(#"<source type=\"image/avif\""#))
  }

  @Test func doctorListsTheFormatsThatCanBeWritten() throws {
    let result = try Command.run(["doctor"])
    #expect(
      result.output.contains(
        "formats written: avif, dzi, gif, heic, jpeg, jxl, mov, mp4, png, tiff, webm, webp"))
  }
}
