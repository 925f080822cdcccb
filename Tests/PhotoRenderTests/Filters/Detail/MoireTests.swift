import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// The filter removes the false colours of fine patterns; real colours and the luminance stay.
@Suite struct MoireTests {
  /// Filters that compute many rows together, with a mask over a photo that is read row by row.
  @Test(
    arguments: [
      #""filter": "moire""#, #""filter": "moire", "radius": 8"#,
      #""filter": "defringe", "radius": 6"#, #""filter": "defringe", "radius": 8"#,
      #""filter": "deconvolve", "radius": 2, "iterations": 2"#,
      #""filter": "deconvolve", "radius": 0.7, "iterations": 4"#,
    ])
  func filtersOfManyRowsTakeMasks(_ step: String) throws {
    let photo = try Samples.noise(400, 900).file()
    let mask = #""mask": {"radial": {"radius": 0.3, "feather": 0}}"#
    func developed(_ more: String) throws -> Samples {
      try Samples(file: Studio.develop(photo, "[{\(step)\(more)}]"))
    }
    let (found, whole) = (try developed(", " + mask), try developed(""))
    let plain = try Samples(file: photo)
    #expect(found[200, 450] == whole[200, 450] && found[200, 400] == whole[200, 400])
    #expect(found[5, 5] == plain[5, 5] && found[390, 880] == plain[390, 880])
  }

  private static func light(_ colour: [Int]) -> Double {
    zip(colour, [0.2126, 0.7152, 0.0722])
      .reduce(0) { $0 + PointFormulas.light(Double($1.0) / 255) * $1.1 }
  }

  /// Cloth: fine light and dark threads, and coloured waves with a period of nine pixels.
  private static func cloth(_ angle: Double) -> Samples {
    Samples(160, 120) { x, y in
      let thread = (x + y) % 2 == 0 ? 12 : -12
      let place = Double(x) * cos(angle) + Double(y) * sin(angle)
      let wave = Int((30 * sin(2 * .pi * place / 9)).rounded())
      return [128 + thread + wave, 128 + thread, 128 + thread - wave]
    }
  }

  @Test(arguments: [0, 0.5, 1.2]) func falseColoursOfFinePatternsAreRemoved(_ angle: Double) throws
  {
    let photo = Self.cloth(angle)
    let found = try Moire.applied(to: photo)
    for (x, y) in [(40, 40), (41, 40), (44, 60), (80, 61), (100, 90)] {
      let (old, new) = (photo[x, y], found[x, y])
      #expect(abs(new[0] - new[2]) <= max(5, abs(old[0] - old[2]) / 3), "\(old) \(new)")
      #expect(abs(Self.light(new) - Self.light(old)) < 0.006, "\(old) \(new)")
    }
    let half = try Moire.applied(to: photo, #""amount": 0.5"#)
    #expect(half != photo && half != found)
  }

  /// An edge between two colours, an area, a single line and a single point keep their exact
  /// values.
  @Test func realColoursStayUnchanged() throws {
    let edge = Samples(120, 60) { x, y in
      if x == 20 { return [200, 60, 60] }
      if (x, y) == (40, 30) { return [20, 90, 200] }
      return x < 70 ? [120, 120, 120] : [60, 140, 60]
    }
    #expect(try Moire.applied(to: edge) == edge)
    let grey = Samples.noise(60, 40, bands: 1).values
    let photo = Samples(60, 40) { x, y in Array(repeating: grey[y * 60 + x], count: 3) }
    #expect(try Moire.applied(to: photo).difference(from: photo) <= 1)
  }

  @Test func invalidSettingsOfMoireAreRefused() throws {
    Moire.expectRefusal(of: #""radius": 0"#, "from 1 to 16")
    Moire.expectRefusal(of: #""amount": 1.1"#, "from 0 to 1")
    try Moire.expectNoChange(#""amount": 0"#)
  }
}
