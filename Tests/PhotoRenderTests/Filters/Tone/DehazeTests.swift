import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// White objects are not treated as haze, and real haze is removed.
@Suite struct DehazeTests {
  private static let (width, height) = (512, 384)

  private static func photo(_ colour: (_ x: Int, _ y: Int) -> [Double]) -> Samples {
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width { values += colour(x, y).map { Int((65_535 * $0).rounded()) } }
    }
    return Samples(width: width, height: height, bands: 3, maximum: 65_535, values: values)
  }

  private static func dehazed(_ photo: Samples) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), #"[{"filter": "dehaze", "amount": 1}]"#))
  }

  private static func isDress(_ x: Int, _ y: Int, _ size: Double = 1) -> Bool {
    let (across, down) = ((Double(x) - 256) / 140, (Double(y) - 200) / 150)
    return across * across + down * down < size
  }

  /// A white dress with folds in front of leaves, without any haze.
  @Test func aWhiteDressWithoutHazeStaysWhite() throws {
    let photo = Self.photo { x, y in
      if Self.isDress(x, y) {
        let fold = 0.92 + 0.06 * sin(Double(x) / 14)
        return [fold, 0.995 * fold, 0.985 * fold]
      }
      let isLight = (x / 8 + y / 8) % 2 == 1
      return isLight ? [0.22, 0.3, 0.13] : [0.12, 0.2, 0.08]
    }
    let found = try Self.dehazed(photo)
    var sum = 0.0
    var most = 0.0
    var count = 0.0
    for y in 0..<Self.height {
      for x in 0..<Self.width where Self.isDress(x, y, 0.8) {
        let change = Double(abs(found[x, y, 1] - photo[x, y, 1])) / 257
        (sum, most, count) = (sum + change, max(most, change), count + 1)
      }
    }
    #expect(sum / count <= 8 && most <= 20, "mean \(sum / count), at most \(most)")
  }

  /// Cream paper in stripes of sun and shade beside a white wall, without any haze.
  @Test func creamPaperWithoutHazeKeepsItsColour() throws {
    let photo = Self.photo { x, y in
      if y > 300 { return x > 300 ? [0.97, 0.97, 0.97] : [0.15, 0.14, 0.12] }
      let stripe = 0.5 + 0.5 * sin(Double(x + y) / 9)
      let light = 0.62 + 0.3 * stripe
      return [light, 0.93 * light, (0.72 + 0.1 * stripe) * light]
    }
    let found = try Self.dehazed(photo)
    func saturation(_ samples: Samples) -> Double {
      var sum = 0.0
      for y in 20..<280 {
        for x in 20..<490 {
          let pixel = samples[x, y]
          sum += Double(pixel[0] - pixel[2]) / Double(pixel[0])
        }
      }
      return sum / (260 * 470)
    }
    let (before, after) = (saturation(photo), saturation(found))
    #expect(after < 1.2 * before, "\(before) became \(after)")
  }

  /// Squares with increasing bluish haze towards the top.
  @Test func realHazeIsRemoved() throws {
    let air = [0.85, 0.87, 0.9]
    let photo = Self.photo { x, y in
      let part = 0.25 + 0.75 * Double(y) / Double(Self.height)
      let isLight = (x / 10 + y / 10) % 2 == 1
      let colour = isLight ? [0.7, 0.65, 0.5] : [0.2, 0.25, 0.1]
      return zip(colour, air).map { $0 * part + $1 * (1 - part) }
    }
    let found = try Self.dehazed(photo)
    func contrast(_ samples: Samples, _ row: Int) -> Double {
      let levels = (row..<row + 20).flatMap { y in
        (100..<400).map { Double(samples[$0, y, 1]) }
      }
      let mean = levels.reduce(0, +) / Double(levels.count)
      return levels.reduce(0) { $0 + abs($1 - mean) } / Double(levels.count)
    }
    // In row 80, two fifths of the scene's contrast come through the haze; in row 200, half of it.
    for (row, gain) in [(80, 1.9), (200, 1.5)] {
      let found = contrast(found, row) / contrast(photo, row)
      #expect(found >= gain, "at \(row): × \(found)")
    }
  }

  /// A grey street under a blue sky, in bluish haze, with a dark head and a house in the shade.
  private static func street(_ x: Int, _ y: Int) -> [Double] {
    if hypot(Double(x) - 150, Double(y) - 130) < 34 { return [0.1, 0.1, 0.1] }
    if x > 330 && y > 60 {
      return (x / 6 + y / 6) % 2 == 1 ? [0.3, 0.34, 0.42] : [0.2, 0.23, 0.3]
    }
    if y > 250 { return Array(repeating: 0.5 + Double(x % 40) / 400, count: 3) }
    let height = Double(y) / 250
    return [0.45 + 0.35 * height, 0.62 + 0.22 * height, 0.85 + 0.08 * height]
  }

  /// At full strength greys stay grey, hues stay, and no channel reaches black or white.
  @Test func huesStayAtFullStrength() throws {
    let photo = Self.photo(Self.street)
    let found = try Self.dehazed(photo)
    var (turn, colour) = (0.0, 0)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let (before, after) = (photo[x, y], found[x, y])
        if before.max() == before.min() {
          colour = max(colour, (after.max() ?? 0) - (after.min() ?? 0))
        } else {
          turn = max(turn, abs(Self.hue(after) - Self.hue(before)))
        }
        #expect((after.min() ?? 0) > 0 && (after.max() ?? 65_535) < 65_535)
      }
    }
    #expect(turn <= 3, "hues turn by \(turn) degrees")
    #expect(colour <= 1, "greys differ by \(colour) of 65535")
  }

  /// The hue of OKLab in degrees.
  private static func hue(_ pixel: [Int]) -> Double {
    let lab = PointFormulas.oklab(pixel.map { Double($0) / 65_535 })
    return atan2(lab[2], lab[1]) * 180 / .pi
  }

  /// The sky beside a dark head is dehazed like the sky further away.
  @Test func theSkyBesideADarkHeadIsDehazedLikeTheRest() throws {
    let found = try Self.dehazed(Self.photo(Self.street))
    for y in stride(from: 100, through: 160, by: 4) {
      let far = found[40, y]
      for x in [104, 108, 112, 190, 194, 200] {
        let apart = zip(found[x, y], far).map { abs($0 - $1) }.max() ?? 65_535
        let inside = hypot(Double(x) - 150, Double(y) - 130) < 37
        #expect(inside || apart <= 4 * 257, "at \(x), \(y): \(found[x, y]) instead of \(far)")
      }
    }
  }

  /// A pale wall that becomes brighter to the right, behind a dark lattice on its left half.
  ///
  /// The squares around the holes of the lattice are dark; the wall beside it does not become brighter
  /// than the wall further away.
  @Test(arguments: [0.7, 1])
  func theWallBesideADarkLatticeDoesNotGlow(_ amount: Double) throws {
    let photo = Self.photo { x, y in
      if y < 40 { return [0.95, 0.96, 0.97] }
      let isBar = x < 200 && (x % 12 < 5 || y % 12 < 5)
      let wall = 0.5 + 0.1 * Double(x) / Double(Self.width)
      return isBar ? [0.08, 0.08, 0.08] : [wall, 1.01 * wall, 1.02 * wall]
    }
    let found = try Samples(
      file: Studio.develop(photo.file(), #"[{"filter": "dehaze", "amount": \#(amount)}]"#))
    func tone(_ x: Int) -> Double {
      Double((180..<220).map { found[x, $0, 1] }.reduce(0, +)) / 40 / 257
    }
    let beside = (204..<260).map(tone)
    var (most, fall) = (0.0, 0.0)
    for value in beside {
      most = max(most, value)
      fall = max(fall, most - value)
    }
    #expect(fall <= 2, "falls by \(fall) from \(most)")
    #expect(tone(400) < Double(photo[400, 200, 1]) / 257 - 15)
  }

  /// Orange trees in front of a hazy mountain of the same luma: the mountain beside the trees is
  /// dehazed like the mountain further away.
  @Test(arguments: [0.7, 1])
  func theMountainBehindTreesOfTheSameLumaDoesNotGlow(_ amount: Double) throws {
    let photo = Self.photo { x, y in
      if y < 60 { return [0.95, 0.97, 0.98] }
      if y < 230 {
        let texture = (x / 7 + y / 7) % 2 == 1 ? 0.01 : -0.01
        return [0.51 + texture, 0.52 + texture, 0.6 + texture]
      }
      let leaves = (x / 5 + y / 5) % 2 == 1 ? 1.04 : 0.96
      return [0.74 * leaves, 0.47 * leaves, 0.2 * leaves]
    }
    let found = try Samples(
      file: Studio.develop(photo.file(), #"[{"filter": "dehaze", "amount": \#(amount)}]"#))
    func tone(_ y: Int) -> Double {
      let rows = (y..<y + 4).flatMap { y in (100..<400).map { found[$0, y, 1] } }
      return Double(rows.reduce(0, +)) / Double(rows.count) / 257
    }
    let far = tone(130)
    for y in stride(from: 150, through: 226, by: 4) {
      #expect(abs(tone(y) - far) <= 3, "at \(y): \(tone(y)) instead of \(far)")
    }
    #expect(far < Double(photo[250, 130, 1]) / 257 - 30)
  }

  /// A negative amount adds haze: a photo without haze, with black as its darkest tone, loses
  /// contrast.
  @Test func aNegativeAmountAddsHaze() throws {
    let photo = Self.photo { x, y in
      (x / 10 + y / 10) % 2 == 1 ? [0.6, 0.62, 0.65] : [0.05, 0.02, 0.1]
    }
    let found = try Dehaze.applied(to: photo, #""amount": -1"#)
    #expect(found.deviation <= photo.deviation && found.mean >= photo.mean)
    try Dehaze.expectNoChange(#""amount": 0"#)
  }
}
