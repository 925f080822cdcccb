import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Photos whose pixels are amounts of inks, such as CMYK.
///
/// Only the tables of a profile define the colours of these inks.
@Suite struct InkTests {
  private static let inks = [
    [0, 0, 0, 255], [255, 0, 0, 0], [40, 200, 10, 90], [255, 255, 0, 0],
  ]

  /// A photo with libvips's built-in CMYK profile: squares, one below the other.
  private static func photo(side: Int = 16) throws -> (Image, [UInt8]) {
    let pixels = inks.flatMap { ink in (0..<side * side).flatMap { _ in ink.map { UInt8($0) } } }
    let press = try Samples.flat([0, 0, 0], 1, 1).image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    let image = try Image(
      pixels: pixels, width: side, height: side * inks.count, bands: 4, format: .uchar
    ).applying("copy", ["interpretation": .choice("cmyk")])
      .setting(["icc-profile-data": press.field("icc-profile-data")])
    return (image, try SyntheticPhoto.bytes(image, "tiffsave_target"))
  }

  @Test func inksOfAnUnchangedPhotoArePreserved() throws {
    let (image, photo) = try Self.photo()
    let preserve = #""format": "tiff", "profile": "preserve""#
    #expect(try Samples(file: Studio.develop(photo, "[]", output: preserve)) == Samples(image))
    // If a filter changes the colours, they are converted to inks again.
    let brighter = try Studio.develop(
      photo, #"[{"filter": "exposure", "stops": 0.2}]"#, output: preserve)
    #expect(try Samples(file: brighter) != Samples(image))
  }

  /// The photo is so high that its rows can be read only once, from top to bottom.
  @Test(arguments: ["", #", {"name": "c", "format": "png"}"#])
  func severalOutputsPreserveTheInks(_ third: String) throws {
    let (image, photo) = try Self.photo(side: 256)
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "filters": [],
         "outputs": [{"name": "a", "format": "tiff", "profile": "preserve"},
                     {"name": "b", "format": "tiff", "profile": "preserve"}\(third)]}
        """)
    let files = try Studio.render(photo, recipe).files
    for name in ["a", "b"] {
      #expect(try Samples(file: #require(files[name])) == Samples(image), "\(name)")
    }
  }
}
