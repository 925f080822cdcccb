import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Linear DNG files, beside X-Trans mosaics.
@Suite struct RawLayerTests {
  private static let xTrans = [
    1, 2, 1, 1, 0, 1, 0, 1, 0, 2, 1, 2, 1, 2, 1, 1, 0, 1,
    1, 0, 1, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 1, 2, 1,
  ]
  private static let neutral = [0.5, 1, 0.7]
  private static let width = 264

  /// The linear light in the middle of each of the patches, which are `width` pixels wide.
  private static func light(_ file: SyntheticDNG) throws -> [SIMD3<Double>] {
    let image = try RawDevelopment(.bytes(file.bytes), RawSettings()).image(
      .bytes(file.bytes), shrink: 1)
    let samples = try image.samples(as: Float.self)
    return (0..<file.width / width).map { patch in
      let place = 3 * (image.height / 2 * image.width + patch * width + width / 2)
      return SIMD3(
        Double(samples[place]), Double(samples[place + 1]), Double(samples[place + 2]))
    }
  }

  private static func file(
    _ pattern: [Int], _ patches: [[Double]], black: Int = 300
  ) -> SyntheticDNG {
    SyntheticDNG(
      width: width * patches.count, height: 528, pattern: pattern, black: black, white: 16_000
    ) { x, _, colour in patches[x / width][colour] }
  }

  /// Light in the file stays in proportion, whatever the brightest sample is.
  @Test(arguments: [[], xTrans], [0.5, 0.8, 0.9])
  func lightDoesNotDependOnTheBrightestSample(_ pattern: [Int], _ brightest: Double) throws {
    let patches = [0.1, 0.3, brightest].map { light in Self.neutral.map { $0 * light } }
    for (found, wanted) in zip(try Self.light(Self.file(pattern, patches)), [0.1, 0.3, brightest]) {
      for channel in 0..<3 { #expect(abs(found[channel] - wanted) < 5e-4, "\(found)") }
    }
  }

  /// Both matrices of the file count, at the temperature of the light, as for a Bayer mosaic.
  @Test(arguments: [[], xTrans])
  func coloursAreConvertedAsThoseOfABayerMosaic(_ pattern: [Int]) throws {
    let patches = [[0.2, 0.2, 0.2], [0.3, 0.2, 0.1], [0.1, 0.3, 0.15], [0.1, 0.15, 0.3]]
    func light(_ pattern: [Int]) throws -> [SIMD3<Double>] {
      var file = Self.file(pattern, patches)
      file.neutral = [0.6, 1, 0.4]
      file.second = (file.matrix, file.illuminant)
      file.matrix = [0.8, -0.1, -0.03, -0.7, 1.5, 0.3, -0.3, 0.4, 0.6]
      file.illuminant = 17
      return try Self.light(file)
    }
    for (found, wanted) in zip(try light(pattern), try light([0, 1, 1, 2])) {
      for channel in 0..<3 { #expect(abs(found[channel] - wanted[channel]) < 3e-4, "\(found)") }
    }
  }

  @Test func eachLayerHasItsOwnBlack() throws {
    let patches = [0.1, 0.4].map { light in Self.neutral.map { $0 * light } }
    var file = Self.file([], patches)
    file.setBlack([100, 200, 450])
    for (found, wanted) in zip(try Self.light(file), [0.1, 0.4]) {
      for channel in 0..<3 { #expect(abs(found[channel] - wanted) < 3e-4, "\(found)") }
    }
  }

  @Test func eachLayerHasItsOwnWhite() throws {
    let patches = [0.1, 0.4].map { light in Self.neutral.map { $0 * light } }
    var file = Self.file([], patches, black: 0)
    for place in file.samples.indices where place % 3 == 1 { file.samples[place] /= 2 }
    file.layerWhite = [16_000, 8_000, 16_000]
    for (found, wanted) in zip(try Self.light(file), [0.1, 0.4]) {
      for channel in 0..<3 { #expect(abs(found[channel] - wanted) < 5e-4, "\(found)") }
    }
  }

  /// `0.1 + 0.5 x` on the samples of the three layers, before they are balanced.
  @Test func opcodesOfList2ChangeLayers() throws {
    var file = Self.file([], [[0.2, 0.2, 0.2], [0.3, 0.4, 0.35]])
    file.neutral = [1, 1, 1]
    let before = try Self.light(file)
    var list = OpcodeList()
    let area = OpcodeList.numbers(0, 0, 528, 2 * Self.width, 0, 3, 1, 1)
    list.add(8, area + OpcodeList.numbers(1) + OpcodeList.doubles([0.1, 0.5]))
    file.opcodeLists = [51_009: list.bytes]
    for (found, plain) in zip(try Self.light(file), before) {
      for channel in 0..<3 {
        #expect(abs(found[channel] - (0.1 + 0.5 * plain[channel])) < 3e-4, "\(found), \(plain)")
      }
    }
    #expect(try RawDevelopment(.bytes(file.bytes), RawSettings()).warnings.isEmpty)
  }

  @Test func thePatternAndTheLevelsOfXTransAreStated() throws {
    let file = Self.file(Self.xTrans, [[0.2, 0.2, 0.2], [0.3, 0.2, 0.1]])
    let lines = RawFacts.lines(of: .bytes(file.bytes), besides: [])
    let rows = "GBGGRG RGRBGB GBGGRG GRGGBG BGBRGR GRGGBG"
    #expect(
      lines.contains {
        $0.hasPrefix("sensor: X-Trans, rows \(rows), black 300 300 300, full 16000")
      }, "\(lines)")
  }

  @Test func clippedLayersBecomeNeutral() throws {
    let file = Self.file([], [Self.neutral.map { min(1, 3 * $0) }])
    let found = try Self.light(file)[0]
    #expect(abs(found.x - found.y) < 1e-3 && abs(found.z - found.y) < 1e-3 && found.y > 1.2)
  }
}
