import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Spots that are replaced by other parts of the photo.
@Suite struct HealTests {
  /// A picture of a gradient, and of a texture of waves and noise that repeats nowhere exactly.
  private static let clean = {
    let grain = Samples.grain(around: 0.5, deviation: 0.006, 400, 300)
    return Samples(400, 300, maximum: 65_535) { x, y in
      let wave = 0.04 * sin(Double(x) / 2.3) * cos(Double(y) / 3.1)
      let noise = Double(grain[x, y, 0]) / 65_535 - 0.5
      let slope = 0.3 + 0.0008 * Double(x) + 0.0005 * Double(y)
      return [1, 0.9, 0.7].map { Int(((slope * $0 + wave + noise) * 65_535).rounded()) }
    }
  }()

  private static func distance(_ x: Int, _ y: Int, _ at: (Double, Double)) -> Double {
    hypot(Double(x) + 0.5 - at.0, Double(y) + 0.5 - at.1)
  }

  /// The clean picture with a dark blemish of a radius of 8 pixels.
  private static func blemished(_ at: (Double, Double)) -> Samples {
    Samples(400, 300, maximum: 65_535) { x, y in
      distance(x, y, at) < 8 ? [9000, 7000, 5000] : clean[x, y]
    }
  }

  /// Rows of a file are read once, from the top down, also if the source is far below the spot.
  @Test func aSourceCanBeFarBelowItsSpot() throws {
    let file = try Samples.noise(300, 2_600).file()
    func healed(_ before: String, _ spot: String) throws -> Samples {
      let steps = before + #"{"filter": "heal", "spots": [\#(spot)]}"#
      return try Samples(file: Studio.develop(file, "[\(steps)]"))
    }
    let found = try healed("", #"{"at": [0.3, 0.1], "radius": 20, "source": [0.4, 0.9]}"#)
    // A turned photo has all rows in memory.
    let other = try healed(
      #"{"filter": "rotate", "angle": 180}, "#,
      #"{"at": [0.7, 0.9], "radius": 20, "source": [0.6, 0.1]}"#)
    let plain = try Samples(file: file)
    for (x, y) in [(90, 260), (80, 255), (100, 270), (90, 245), (20, 260), (150, 2_340)] {
      let pair = zip(found[x, y], other[299 - x, 2_599 - y])
      #expect(pair.allSatisfy { abs($0 - $1) <= 2 }, "\(x), \(y)")
    }
    #expect(found[90, 260] != plain[90, 260] && found[20, 260] == plain[20, 260])
  }

  /// The blemish is gone: the healed picture differs from the clean picture as much as two parts of
  /// the texture differ from each other, and its mean tone is the same within two levels of 255.
  @Test(arguments: [(160.0, 150.0), (30.0, 20.0), (400.0, 300.0), (200.0, 2.0)])
  func healingRemovesABlemish(_ at: (Double, Double)) throws {
    let photo = Self.blemished(at)
    let spot = #"{"at": [\#(at.0 / 400), \#(at.1 / 300)], "radius": 9}"#
    let found = try Heal.applied(to: photo, #""spots": [\#(spot)]"#)
    var (differences, sum): ([Double], Double) = ([], 0)
    for y in 0..<300 {
      for x in 0..<400 {
        if Self.distance(x, y, at) > 11.25 {
          #expect(found[x, y] == photo[x, y], "\(x), \(y)")
        } else {
          let difference = Double(found[x, y, 1] - Self.clean[x, y, 1]) / 257
          differences.append(difference)
          sum += difference
        }
      }
    }
    let squares = differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)
    #expect(squares.squareRoot() < 5, "\(squares.squareRoot())")
    #expect(abs(sum) / Double(differences.count) < 2, "\(sum / Double(differences.count))")
  }

  /// At the border of the healed spot, neighbouring pixels differ hardly more than in the clean
  /// picture.
  @Test(arguments: [0, 0.25, 1]) func theBorderOfAHealedSpotShowsNoSeam(_ feather: Double) throws {
    let at = (160.0, 150.0)
    let spot = #"{"at": [0.4, 0.5], "radius": 12, "feather": \#(feather), "source": [0.6, 0.6]}"#
    let found = try Heal.applied(to: Self.blemished(at), #""spots": [\#(spot)]"#)
    func steps(_ photo: Samples, _ radius: Double) -> Double {
      var sum = 0.0
      for y in 120..<180 {
        for x in 130..<190 {
          let pair = (Self.distance(x, y, at), Self.distance(x + 1, y, at))
          guard (pair.0 <= radius) != (pair.1 <= radius) else { continue }
          sum += abs(Double(photo[x + 1, y, 1] - photo[x, y, 1])) / 257
        }
      }
      return sum
    }
    for radius in [11, 12, 12 * (1 + feather)] {
      let (border, clean) = (steps(found, radius), steps(Self.clean, radius))
      #expect(border < 1.4 * clean, "\(radius): \(border) \(clean)")
    }
  }

  /// If the step states a source, the spot gets the texture of this source, but not its tone.
  @Test func aGivenSourceContributesItsTextureButNotItsTone() throws {
    let photo = Samples(200, 100) { x, y in
      x < 100 ? [100, 120, 140] : (x + y) % 4 < 2 ? [190, 200, 210] : [170, 180, 190]
    }
    let found = try Heal.applied(
      to: photo,
      #""spots": [{"at": [0.25, 0.5], "radius": 12, "feather": 0, "source": [0.75, 0.5]}]"#)
    let part = found.part(44, 44, 12, 12)
    #expect(abs(part.mean * 255 - 100) < 3, "\(part.mean * 255)")
    #expect(part.deviation * 255 > 8, "\(part.deviation * 255)")
  }

  /// A spot is not used as the source of another spot: of two equal blemishes, the right one does
  /// not fill the left one.
  @Test func aSpotIsNotUsedAsTheSourceOfAnotherSpot() throws {
    let photo = Samples(200, 100) { x, y in
      let isDust = [60, 90].contains { hypot(Double(x) - $0, Double(y) - 50) < 5 }
      return isDust ? [40, 40, 40] : [150, 160, 170]
    }
    let spots = #"{"at": [0.3, 0.5], "radius": 7}, {"at": [0.45, 0.5], "radius": 7}"#
    let found = try Heal.applied(to: photo, #""spots": [\#(spots)]"#)
    #expect(found == Samples.flat([150, 160, 170], 200, 100))
  }

  /// A later crop does not change the healed pixels, whichever part of the photo it keeps.
  @Test func aCropDoesNotChangeTheHealedPixels() throws {
    let photo = Self.blemished((160, 150))
    let heal = Heal.step(#""spots": [{"at": [0.4, 0.5], "radius": 9}]"#)
    let whole = try Samples(file: Studio.develop(photo.file(), "[\(heal)]"))
    let crop = #"{"filter": "crop", "left": 150, "top": 140, "width": 120, "height": 90}"#
    let part = try Samples(file: Studio.develop(photo.file(), "[\(heal), \(crop)]"))
    #expect(part == whole.part(150, 140, 120, 90))
  }

  @Test func invalidSpotsAreRefused() throws {
    Heal.expectRefusal(of: #""spots": [{"at": [1.5, 0.5], "radius": 9}]"#, "of spot 1")
    Heal.expectRefusal(
      of: #""spots": [{"at": [0.5, 0.5], "radius": 0}]"#, #""radius": 0 of spot 1"#)
    let many = Array(repeating: #"{"at": [0.5, 0.5], "radius": 9}"#, count: 201)
    Heal.expectRefusal(of: #""spots": [\#(many.joined(separator: ","))]"#, "found 201 spots")
    try Heal.expectNoChange(#""spots": []"#)
  }
}
