import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// Cut-outs: photos with a soft edge to transparent pixels.
///
/// Every filter must ignore the colours of transparent pixels, and must not treat the edge of the
/// cut-out as a change of colour.
@Suite struct FringeTests {
  private static let (width, height) = (48, 40)

  /// A disc with a soft edge; transparent pixels have the colour `hidden`.
  private static func disc(hidden: Int, _ colour: (_ x: Int, _ y: Int) -> [Int]) -> Samples {
    Samples(width, height) { x, y in
      let distance = hypot(Double(x) - 23.5, Double(y) - 19.5)
      let alpha = Int((255 * min(1, max(0, (18 - distance) / 2))).rounded())
      return alpha > 0 ? colour(x, y) + [alpha] : [hidden, 255 - hidden, hidden, 0]
    }
  }

  private static let noise = Samples.noise(width, height)
  /// Textured discs whose transparent pixels are dark or bright.
  private static let dark = textured(hidden: 0)
  private static let bright = textured(hidden: 255)

  private static func textured(hidden: Int) -> Samples {
    disc(hidden: hidden) { x, y in noise[x, y].map { 60 + $0 / 2 } }
  }

  private static func result(_ photo: Samples, _ filters: String) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), filters, files: CatalogueTests.files()))
  }

  /// The valid example steps of a filter: one in three, or all of them in the whole volume, if the
  /// filter may read neighbouring pixels; else the first three.
  private static func steps(of name: String) throws -> [String] {
    let filter = try #require(Catalog.filter(named: name))
    let steps = CatalogueTests.examples(of: filter).filter { (try? Studio.recipe($0)) != nil }
    let readsNeighbours = [.detail, .effect].contains(filter.category)
    return readsNeighbours ? TestVolume.one(of: 3, steps) : Array(steps.prefix(3))
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func coloursOfTransparentPixelsDoNotInfluenceVisibleOnes(_ name: String) throws {
    for step in try Self.steps(of: name) {
      let found = try Self.result(Self.dark, step)
      let other = try Self.result(Self.bright, step)
      // A pixel with an alpha of a few levels has no exact colour.
      #expect(found.difference(from: other, alpha: 8) <= 1, "\(step)")
    }
  }

  /// Filters that keep a flat photo flat, or change it by position only.
  private static let flat = Catalog.filters.filter {
    [.tone, .colour, .detail, .effect].contains($0.category)
  }.map { $0.name }

  /// A disc of one colour gets the colours of a flat photo.
  @Test(arguments: flat) func aFilteredDiscOfOneColourEqualsAFlatPhoto(_ name: String) throws {
    let colour = [245, 232, 208]
    let disc = Self.disc(hidden: 0) { _, _ in colour }
    let photo = Samples.flat(colour, Self.width, Self.height)
    for step in try Self.steps(of: name) {
      let found = try Self.result(disc, step)
      let wanted = try Self.result(photo, step)
      #expect(found.colourDifference(from: wanted, alpha: 64) <= 2, "\(step)")
    }
  }

  /// Near its edge, a textured disc that was cut out is not darker than the same pixels of the
  /// whole photo.
  ///
  /// The filtered disc is compared with the darker of two photos: filtered and unfiltered, because
  /// wide blurs differ from the filtered photo by chance.
  @Test(arguments: flat) func aCutOutTextureIsNotDarkerNearItsEdge(_ name: String) throws {
    let photo = Samples(Self.width, Self.height) { x, y in Self.noise[x, y].map { 60 + $0 / 2 } }
    for step in try Self.steps(of: name) {
      let found = try Self.result(Self.dark, step)
      let wanted = try Self.result(photo, step)
      let rim = (0..<Self.width * Self.height).map { ($0 % Self.width, $0 / Self.width) }.filter {
        hypot(Double($0.0) - 23.5, Double($0.1) - 19.5) > 14 && found[$0.0, $0.1].last ?? 0 >= 64
      }
      // After a wide blur, there may be no visible pixel near the edge.
      if rim.isEmpty { continue }
      func mean(_ samples: Samples) -> Double { samples.mean(at: rim, bands: wanted.bands) }
      let least = min(mean(wanted), mean(photo))
      #expect(mean(found) >= least - 3, "\(step): \(mean(found)) instead of \(least)")
    }
  }

  /// Consecutive filters that read neighbouring pixels multiply colours by alpha only once, before
  /// the first filter.
  @Test func consecutiveFiltersMultiplyByAlphaOnce() throws {
    let disc = Self.disc(hidden: 0) { _, _ in [245, 245, 245] }
    let filters =
      #"[{"filter": "resize", "width": 40}, {"filter": "sharpen", "amount": 3, "radius": 2},"#
      + #" {"filter": "median"}, {"filter": "outputSharpen", "strength": 3}]"#
    let found = try Self.result(disc, filters)
    for place in 0..<40 * found.height {
      let pixel = found[place % 40, place / 40]
      if pixel[3] >= 32 { #expect(pixel.prefix(3).allSatisfy { abs($0 - 245) <= 2 }, "\(pixel)") }
    }
  }
}
