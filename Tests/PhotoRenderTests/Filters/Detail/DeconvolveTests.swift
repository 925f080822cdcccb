import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The filter restores sharpness without coloured fringes, wide halos or noise.
@Suite struct DeconvolveTests {
  /// An edge between two colours, blurred in linear light.
  private static func blurred(_ sigma: Double) -> Samples {
    Samples(80, 24, maximum: 65_535) { x, _ in
      let part = 0.5 * (1 + erf((Double(x) - 39.5) / (sigma * 2.0.squareRoot())))
      return [(0.05, 0.6), (0.04, 0.5), (0.03, 0.3)].map { dark, bright in
        Int((65_535 * PointFormulas.display(dark + (bright - dark) * part)).rounded())
      }
    }
  }

  private static func light(_ colour: [Int]) -> Double {
    zip(colour, [0.2126, 0.7152, 0.0722])
      .reduce(0) { $0 + PointFormulas.light(Double($1.0) / 65_535) * $1.1 }
  }

  private static func steepest(_ photo: Samples) -> Int {
    (0..<photo.width - 1).map { photo[$0 + 1, 12, 1] - photo[$0, 12, 1] }.max() ?? 0
  }

  @Test func edgesGetSteeperWithoutHalos() throws {
    let photo = Self.blurred(0.9)
    let found = try Deconvolve.applied(to: photo, #""radius": 0.9, "halo": 1"#)
    #expect(Double(Self.steepest(found)) > 1.25 * Double(Self.steepest(photo)))
    for x in 0..<80 {
      let light = Self.light(found[x, 12])
      #expect(light > Self.light(photo[0, 12]) - 1e-4, "\(x): \(light)")
      #expect(light < Self.light(photo[79, 12]) + 1e-4, "\(x): \(light)")
    }
  }

  /// In linear light, the filter keeps the ratio of a pixel's channels.
  @Test func sharpeningKeepsHues() throws {
    let photo = Self.blurred(0.8)
    let found = try Deconvolve.applied(to: photo, #""radius": 0.8"#)
    func ratio(_ colour: [Int]) -> Double {
      PointFormulas.light(Double(colour[0]) / 65_535)
        / PointFormulas.light(Double(colour[2]) / 65_535)
    }
    for x in 10..<70 {
      let (old, new) = (ratio(photo[x, 12]), ratio(found[x, 12]))
      #expect(abs(new / old - 1) < 0.01, "\(x): \(old) \(new)")
    }
  }

  /// Noise below the threshold is not amplified.
  @Test func noiseBelowTheThresholdIsNotAmplified() throws {
    let photo = Samples.grain(around: 0.5, deviation: 0.004, 120, 80)
    let damped = try Deconvolve.applied(to: photo, #""threshold": 0.05"#)
    #expect(damped.deviation < 1.02 * photo.deviation, "\(damped.deviation / photo.deviation)")
    let plain = try Deconvolve.applied(to: photo, #""threshold": 0"#)
    #expect(plain.deviation > 1.3 * photo.deviation, "\(plain.deviation / photo.deviation)")
  }

  @Test func aFlatPictureStaysUnchanged() throws {
    let photo = Samples.flat([200, 90, 17], 40, 30)
    #expect(try Deconvolve.applied(to: photo) == photo)
    Deconvolve.expectRefusal(of: #""radius": 0"#, "from 0.3 to 2 pixels")
    Deconvolve.expectRefusal(of: #""iterations": 21"#, "from 1 to 20")
    try Deconvolve.expectNoChange(#""amount": 0"#)
  }
}
