import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRecipes

/// The order of tones in unclipped light: for every tone filter, greys from below black to far
/// above white stay in order and have no jumps between them.
@Suite struct ToneOrderTests {
  private static let width = 512

  /// Display-encoded greys at even steps; their light is -0.25…4, where 1 is white.
  private static let tones: [Double] = {
    let (low, high) = (Curve.encode(-0.25), Curve.encode(4))
    return (0..<width).map { low + (high - low) * Double($0) / Double(width - 1) }
  }()

  /// A picture of the greys, the darkest on the left, in floating-point linear light.
  private static let ramp = Result {
    let row = tones.flatMap { tone in Array(repeating: Float(Curve.decode(tone)), count: 3) }
    let image = try Image(
      samples: (0..<24).flatMap { _ in row }, width: width, height: 24, bands: 3
    ).applying("copy", ["interpretation": .choice("scrgb")])
    return try SyntheticPhoto.bytes(image, "tiffsave_target")
  }

  /// Filters that turn tones around: brighter tones become darker.
  private static let reversing: Set = ["invert", "negative"]
  /// Filters that are meant to have jumps, or to fall above a threshold.
  private static let jumping: Set = ["posterize", "threshold"]
  private static let bending: Set = ["solarize"]
  /// The largest allowed slope, in display-encoded values, for filters with settings that stretch
  /// tones.
  ///
  /// The slopes are reached by a gain of 6 or 10 stops, a power of 0.1 near black, a tone range of
  /// a thousandth, a lightness multiplied by 2.8 near black, and the limit of a histogram step. The
  /// slope of other filters is at most 8.
  private static let steepest: [String: Double] = [
    "exposure": 1100, "autoExposure": 70, "gamma": 300, "levels": 1100, "negative": 1e6,
    "light": 45, "localLight": 45, "clahe": 101,
    "toneEqualizer": 45,
  ]
  /// The largest allowed fall between two increasing tones, for filters whose curves differ from
  /// place to place: 1.5 and 0.3 levels of 255.
  private static let largestFall = ["clahe": 0.006, "toneEqualizer": 0.0012]
  /// Settings of `levels` whose purpose is to move one tone past another, so they are not tested.
  private static let moving = ["outShadow", "outMiddle", "outHighlight", "outWhite", "outBlack"]

  static let filters = Catalog.filters.filter { $0.category == .tone }.map { $0.name }

  /// The results for the greys, display-encoded and not clipped in -1…4.
  private static func result(_ steps: String) throws -> [Double] {
    let row = "[0.2, 0, 0, 0.2], [0, 0.2, 0, 0.2], [0, 0, 0.2, 0.2]"
    let last = #"{"filter": "matrix", "id": "last", "values": "encoded", "rows": [\#(row)]}"#
    let photo = try Studio.develop(ramp.get(), "[\(steps), \(last)]")
    let samples = try Samples(file: photo)
    try #require(samples.width == width && samples.maximum == 65_535)
    return (0..<width).map { Double(samples[$0, 12, 1]) / 65_535 * 5 - 1 }
  }

  @Test(
    arguments: TestVolume.pairs(
      filters, ["", #"{"filter": "exposure", "id": "first", "stops": 1}, "#]))
  func everyToneFilterKeepsTheOrderOfTones(_ name: String, _ before: String) throws {
    let filter = try #require(Catalog.filter(named: name))
    for text in CatalogueTests.examples(of: filter) where (try? Studio.recipe(text)) != nil {
      if Self.moving.contains(where: { text.contains($0) }) { continue }
      let found = try Self.result(before + text.dropFirst().dropLast())
      let sign = Self.reversing.contains(name) ? -1.0 : 1
      var (fall, steepest) = (0.0, 0.0)
      for x in 1..<Self.width {
        let step = sign * (found[x] - found[x - 1])
        fall = max(fall, -step)
        steepest = max(steepest, abs(step) / (Self.tones[x] - Self.tones[x - 1]))
      }
      // The 16-bit levels of the result are 0.00008 apart, so a fall by a few levels may be
      // rounding.
      let most = Self.largestFall[name] ?? 0.0005
      if !Self.bending.contains(name) { #expect(fall < most, "\(text) falls by \(fall)") }
      if Self.jumping.contains(name) || Self.bending.contains(name) { continue }
      #expect(steepest <= Self.steepest[name] ?? 8, "\(text) has a slope of \(steepest)")
    }
  }
}
