import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_heal`, compared with the solution of Poisson's equation in double precision.
@Suite struct HealTests {
  /// A spot in pixels.
  private struct Spot {
    var (x, y): (Double, Double)
    var radius: Double
    var feather = 0.25
    var source: (x: Double, y: Double)?

    var outer: Double { radius * (1 + feather) }

    func distance(_ column: Int, _ row: Int) -> Double {
      hypot(Double(column) + 0.5 - x, Double(row) + 0.5 - y)
    }

    func numbers(_ photo: Raster) -> [Double] {
      let (width, height) = (Double(photo.width), Double(photo.height))
      return [
        x / width, y / height, radius / max(width, height), feather,
        source.map { $0.x / width } ?? -1, source.map { $0.y / height } ?? -1,
      ]
    }
  }

  private static func applied(
    _ photo: Raster, _ spots: [Spot], _ format: SampleFormat
  ) throws -> Image {
    try photo.image(as: format).applying(
      "phbatch_heal",
      [
        "spots": .numbers(spots.flatMap { $0.numbers(photo) }),
        "format": .choice(format.rawValue),
      ])
  }

  /// A photo without alpha whose spot is filled from its source.
  ///
  /// The equation is solved by averaging neighbours repeatedly, until the values no longer change.
  private static func healed(_ photo: Raster, _ spot: Spot) throws -> Raster {
    let source = try #require(spot.source)
    let way = (Int((source.x - spot.x).rounded()), Int((source.y - spot.y).rounded()))
    func isInside(_ x: Int, _ y: Int) -> Bool { spot.distance(x, y) <= spot.outer }
    func exists(_ x: Int, _ y: Int) -> Bool {
      (0..<photo.width).contains(x) && (0..<photo.height).contains(y)
    }
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    var correction = Raster(photo.width, photo.height, bands: 3) { x, y, band in
      let (u, v) = (x + way.0, y + way.1)
      if isInside(x, y) || !exists(u, v) { return 0 }
      return photo.value(x, y, band) - photo.value(u, v, band)
    }
    var change = 1.0
    while change > 1e-9 {
      change = 0
      for y in 0..<photo.height {
        for x in 0..<photo.width where isInside(x, y) {
          let around = steps.map { (x + $0.0, y + $0.1) }.filter { exists($0.0, $0.1) }
          for band in 0..<3 {
            let sum = around.reduce(0) { $0 + correction.value($1.0, $1.1, band) }
            let at = (y * photo.width + x) * 3 + band
            let mean = sum / Double(around.count)
            change = max(change, abs(mean - correction.values[at]))
            correction.values[at] = mean
          }
        }
      }
    }
    return photo.mapped { x, y, band in
      let distance = spot.distance(x, y)
      if distance > spot.outer { return photo.value(x, y, band) }
      let cover =
        spot.feather > 0 ? 1 - smoothStep(spot.radius, spot.outer, distance) : 1
      let new = photo.value(x + way.0, y + way.1, band) + correction.value(x, y, band)
      return photo.value(x, y, band) + cover * (new - photo.value(x, y, band))
    }
  }

  private static let cases = [
    Spot(x: 20.3, y: 15.8, radius: 6, source: (40.3, 17.8)),
    Spot(x: 20.3, y: 15.8, radius: 8, feather: 0, source: (40, 20)),
    Spot(x: 30, y: 3, radius: 5, feather: 1, source: (30, 25)),
    Spot(x: 0, y: 0, radius: 9, source: (30, 20)),
    Spot(x: 59.5, y: 39.5, radius: 7, feather: 0.5, source: (30.5, 20.5)),
    Spot(x: 25.5, y: 20.5, radius: 0.5, feather: 0, source: (40.5, 20.5)),
  ]

  @Test(arguments: cases.indices, SampleFormat.allCases)
  func theHealKernelMatchesItsFormula(_ number: Int, _ format: SampleFormat) throws {
    let spot = Self.cases[number]
    let photo = Raster.noise(60, 40, bands: 3, in: 0.2...0.8).stored(as: format)
    let found = try Raster(
      width: 60, height: 40, bands: 3,
      values: Raster.values(of: Self.applied(photo, [spot], format).pixels(), as: format))
    let wanted = try Self.healed(photo, spot)
    // The membrane is exact to 1/500 of the range of its border, which is below 1.2 here.
    let tolerance = 1.2 / 500 + (format == .uchar ? 0.5 / 255 : 1e-5)
    for y in 0..<40 {
      for x in 0..<60 {
        let isOutside = spot.distance(x, y) > spot.outer
        for band in 0..<3 {
          let value = wanted.value(x, y, band)
          // Integers are clipped.
          let stored = format == .float ? value : min(1, max(0, value))
          let difference = abs(found.value(x, y, band) - stored)
          let limit = isOutside ? 1e-6 : tolerance
          #expect(difference <= limit, "\(x), \(y): \(difference)")
        }
      }
    }
  }

  /// A blemish on a brightness ramp disappears: the correction of a ramp is a plane, whichever
  /// source is used.
  @Test(arguments: [3, 4], [nil, (110.0, 60.0)] as [(Double, Double)?])
  func aBlemishOnARampIsRemoved(_ bands: Int, _ source: (Double, Double)?) throws {
    let ramp = Raster(160, 120, bands: bands) { x, y, band in
      band == 3 ? 1 : 0.1 + 0.003 * Double(x) + 0.002 * Double(y) * Double(band)
    }
    let spot = Spot(x: 60, y: 50, radius: 12, source: source)
    let photo = ramp.mapped { x, y, band in
      spot.distance(x, y) < 11 && band < 3 ? 0 : ramp.value(x, y, band)
    }
    let output = try Self.applied(photo, [spot], .float)
    let found = Raster(
      width: 160, height: 120, bands: bands,
      values: Raster.values(of: try output.pixels(), as: .float))
    let error = zip(found.values, ramp.values).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.0015, "\(error)")
  }

  /// A scratch under a row of overlapping spots is filled from pixels outside all spots.
  @Test func overlappingSpotsAreHealedTogether() throws {
    let ramp = Raster(200, 100, bands: 3) { x, y, _ in
      0.2 + 0.002 * Double(x) + 0.001 * Double(y)
    }
    let photo = ramp.mapped { x, y, band in
      (30..<170).contains(x) && (48..<53).contains(y) ? 1 : ramp.value(x, y, band)
    }
    let spots = stride(from: 30, through: 170, by: 7).map { x in
      Spot(x: Double(x), y: 50.5, radius: 6)
    }
    let output = try Self.applied(photo, spots, .float)
    let found = Raster(
      width: 200, height: 100, bands: 3,
      values: Raster.values(of: try output.pixels(), as: .float))
    let error = zip(found.values, ramp.values).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.003, "\(error)")
  }

  /// A spot that fills the photo, or that is surrounded by other spots only, stays unchanged.
  @Test func spotsWithoutSurroundingsStayUnchanged() throws {
    let photo = Raster.noise(20, 10, bands: 3)
    let spot = Spot(x: 10, y: 5, radius: 40)
    let output = try Self.applied(photo, [spot], .uchar)
    #expect(try output.pixels() == photo.bytes(as: .uchar))
  }

  /// If a photo is too small for a source, only the membrane fills the spot.
  ///
  /// Transparent pixels are not used as border or source, and alpha stays unchanged.
  @Test func spotsInSmallAndTransparentPhotosAreHealed() throws {
    let spot = Spot(x: 9, y: 8, radius: 5)
    let photo = Raster(18, 16, bands: 4) { x, y, band in
      let alpha = x < 14 ? 1.0 : 0
      let colour = spot.distance(x, y) < 4 ? 0 : 0.25 + 0.25 * Double(band)
      return band == 3 ? alpha : colour * alpha
    }
    let output = try Self.applied(photo, [spot], .float)
    let found = Raster(
      width: 18, height: 16, bands: 4, values: Raster.values(of: try output.pixels(), as: .float))
    for y in 0..<16 {
      for x in 0..<18 {
        for band in 0..<4 {
          let wanted =
            band == 3 ? photo.value(x, y, 3) : photo.value(x, y, 3) * (0.25 + 0.25 * Double(band))
          #expect(abs(found.value(x, y, band) - wanted) < 1e-4, "\(x), \(y), \(band)")
        }
      }
    }
  }

  @Test func incompleteDescriptionsOfSpotsThrow() throws {
    let photo = try Raster.noise(20, 10, bands: 3).image(as: .uchar)
    #expect(throws: VipsError.self) {
      try photo.applying(
        "phbatch_heal", ["spots": .numbers([0.5, 0.5, 0.1]), "format": .choice("uchar")])
    }
  }
}
