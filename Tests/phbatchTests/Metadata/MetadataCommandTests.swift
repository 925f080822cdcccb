import Foundation
import TestSupport
import Testing

/// Runs that select photos by their metadata, or set the metadata and the file times of renditions.
@Suite(.enabled(if: ExifTool.isHere)) struct MetadataCommandTests {
  private func place() throws -> Workplace {
    let place = try Workplace(["plain.jpg"])
    let photo = try ExifTool.writing(
      [
        "-EXIF:Make=Canon", "-EXIF:Model=Canon EOS R5", "-EXIF:ISO=800", "-XMP-xmp:Rating=4",
        "-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:Artist=Ada Lovelace",
        "-EXIF:GPSLatitude=48.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.5",
        "-EXIF:GPSLongitudeRef=E", "-EXIF:SerialNumber=SERIAL4711",
      ], into: SyntheticPhoto.jpeg(width: 60, height: 40), "jpg")
    try place.folder.write(photo, to: "photos/canon.jpg")
    return place
  }

  @Test(arguments: [
    (#""camera": "canon*""#, ["canon.jpg"]), (#""iso": ">=400", "gps": true"#, ["canon.jpg"]),
    (#""rating": ">=4""#, ["canon.jpg"]), (#""gps": false"#, ["plain.jpg"]),
    (#""rating": ">=5""#, []),
  ])
  func aRecipeSelectsPhotosByTheirMetadata(_ condition: String, _ chosen: [String]) throws {
    let place = try place()
    try place.recipe(more: #""select": { "where": { \#(condition) } },"#)
    let reasons = try place.reasons().reasons
    #expect(reasons.filter { $0.value == "rendered" }.keys.sorted() == chosen, "\(reasons)")
  }

  @Test func aRecipeAlsoSelectsPhotosByTheirXMPSidecars() throws {
    let place = try place()
    try place.recipe(more: #""select": { "where": { "rating": ">=5" } },"#)
    #expect(try place.reasons().reasons["plain.jpg"] == "not-selected")
    try place.rate("plain.jpg", 5)
    #expect(try place.reasons().reasons["plain.jpg"] == "rendered")
  }

  @Test func renditionsContainTheMetadataThatTheOutputAllows() throws {
    let place = try place()
    let output = #""name": "web", "format": "webp", "metadata": "#
    try place.recipe(output: output + #"{ "keep": ["camera"], "set": { "title": "{camera}" } }"#)
    #expect(try place.run().code == 0)
    let tags = try ExifTool.tags(of: place.read("canon.web.webp"))
    #expect(tags["IFD0:Model"] == "Canon EOS R5" && tags["XMP-dc:Title"] == "Canon EOS R5")
    #expect(tags["IFD0:Artist"] == nil && tags["GPS:GPSLatitude"] == nil)
    #expect(!tags.values.contains { $0.contains("SERIAL4711") })
  }

  @Test(arguments: [("exif", 1_577_934_245.0), ("original", 1_000_000_000.0)])
  func renditionsGetTheFileTimeThatTheOutputStates(_ time: String, _ expected: Double) throws {
    let place = try place()
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: place.path("photos/canon.jpg"))
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "metadata": { "fileTime": "\#(time)" }"#)
    #expect(try place.run().code == 0)
    let found = try FileManager.default.attributesOfItem(
      atPath: place.path("photos/canon.web.jpg"))
    #expect((found[.modificationDate] as? Date)?.timeIntervalSince1970 == expected)
    #expect(try place.reasons().reasons["canon.jpg"] == "up-to-date")
  }
}
