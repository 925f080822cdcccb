import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The fraction of clipped pixels that a rendering reports.
@Suite(.serialized) struct ClippingTests {
  /// The sRGB transfer curves and the matrix between its primaries and those of Display P3, both
  /// under D65.
  ///
  /// - Source: IEC 61966-2-1; W3C, CSS Color 4, sample code for colour conversions.
  private enum Formula {
    static let range = -0.5 / 255...255.5 / 255
    private static let toSRGB = [
      [1.2249401762805598, -0.2249401762805598, 0],
      [-0.0420569547096881, 1.0420569547096881, 0],
      [-0.0196375545903344, -0.0786360455506319, 1.0982736001409663],
    ]

    static func decoded(_ code: Double) -> Double {
      code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ light: Double) -> Double {
      let size = abs(light)
      let code = size <= 0.0031308 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
      return light < 0 ? -code : code
    }

    /// Converts an 8-bit Display P3 colour to sRGB.
    static func fromP3(_ colour: [Int]) -> [Double] {
      let light = colour.map { decoded(Double($0) / 255) }
      return toSRGB.map { row in encoded(zip(row, light).map { $0 * $1 }.reduce(0, +)) }
    }

    /// True if a colour is clipped.
    ///
    /// Fails for colours close to the limit, because no test may depend on rounding.
    static func clips(_ colour: [Double]) -> Bool {
      #expect(
        colour.allSatisfy {
          abs($0 - range.lowerBound) > 2e-4 && abs($0 - range.upperBound) > 2e-4
        })
      return !colour.allSatisfy(range.contains)
    }

    static func exposed(_ level: Int, stops: Double) -> Double {
      encoded(decoded(Double(level) / 255) * exp2(stops))
    }
  }

  /// The clipped fraction of each output, in the order of the recipe.
  private static func shares(_ photo: [UInt8], _ recipe: Recipe) throws -> [Double?] {
    try Studio.render(photo, recipe).report.renditions.map(\.clipped)
  }

  private static func share(
    _ photo: [UInt8], _ filters: String, _ output: String = #""format": "png""#,
    rendering: String = "balanced"
  ) throws -> Double? {
    try #require(
      shares(photo, Studio.recipe(filters, output: output, rendering: rendering)).first)
  }

  /// All grey levels, each in the same number of columns.
  private static func ramp(_ columns: Int = 1, alpha: Bool = false) -> Samples {
    let row = (0..<256 * columns).flatMap { x in
      [Int](repeating: x / columns, count: 3) + (alpha ? [x % 256] : [])
    }
    let values = (0..<32).flatMap { _ in row }
    return Samples(
      width: 256 * columns, height: 32, bands: alpha ? 4 : 3, maximum: 255, values: values)
  }

  private static func exposedShare(stops: Double) -> Double {
    let clipped = (0...255).count { Formula.clips([Formula.exposed($0, stops: stops)]) }
    return Double(clipped) / 256
  }

  private static let exposure = #"[{"filter": "exposure", "stops": 2}]"#

  @Test(
    arguments: [
      #""format": "png""#, #""format": "jpeg""#, #""format": "webp", "lossless": true"#,
      #""format": "png", "bitDepth": "16""#, #""format": "png", "dither": true"#,
      #""format": "jpeg", "maxBytes": 3000, "minQuality": 1"#,
    ], ["balanced", "exact"])
  func theFractionClippedByExposureMatchesTheFormula(_ output: String, _ rendering: String) throws {
    let wanted = Self.exposedShare(stops: 2)
    #expect((0.3...0.6).contains(wanted))
    for alpha in [false, true] {
      let photo = try Self.ramp(alpha: alpha).file()
      if alpha && output.contains("jpeg") { continue }
      #expect(try Self.share(photo, Self.exposure, output, rendering: rendering) == wanted)
    }
  }

  /// Pixels that the exposure clips are also counted if a later step's kernel writes the samples.
  @Test(
    arguments: [
      #"{"filter": "resize", "width": 512}"#, #"{"filter": "blur", "radius": 1}"#,
      #"{"filter": "sharpen", "amount": 0.3, "radius": 1}"#,
      #"{"filter": "straighten", "angle": 0.1}"#, #"{"filter": "median", "radius": 1}"#,
      #"{"filter": "crop", "top": 0.25, "height": 0.5}"#, #"{"filter": "flip"}"#,
    ], ["balanced", "exact"])
  func pixelsThatExposureClipsAreCountedAfterLaterSteps(_ step: String, _ rendering: String) throws
  {
    let photo = try Self.ramp(4).file()
    let filters = #"[{"filter": "exposure", "stops": 2}, \#(step)]"#
    let share = try #require(try Self.share(photo, filters, rendering: rendering))
    #expect(abs(share - Self.exposedShare(stops: 2)) < 0.03, "\(share)")
  }

  /// A resize overshoots at the edges of black and white stripes, but this is not counted as
  /// clipping.
  @Test(arguments: ["balanced", "exact"], ["[]", #"[{"filter": "resize", "width": 401}]"#])
  func resizingAloneCountsNoClipping(_ rendering: String, _ filters: String) throws {
    let row = (0..<640).flatMap { [Int](repeating: $0 / 10 % 2 * 255, count: 3) }
    let values = (0..<40).flatMap { _ in row }
    let photo = Samples(width: 640, height: 40, bands: 3, maximum: 255, values: values)
    for format in ["png", "jpeg"] {
      let share = try Self.share(
        photo.file(), filters, #""format": "\#(format)""#, rendering: rendering)
      // If the photo is copied, the fraction is nil.
      #expect(share ?? 0 == 0)
    }
  }

  /// Patches of 16 × 16 pixels in Display P3: primaries, mixtures, greys, and the colours of skin
  /// and leaves.
  private static let patches = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [128, 128, 128],
    [255, 255, 255], [0, 0, 0], [230, 60, 60], [224, 172, 150], [90, 120, 60], [30, 200, 40],
    [250, 128, 0], [70, 90, 200], [180, 20, 160],
  ]

  private static func photo(_ profile: StandardProfile) throws -> [UInt8] {
    let row = patches.flatMap { colour in (0..<16).flatMap { _ in colour } }
    let values = (0..<16).flatMap { _ in row }
    return try Samples(
      width: 16 * patches.count, height: 16, bands: 3, maximum: 255, values: values
    ).file(fields: ["icc-profile-data": .blob(profile.bytes)])
  }

  @Test func theClippedFractionsOfFiveOutputsAreIndependent() throws {
    let clipped = Self.patches.count { Formula.clips(Formula.fromP3($0)) }
    #expect((4...12).contains(clipped))
    let wanted = Double(clipped) / Double(Self.patches.count)
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "outputs": [
          {"name": "a", "format": "png"},
          {"name": "b", "format": "png", "profile": "display-p3"},
          {"name": "c", "format": "jpeg",
           "filters": [{"filter": "resize", "id": "half", "width": \(8 * Self.patches.count)}]},
          {"name": "d", "format": "png", "profile": "grey"},
          {"name": "e", "format": "tiff", "bitDepth": "16", "profile": "display-p3",
           "filters": [{"filter": "exposure", "id": "dark", "stops": -0.2}]}]}
        """)
    let shares = try Self.shares(Self.photo(.displayP3), recipe)
    #expect(shares.count == 5 && shares[0] == wanted)
    #expect(shares[1] == 0 && shares[3] == 0 && shares[4] == 0)
    let small = try #require(shares[2])
    #expect(abs(small - wanted) < 0.1)
  }

  @Test func coloursInsideSRGBAreNotClippedInOtherProfiles() throws {
    for profile in ["srgb", "display-p3", "prophoto"] {
      let share = try Self.share(
        Self.photo(.srgb), "[]", #""format": "png", "profile": "\#(profile)""#)
      // If the photo is copied, the fraction is nil.
      #expect(share ?? 0 == 0, "\(profile)")
    }
    // ProPhoto's primaries, their mixtures and the vivid colours are all outside sRGB.
    let share = try #require(try Self.share(Self.photo(.proPhoto), "[]"))
    #expect(share > 0.5 && share < 0.8)
  }

  /// Profile tables and external programs may clip colours without counting them, so the fraction
  /// is nil.
  @Test func theFractionIsNilIfClippingCannotBeCounted() throws {
    let chart = Samples.flat([180, 90, 60], 32, 32)
    let cmyk = try chart.image().applying(
      "icc_transform", ["output-profile": .text("cmyk"), "input-profile": .text("srgb")])
    let target = Target()
    try cmyk.save(to: target, as: "jpegsave_target")
    #expect(try Self.share(target.bytes(), Self.exposure) == nil)
    let external = #"[{"filter": "external", "command": ["echo"]}, {"filter": "invert"}]"#
    #expect(try Self.share(chart.file(), external) == nil)
    // Grey is in every colour space. The output is JPEG, because a PNG output would be a copy.
    let grey = Samples.flat([255], 32, 32)
    #expect(try Self.share(grey.file(), "[]", #""format": "jpeg""#) == 0)
    #expect(try Self.share(grey.file(), Self.exposure) == 1)
  }

  @Test(.enabled(if: Corpus.isHere)) func clippingIsNotCountedInOutputsOfInks() throws {
    let path = "libvips/cmyk.icm"
    let bytes = try Data(contentsOf: URL(filePath: "\(Corpus.folder ?? "")/icc/\(path)"))
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "outputs": [
          {"name": "a", "format": "jpeg", "profile": "\(path)"},
          {"name": "b", "format": "jpeg"}]}
        """)
    let report = try Studio.render(Self.photo(.srgb), recipe, files: [path: [UInt8](bytes)]).report
    #expect(report.renditions.map(\.clipped) == [nil, 0])
  }

  @Test func aCopyOfThePhotoHasNoClippedPixels() throws {
    let photo = try SyntheticPhoto.jpeg(width: 400, height: 300, quality: 40)
    let recipe = try Studio.recipe(
      "[]", output: #""format": "jpeg", "quality": 98, "keepIfSmaller": true"#)
    let rendition = try #require(try Studio.render(photo, recipe).report.renditions.first)
    #expect(rendition.isOriginal && rendition.clipped == nil)
  }

  /// The fraction covers all frames: one of three frames is clipped.
  @Test(arguments: ["gif", "webp"]) func theClippedFractionCoversAllFrames(_ format: String) throws
  {
    let values = [60, 128, 200].flatMap { [Int](repeating: $0, count: 3 * 40 * 30) }
    let file = try Samples(width: 40, height: 90, bands: 3, maximum: 255, values: values)
      .file(
        "gifsave_target",
        fields: ["page-height": .integer(30), "delay": .integers([100, 200, 300])])
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": "all"},
         "highlights": {"rolloff": "hard"}, "filters": [{"filter": "exposure", "stops": 1}],
         "outputs": [{"name": "out", "format": "\(format)"}]}
        """)
    #expect(try Self.shares(file, recipe) == [1.0 / 3])
  }

  private static func share(
    _ renderer: Renderer, _ photo: [UInt8]
  ) throws -> Double? {
    let file = try TemporaryFile()
    let rendering = try Concurrency.using(renderer.threads) {
      try renderer.render(.bytes(photo), into: ["out": file.descriptor])
    }
    return rendering.renditions.first?.clipped
  }

  @Test(
    arguments: [
      #"{"filter": "exposure", "stops": 1}"#,
      #"{"filter": "exposure", "stops": 1}, {"filter": "resize", "longEdge": 700}"#,
      #"{"filter": "exposure", "stops": 1}, {"filter": "blur", "radius": 20}"#,
      #"{"filter": "exposure", "stops": 1}, {"filter": "denoise", "luma": 0.5, "chroma": 0.5}"#,
      #"{"filter": "rotate", "angle": 90}, {"filter": "exposure", "stops": 1}"#,
    ], ["balanced", "exact"])
  func clippedFractionsDoNotDependOnThreads(_ filters: String, _ rendering: String) throws {
    let photo = try SyntheticPhoto.jpeg(width: 1501, height: 700)
    var renderer = Renderer(try Studio.recipe("[\(filters)]", rendering: rendering))
    let wanted = try #require(try Self.share(renderer, photo))
    #expect(wanted > 0.02 && wanted < 0.98, "\(wanted)")
    for threads in TestVolume.isWhole ? [2, 4, 7] : [7] {
      renderer.threads = threads
      #expect(try Self.share(renderer, photo) == wanted, "\(threads) threads")
    }
    renderer.threads = 1
    renderer.spills = true
    #expect(try Self.share(renderer, photo) == wanted)
  }

  /// Pixels of an image that several outputs share are rounded once; their clipped fraction is
  /// reported for each output.
  @Test func clippedPixelsOfASharedImageAreReportedForEachOutput() throws {
    let tile = try SyntheticPhoto.image(width: 1030, height: 1036)
    let large = try tile.applying("replicate", ["across": .integer(4), "down": .integer(4)])
    let photo = try SyntheticPhoto.bytes(large, "jpegsave_target", ["Q": .integer(85)])
    func recipe(_ outputs: String) throws -> Recipe {
      try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", "rendering": "exact",
           "highlights": {"rolloff": "hard"}, "filters": [{"filter": "exposure", "stops": 1}],
           "outputs": [\(outputs)]}
          """)
    }
    let full = #"{"name": "full", "format": "jpeg"}"#
    let more = #"{"name": "zoom", "format": "dzi", "tileSize": 510}"#
    let both = try recipe("\(full), \(more)")
    let pipeline = try Renderer(both).plan(.bytes(photo)).pipeline
    #expect(pipeline.tees.count == 1)
    let alone = try #require(try Self.shares(photo, recipe(full)).first)
    #expect(alone.map { $0 > 0.1 } == true)
    #expect(try Self.shares(photo, both) == [alone, alone])
  }
}
