import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// DNG files with an X-Trans mosaic.
@Suite struct XTransRawTests {
  private static let pattern = [
    1, 2, 1, 1, 0, 1, 0, 1, 0, 2, 1, 2, 1, 2, 1, 1, 0, 1,
    1, 0, 1, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 1, 2, 1,
  ]
  private static let colours = [0.15, 0.4, 0.25]

  private struct Picture {
    let size: Size
    let samples: [Float]

    subscript(x: Int, y: Int) -> SIMD3<Float> {
      let place = 3 * (y * size.width + x)
      return SIMD3(samples[place], samples[place + 1], samples[place + 2])
    }

    /// The largest difference of a pixel from the pixel in the middle.
    var unevenness: Float {
      let middle = self[size.width / 2, size.height / 2]
      return samples.indices.reduce(0) { max($0, abs(samples[$1] - middle[$1 % 3])) }
    }
  }

  private static func picture(
    _ file: SyntheticDNG, _ settings: RawSettings = RawSettings(), shrink: Int = 1
  ) throws -> Picture {
    let photo = PhotoFile.bytes(file.bytes)
    let image = try RawDevelopment(photo, settings).image(photo, shrink: shrink)
    return Picture(
      size: Size(image.width, image.height), samples: try image.samples(as: Float.self))
  }

  private static func even(_ width: Int = 133, _ height: Int = 97) -> SyntheticDNG {
    var file = SyntheticDNG(
      width: width, height: height, pattern: pattern, black: 300, white: 16_000
    ) { _, _, colour in colours[colour] }
    file.neutral = [1, 1, 1]
    return file
  }

  @Test(arguments: [(22, 22), (25, 40), (133, 97), (667, 601)])
  func evenPicturesStayEvenUpToTheirBorders(_ width: Int, _ height: Int) throws {
    let file = Self.even(width, height)
    for shrink in [1, 3, 6, 12] where min(width, height) >= shrink {
      let picture = try Self.picture(file, shrink: shrink)
      #expect(picture.size == Size(width / shrink, height / shrink))
      #expect(picture.unevenness < 1e-3, "\(shrink): \(picture.unevenness)")
    }
  }

  /// Black that differs by row, by column or in a pattern is subtracted from each sample.
  @Test(arguments: [0, 1, 2])
  func blackDiffersByRowColumnAndPattern(_ kind: Int) throws {
    let plain = Self.even()
    var file = plain
    func extra(_ x: Int, _ y: Int) -> Int {
      switch kind {
      case 0: 30 * (y % 5) - 60
      case 1: 25 * (x % 7) - 75
      default: [0, 40, 80, 120][y % 2 * 2 + x % 2]
      }
    }
    // The highest black sets the scale of all samples.
    let black = file.samples.indices.map { 300 + extra($0 % file.width, $0 / file.width) }
    let range = Double(16_000 - (black.max() ?? 0))
    for place in file.samples.indices {
      let light = (Double(plain.samples[place]) - 300) / 15_700
      file.samples[place] = UInt16((Double(black[place]) + light * range).rounded())
    }
    switch kind {
    case 0: file.floats[50_716] = (0..<file.height).map { Double(extra(0, $0)) }
    case 1: file.floats[50_715] = (0..<file.width).map { Double(extra($0, 0)) }
    default:
      file.shorts[50_713] = [2, 2]
      file.shorts[50_714] = [300, 340, 380, 420]
    }
    let wanted = try Self.picture(plain)
    let found = try Self.picture(file)
    for (a, b) in zip(found.samples, wanted.samples) { #expect(abs(a - b) < 5e-4) }
  }

  /// The visible area may start at any pixel of the frame; the cell starts at its corner.
  @Test(arguments: [[3, 5, 93, 131], [2, 4, 90, 120], [1, 0, 97, 133], [6, 6, 66, 66]])
  func theVisibleAreaStartsAtAnyPixel(_ area: [Int]) throws {
    var file = SyntheticDNG(width: 133, height: 97, pattern: []) { _, _, _ in 0 }
    file.pattern = Self.pattern
    file.samples = (0..<(133 * 97)).map { place in
      let (x, y) = (place % 133 + 60 - area[1], place / 133 + 60 - area[0])
      return UInt16(65_535 * Self.colours[Self.pattern[y % 6 * 6 + x % 6]])
    }
    file.neutral = [1, 1, 1]
    file.activeArea = area
    let picture = try Self.picture(file)
    #expect(picture.size == Size(area[3] - area[1], area[2] - area[0]))
    #expect(picture.unevenness < 1e-3, "\(picture.unevenness)")
  }

  /// A coloured slope is at the same place at all reductions.
  @Test func reducedColoursAreAtTheSamePlace() throws {
    var file = SyntheticDNG(width: 264, height: 198, pattern: Self.pattern) { x, y, colour in
      [0.1 + 0.6 * Double(x) / 264, 0.1 + 0.6 * Double(y) / 198, 0.7 - 0.5 * Double(x) / 264][
        colour]
    }
    file.neutral = [1, 1, 1]
    let whole = try Self.picture(file)
    for shrink in [3, 6] {
      let small = try Self.picture(file, shrink: shrink)
      for (x, y) in [(5, 5), (12, 20), (30, 9)] {
        var mean = SIMD3<Float>.zero
        for place in 0..<(shrink * shrink) {
          mean += whole[x * shrink + place % shrink, y * shrink + place / shrink]
        }
        mean /= Float(shrink * shrink)
        let difference = small[x, y] - mean
        for channel in 0..<3 { #expect(abs(difference[channel]) < 6e-4, "\(difference)") }
      }
    }
  }

  /// Hot and dead pixels are replaced, at the borders too; noise and points of light stay.
  @Test func hotAndDeadPixelsAreReplaced() throws {
    var random = SeededGenerator(seed: 3)
    var sound = SyntheticDNG(width: 150, height: 120, pattern: Self.pattern) { x, y, colour in
      let (u, v) = (Double(x) - 100.3, Double(y) - 80.4)
      let star = 0.5 * exp(-(u * u + v * v) / 1.4)
      let noise = (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
      return Self.colours[colour] + star + 0.01 * noise
    }
    sound.neutral = [1, 1, 1]
    let wanted = try Self.picture(sound)
    var settings = RawSettings()
    settings.hotPixels = .keep
    #expect(try Self.picture(sound, settings).samples == wanted.samples)
    var broken = sound
    let hot = [(20, 30), (61, 40), (90, 91), (0, 50), (149, 119), (33, 1)]
    let dead = [(70, 70), (111, 21), (0, 0)]
    for (x, y) in hot { broken.samples[y * 150 + x] = 65_535 }
    for (x, y) in dead { broken.samples[y * 150 + x] = 0 }
    let mended = try Self.picture(broken)
    let kept = try Self.picture(broken, settings)
    for (x, y) in hot + dead {
      let (after, before) = (mended[x, y] - wanted[x, y], kept[x, y] - wanted[x, y])
      #expect(max(abs(after.x), abs(after.y), abs(after.z)) < 0.1, "\((x, y)) \(after)")
      #expect(max(abs(before.x), abs(before.y), abs(before.z)) > 0.12, "\((x, y)) \(before)")
    }
  }

  /// The noise of the green samples is that of the sensor.
  @Test func theNoiseIsMeasured() throws {
    var random = SeededGenerator(seed: 8)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }
    let file = SyntheticDNG(
      width: 640, height: 480, pattern: Self.pattern, black: 512, white: 16_383
    ) { x, _, colour in
      let light = [0.03, 0.08, 0.18, 0.4][x / 160] * [0.5, 1, 0.7][colour]
      return light + (0.001 * light + 0.00001).squareRoot() * normal()
    }
    let photo = PhotoFile.bytes(file.bytes)
    let noise = try #require(
      try RawDevelopment(photo, RawSettings()).noise(of: photo, RawSamples()))
    #expect(abs(noise.slope / 0.001 - 1) < 0.2, "\(noise)")
  }

  /// Clipped channels are rebuilt as those of a Bayer mosaic.
  @Test func highlightsAreRebuilt() throws {
    func file(_ pattern: [Int]) -> SyntheticDNG {
      SyntheticDNG(width: 192, height: 192, pattern: pattern) { x, y, colour in
        let isBright = (60..<132).contains(x) && (60..<132).contains(y)
        return min(1, [0.8, 1.4, 0.9][colour] * (isBright ? 1 : 0.5))
      }
    }
    var settings = RawSettings()
    settings.highlights = .rebuild
    let (found, wanted) = (
      try Self.picture(file(Self.pattern), settings),
      try Self.picture(file([0, 1, 1, 2]), settings)
    )
    let difference = found[96, 96] - wanted[96, 96]
    #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 0.02, "\(difference)")
    #expect(found[96, 96].max() > 1.05)
  }

  /// Opcodes of list 1 and list 2 are applied to the mosaic.
  @Test func opcodesChangeTheSamples() throws {
    var file = Self.even()
    let before = try Self.picture(file)
    var list = OpcodeList()
    list.add(
      8,
      OpcodeList.numbers(0, 0, 97, 133, 0, 1, 1, 1) + OpcodeList.numbers(1)
        + OpcodeList.doubles([0.1, 0.5]))
    file.opcodeLists = [51_009: list.bytes]
    let after = try Self.picture(file)
    for (a, b) in zip(after.samples, before.samples) { #expect(abs(a - (0.1 + 0.5 * b)) < 1e-3) }
    #expect(try RawDevelopment(.bytes(file.bytes), RawSettings()).warnings.isEmpty)
  }
}
