import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Single and tiled watermarks.
@Suite struct WatermarkTests {
  private static let grey = Samples.flat([90, 90, 90], 300, 200)

  /// The bounding box of all pixels that differ from the grey background.
  private static func ink(_ result: Samples) -> Rectangle? { result.ink(on: [90, 90, 90]) }

  /// A mark of 60 × 20 pixels.
  private static func marked(_ settings: String, scale: Double = 0.2) throws -> Samples {
    let mark = try Samples.flat([250, 10, 10, 255], 30, 10).file()
    return try Watermark.applied(
      to: grey, #""image": "m.png", "scale": \#(scale), \#(settings)"#, files: ["m.png": mark])
  }

  @Test func aMarkIsRotatedAboutItsCentre() throws {
    let turned = try Self.marked(#""gravity": "center", "angle": 90"#)
    let ink = try #require(Self.ink(turned))
    #expect(abs(ink.size.width - 20) <= 1 && abs(ink.size.height - 60) <= 1, "\(ink)")
    #expect(abs(ink.left - 140) <= 1 && abs(ink.top - 70) <= 1, "\(ink)")
    // The mark fits into the photo and keeps its margin at any angle.
    let large = try Self.marked(#""angle": 45, "gravity": "center""#, scale: 1)
    let corner = try #require(Self.ink(try Self.marked(#""angle": 30, "margin": 0.1"#)))
    #expect(large[150, 100] == [250, 10, 10])
    #expect(corner.left + corner.size.width <= 281 && corner.top + corner.size.height <= 181)
  }

  /// Float samples of a mark are read like those of a photo, as linear light 0…1; alpha is 0…1 too.
  @Test(
    arguments: [
      ([0.5], [188, 188, 188]), ([1, 0.5, 0], [255, 188, 0]),
      ([1, 0.5, 0, 0.5], [172, 139, 45]),
    ] as [([Float], [Int])])
  func floatSamplesOfAMarkAreLinearLight(_ pixel: [Float], _ wanted: [Int]) throws {
    let image = try Image(
      samples: (0..<600).flatMap { _ in pixel }, width: 30, height: 20, bands: pixel.count)
    let space = pixel.count < 3 ? "b-w" : "scrgb"
    let target = Target()
    try image.applying("copy", ["interpretation": .choice(space)])
      .save(to: target, as: "tiffsave_target")
    let result = try Watermark.applied(
      to: Self.grey, #""image": "m.tif", "scale": 1, "margin": 0, "opacity": 1"#,
      files: ["m.tif": target.bytes()])
    #expect(zip(result[150, 100], wanted).allSatisfy { abs($0 - $1) <= 2 }, "\(result[150, 100])")
  }

  /// A mark has the colours of its profile and is upright, like a photo.
  @Test(arguments: Orientation.allCases)
  func aMarkLooksLikeItsRendition(_ orientation: Orientation) throws {
    let stored = Samples(30, 20) { x, y in [x < 15 ? 200 : 40, y < 10 ? 60 : 220, 40] }
    let mark = try ProfiledFile.tiff(
      stored.image().setting(["orientation": .integer(orientation.rawValue)]),
      StandardProfile.displayP3.bytes)
    func laid(_ mark: [UInt8]) throws -> Samples {
      try Watermark.applied(
        to: Self.grey, #""image": "m", "scale": 0.1, "gravity": "center""#, files: ["m": mark])
    }
    let rendition = try laid(Studio.develop(mark, "[]"))
    #expect(try laid(mark).difference(from: rendition) <= 2)
  }

  /// The edges of a white mark are neither darker than the photo nor brighter than the mark.
  @Test(arguments: [33, 45, 90, -10], ["", #", "tile": true"#])
  func aRotatedMarkHasNoFringe(_ angle: Int, _ more: String) throws {
    let disc = Samples(60, 60) { x, y in
      let (across, down) = (2 * x - 59, 2 * y - 59)
      return across * across + down * down < 56 * 56 ? [250, 250, 250, 255] : [0, 0, 0, 0]
    }
    let result = try Watermark.applied(
      to: Self.grey, #""image": "m.png", "gravity": "center", "angle": \#(angle)\#(more)"#,
      files: ["m.png": disc.file()])
    #expect(result.values.min() == 90 && result.values.max() == 250)
  }

  /// The shadow falls to the lower right, whatever the angle of the mark is.
  ///
  /// The shadow does not move the mark.
  @Test(arguments: ["", #", "angle": 180"#, #", "tile": true, "spacing": 1, "angle": 180"#])
  func aMarkHasAShadowToTheLowerRight(_ more: String) throws {
    let settings = #""gravity": "center"\#(more)"#
    let plain = try Self.marked(settings)
    let shaded = try Self.marked(##"\##(settings), "shadow": "#000000""##)
    #expect(shaded[150, 100] == plain[150, 100])
    let (below, above) = (shaded[150, 111, 0], shaded[150, 88, 0])
    #expect(below < above && above < 90, "\(below), \(above)")
    let corner = try Self.marked(##""gravity": "southeast", "margin": 0, "shadow": "#000000""##)
    #expect(corner[299, 199] == [250, 10, 10])
  }

  /// Offsets are fractions of the shorter edge, and may move the mark out of the frame.
  @Test(arguments: ["", #", "angle": 90"#, ##", "shadow": "#00000000""##])
  func offsetsMoveTheMark(_ more: String) throws {
    let base = try #require(Self.ink(try Self.marked(#""gravity": "west"\#(more)"#)))
    let moved = try #require(
      Self.ink(try Self.marked(#""gravity": "west", "x": 0.3, "y": -0.1\#(more)"#)))
    #expect((moved.left, moved.top) == (base.left + 60, base.top - 20))
    #expect(moved.size == base.size)
    let half = try #require(
      Self.ink(try Self.marked(#""gravity": "east", "margin": 0, "x": 0.05\#(more)"#)))
    #expect(half.left + half.size.width == 300)
    let gone = try Self.marked(#""gravity": "southeast", "x": 1, "y": 1\#(more)"#)
    #expect(gone == Self.grey)
  }

  /// If only the shadow of the mark is in the photo, the mark is reported as not visible.
  @Test(arguments: ["", ##", "shadow": "#000000""##])
  func aMarkOutsideThePhotoCausesAWarning(_ more: String) throws {
    let mark = try Samples.flat([250, 10, 10, 255], 30, 10).file()
    func warnings(_ move: String) throws -> [String] {
      let recipe = try Studio.recipe(
        #"[{"filter": "watermark", "image": "m.png", "margin": 0, \#(move)\#(more)}]"#)
      return try Studio.render(Self.grey.file(), recipe, files: ["m.png": mark]).report.warnings
    }
    // The mark of 60 × 20 pixels is in the lower right corner of 300 × 200 pixels.
    for move in [#""x": 0.3"#, #""y": 0.1"#, #""gravity": "northwest", "x": -0.3"#, #""y": -1"#] {
      let found = try warnings(move)
      #expect(
        found == ["the image 'm.png' is not visible, because its position is outside the photo"],
        "\(move)")
    }
    for move in [#""x": 0.295"#, #""y": 0.095"#, #""x": -1"#, #""y": -0.995"#, #""tile": true"#] {
      #expect(try warnings(move) == [], "\(move)")
    }
  }

  /// All copies of a tiled mark move together.
  ///
  /// A move by a whole cell changes nothing.
  @Test(arguments: [0, 30, 90, -140]) func offsetsMoveAllTilesOfAMark(_ angle: Int) throws {
    let settings = #""tile": true, "spacing": 0.5, "angle": \#(angle)"#
    let base = try Self.marked(settings, scale: 0.1)
    let moved = try Self.marked(#"\#(settings), "x": 0.1, "y": 0.05"#, scale: 0.1)
    var worst = 0
    for y in 40..<160 {
      for x in 50..<250 {
        worst = max(worst, abs(moved[x + 20, y + 10, 1] - base[x, y, 1]))
      }
    }
    #expect(worst <= 1, "off by \(worst)")
    if angle == 0 {
      let cell = try Self.marked(#"\#(settings), "x": 0.225, "y": -0.125"#, scale: 0.1)
      #expect(cell == base)
    }
  }

  /// Copies of the mark fill the photo in cells of 45 × 25 pixels; one cell is in the middle.
  @Test func tilesOfAMarkCoverThePhoto() throws {
    let found = try Self.marked(#""tile": true, "spacing": 0.5"#, scale: 0.1)
    #expect(found[150, 100] == [250, 10, 10])
    for (x, y) in [(45, 0), (-45, 50), (90, -75)] {
      #expect(found[150 + x, 100 + y] == [250, 10, 10])
    }
    #expect(found[150 + 22, 100] == [90, 90, 90] && found[150, 100 + 12] == [90, 90, 90])
    let turned = try Self.marked(#""tile": true, "angle": 90"#, scale: 0.1)
    #expect(turned[150, 100] == [250, 10, 10] && turned[150, 145] == [250, 10, 10])
    #expect(turned[150 + 12, 100] == [90, 90, 90])
  }

  /// Compares random photos and marks with the formula in double precision.
  @Test(
    arguments: [3, 4], [255, 65_535])
  func watermarksAreCompositedByTheFormula(_ bands: Int, _ maximum: Int) throws {
    var random = SeededGenerator(seed: 11)
    func noise(_ width: Int, _ height: Int, _ bands: Int, _ maximum: Int) -> Samples {
      let values = (0..<width * height * bands).map { _ in
        Int.random(in: 0...maximum, using: &random)
      }
      return Samples(width: width, height: height, bands: bands, maximum: maximum, values: values)
    }
    let photo = noise(100, 60, bands, maximum)
    let mark = noise(20, 10, 4, 255)
    let places = [
      "northwest": (6, 6), "southeast": (74, 44), "center": (40, 25), "north": (40, 6),
      "west": (6, 25),
    ]
    for (gravity, place) in places {
      for opacity in [1, 0.4] {
        let filters =
          #"[{"filter": "watermark", "image": "m.png", "gravity": "\#(gravity)", "scale": 0.2, "margin": 0.1, "opacity": \#(opacity)}]"#
        let file = try Studio.develop(photo.file(), filters, files: ["m.png": mark.file()])
        let wanted = Self.laid(mark, at: place, over: photo, opacity)
        let difference = try Samples(file: file).difference(from: wanted)
        #expect(difference <= (maximum == 255 ? 1 : 4), "\(gravity) \(opacity): \(difference)")
      }
    }
  }

  /// The expected picture: `photo × (1 − α) + mark × α` with premultiplied colours, mixed with the
  /// photo by the opacity.
  private static func laid(
    _ mark: Samples, at place: (x: Int, y: Int), over photo: Samples, _ opacity: Double
  ) -> Samples {
    var result = photo
    let full = Double(photo.maximum)
    func rounded(_ value: Double) -> Double { (value * full).rounded() / full }
    for y in 0..<mark.height {
      for x in 0..<mark.width {
        let top = mark[x, y].map { Double($0) / 255 }
        let base = photo[place.x + x, place.y + y].map { Double($0) / full }
        let below = base.count == 4 ? base[3] : 1
        let alpha = top[3] + below * (1 - top[3])
        var mixed = (0..<3).map { band in
          alpha == 0 ? 0 : (top[band] * top[3] + base[band] * below * (1 - top[3])) / alpha
        }
        if base.count == 4 { mixed.append(alpha) }
        let start = ((place.y + y) * photo.width + place.x + x) * photo.bands
        // The overlay is rounded to the photo's sample format before the opacity is applied.
        let over = opacity == 1 ? mixed : mixed.map(rounded)
        let clear = base.count == 4 ? (base[3], over[3]) : (1, 1)
        let visible = clear.0 + opacity * (clear.1 - clear.0)
        let part = visible == 0 ? opacity : opacity * clear.1 / visible
        for (band, value) in over.enumerated() {
          let faded = base[band] + (band == 3 ? opacity : part) * (value - base[band])
          result.values[start + band] = Int((faded * full).rounded())
        }
      }
    }
    return result
  }
}
