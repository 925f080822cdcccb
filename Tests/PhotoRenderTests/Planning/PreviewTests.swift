import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// A preview looks like the full rendering.
@Suite struct PreviewTests {
  /// Published pairs of colours with their differences.
  ///
  /// - Source: G. Sharma, W. Wu, E. N. Dalal, 2005, table 1: pairs 1, 7, 13, 17, 19, 25.
  @Test func colourDifferencesEqualThePublishedValues() {
    let pairs: [(Lab, Lab, Double)] = [
      (Lab(l: 50, a: 2.6772, b: -79.7751), Lab(l: 50, a: 0, b: -82.7485), 2.0425),
      (Lab(l: 50, a: 0, b: 0), Lab(l: 50, a: -1, b: 2), 2.3669),
      (Lab(l: 50, a: 2.49, b: -0.001), Lab(l: 50, a: -2.49, b: 0.0011), 7.2195),
      (Lab(l: 50, a: 2.5, b: 0), Lab(l: 73, a: 25, b: -18), 27.1492),
      (Lab(l: 50, a: 2.5, b: 0), Lab(l: 56, a: -27, b: -3), 31.9030),
      (Lab(l: 60.2574, a: -34.0099, b: 36.2677), Lab(l: 60.4626, a: -34.1751, b: 39.4387), 1.2644),
    ]
    for (first, second, expected) in pairs {
      #expect(abs(first.difference(from: second) - expected) < 0.0001)
    }
  }

  private static let photos = [
    "metadata-extractor/Nikon D40.jpg", "exif-orientation-examples/Portrait_6.jpg",
    "metadata-extractor/Casio EX-Z3.jpg",
  ]

  /// Both pictures are encoded with high quality, so that the encoder's errors do not influence the
  /// comparison.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: photos,
    [
      #"[{"filter": "sepia"}, {"filter": "vignette", "intensity": -0.8}]"#,
      #"[{"filter": "exposure", "stops": 0.7}, {"filter": "contrast", "amount": 0.3}, {"filter": "sharpen"}]"#,
      #"[{"filter": "autoLevels"}, {"filter": "saturation", "amount": 0.4}, {"filter": "blur", "radius": 6}]"#,
      #"[{"filter": "straighten", "angle": 2}, {"filter": "crop", "aspect": "1:1"}, {"filter": "clarity", "amount": 0.5}]"#,
      #"[{"filter": "resize", "longEdge": 1400}, {"filter": "outputSharpen"}]"#,
      #"[{"filter": "denoise"}, {"filter": "highlights", "amount": -0.6}, {"filter": "border", "width": 60}]"#,
      #"[{"filter": "grain", "amount": 0.3}, {"filter": "bloom", "amount": 0.4}]"#,
    ])
  func aPreviewLooksLikeTheFullRendering(_ photo: String, _ filters: String) throws {
    let difference = try Self.difference(photo, filters)
    #expect(difference <= 1, "\(photo), \(filters): mean CIEDE2000 \(difference)")
  }

  /// The mean CIEDE2000 difference between a preview and the full rendering reduced to its size.
  static func difference(_ photo: String, _ filters: String) throws -> Double {
    let folder = try #require(Corpus.folder)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/photos/\(photo)")))
    return try difference(bytes, filters, longEdge: 1000)
  }

  static func difference(
    _ bytes: [UInt8], _ filters: String, longEdge: Int
  ) throws -> Double {
    let recipe = try Studio.recipe(filters)
    let full = try Image.load(
      from: Source(bytes: #require(try Studio.render(bytes, recipe).files["out"])))
    let preview = try Samples(file: Self.preview(bytes, recipe, longEdge: longEdge))
    let reduced = try Samples(
      full.applying(
        "phbatch_resize",
        [
          "width": .integer(preview.width), "height": .integer(preview.height),
          "format": .choice("uchar"),
        ]))
    return meanDifference(preview, reduced)
  }

  @Test func thePreviewsBeforeAndAfterHaveTheSameSize() throws {
    let photo = try SyntheticPhoto.jpeg(width: 640, height: 480)
    let recipe = try Studio.recipe(
      #"[{"filter": "crop", "aspect": "1:1"}, {"filter": "invert"}, {"filter": "pad", "aspect": "4:3"}]"#
    )
    let before = try Samples(file: Self.preview(photo, recipe, longEdge: 200, .before))
    let after = try Samples(file: Self.preview(photo, recipe, longEdge: 200))
    #expect((before.width, before.height) == (200, 150))
    #expect((after.width, after.height) == (200, 150))
    #expect(Self.meanDifference(before, after) > 10)
    let plain = try Studio.recipe(
      #"[{"filter": "crop", "aspect": "1:1"}, {"filter": "pad", "aspect": "4:3"}]"#)
    let unedited = try Samples(file: Self.preview(photo, plain, longEdge: 200))
    #expect(Self.meanDifference(before, unedited) < 2)
  }

  /// The picture before the edit has the look of the raw photo without the exposure.
  @Test(.enabled(if: Corpus.isHere)) func theUneditedRawPhotoHasItsLook() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let photo = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let edited = try Studio.recipe(
      #"[{"filter": "exposure", "stops": 1.5}, {"filter": "saturation", "amount": -1}]"#)
    let before = try Samples(file: Self.preview(photo, edited, longEdge: 200, .before))
    let unedited = try Samples(file: Self.preview(photo, Studio.recipe("[]"), longEdge: 200))
    #expect(Self.meanDifference(before, unedited) < 2)
  }

  /// The picture before the edit has the camera's white balance, also if the edit names the light for
  /// which the sensor's channels are balanced.
  @Test func theUneditedRawPhotoHasTheWhiteBalanceOfItsCamera() throws {
    let photo = SyntheticDNG(width: 700, height: 500) { x, _, _ in
      0.1 + 0.3 * Double(x) / 700
    }.bytes
    let edited = try Studio.recipe(#"[{"filter": "whiteBalance", "kelvin": 9000}]"#)
    let before = try Samples(file: Self.preview(photo, edited, longEdge: 200, .before))
    let unedited = try Samples(file: Self.preview(photo, Studio.recipe("[]"), longEdge: 200))
    #expect(Self.meanDifference(before, unedited) < 1)
    let after = try Samples(file: Self.preview(photo, edited, longEdge: 200))
    #expect(Self.meanDifference(after, unedited) > 10)
  }

  enum Side {
    case before, after
  }

  static func preview(
    _ photo: [UInt8], _ recipe: Recipe, longEdge: Int, _ side: Side = .after
  ) throws -> [UInt8] {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let name = side == .after ? Graph.Preview.after : Graph.Preview.before
    let renderer = Renderer(recipe)
    let source = PhotoFile.bytes(photo)
    let plan = try renderer.previewPlan(
      source, Renderer.header(of: source), PreviewSize(longEdge: longEdge, quality: 100))
    _ = try renderer.preview(plan, into: [name: fileno(file)])
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    let read = bytes.withUnsafeMutableBytes { pread(fileno(file), $0.baseAddress, size, 0) }
    #expect(read == size)
    return bytes
  }

  static func meanDifference(_ a: Samples, _ b: Samples) -> Double {
    guard (a.width, a.height) == (b.width, b.height) else { return .infinity }
    func colour(_ picture: Samples, _ index: Int) -> Lab {
      let start = index * picture.bands
      return Lab(
        red: picture.values[start], green: picture.values[start + 1],
        blue: picture.values[start + 2])
    }
    // Compares every seventh pixel, which is enough for a mean; seven is prime to most widths.
    let places = stride(from: 0, to: a.width * a.height, by: 7)
    let sum = places.reduce(0.0) { $0 + colour(a, $1).difference(from: colour(b, $1)) }
    return sum / Double((a.width * a.height + 6) / 7)
  }
}
