import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The storage of samples in DNG files: tiles, strips, odd visible areas, and black levels that
/// differ by row or column.
@Suite struct DNGSampleTests {
  private static let size = Size(96, 72)

  private static func noise(_ seed: UInt64 = 5) -> SyntheticDNG {
    var random = SeededGenerator(seed: seed)
    return SyntheticDNG(width: size.width, height: size.height, black: 300, white: 4_000) {
      _, _, _ in Double.random(in: 0.05...0.9, using: &random)
    }
  }

  /// The samples between black and white, row by row, before they are interpolated.
  private static func mosaic(_ file: [UInt8]) throws -> (size: Size, samples: [Float]) {
    let photo = PhotoFile.bytes(file)
    var settings = RawSettings()
    settings.hotPixels = .keep
    let development = try RawDevelopment(photo, settings)
    let image = try RawSamples().image(of: photo, development.loading)
    return (Size(image.width, image.height), try image.samples(as: Float.self))
  }

  @Test(
    arguments: [
      .tiles(width: 48, height: 48), .tiles(width: 32, height: 80), .tiles(width: 128, height: 96),
      .strips(rows: 16, gap: 64, isReversed: false), .strips(rows: 16, gap: 0, isReversed: true),
      .strips(rows: 7, gap: 1, isReversed: true), .strips(rows: 16, gap: 0, isReversed: false),
    ] as [SyntheticDNG.Layout])
  func samplesAreReadFromTheirParts(_ layout: SyntheticDNG.Layout) throws {
    var file = Self.noise()
    let wanted = try Self.mosaic(file.bytes)
    file.layout = layout
    let found = try Self.mosaic(file.bytes)
    #expect(found.size == wanted.size)
    let isSame = found.samples == wanted.samples
    #expect(isSame)
    // A part beyond the end of the file is reported.
    let cut = Array(file.bytes.dropLast(100))
    #expect(throws: RenderError.self) { try Studio.develop(cut, "[]") }
  }

  /// A linearization table applies to the parts, too.
  @Test func aTableAppliesToSamplesInParts() throws {
    var file = Self.noise()
    file.shorts[50_712] = (0..<4_096).map { $0 * $0 / 4_095 }
    let wanted = try Self.mosaic(file.bytes)
    file.layout = .tiles(width: 64, height: 64)
    let isSame = try Self.mosaic(file.bytes).samples == wanted.samples
    #expect(isSame && wanted.samples.contains { $0 != 0 })
  }

  @Test(arguments: [[3, 5, 67, 89], [2, 5, 66, 93], [3, 4, 67, 92]])
  func aVisibleAreaMayBeginInAnOddRowOrColumn(_ area: [Int]) throws {
    var file = Self.noise()
    let frame = file.samples
    let levels = [200.0, 300, 260, 500]
    file.shorts[50_713] = [2, 2]
    file.black = nil
    file.floats[50_714] = levels
    // The pattern of colours begins at the corner of the visible area.
    file.activeArea = area
    let (width, height) = (area[3] - area[1], area[2] - area[0])
    let found = try Self.mosaic(file.bytes)
    #expect(found.size == Size(width, height))
    var worst = 0.0
    // The highest black sets the scale of all samples.
    let range = 4_000 - (levels.max() ?? 0)
    for y in 0..<height {
      for x in 0..<width {
        let black = levels[y % 2 * 2 + x % 2]
        let sample = Double(frame[(y + area[0]) * Self.size.width + x + area[1]])
        let wanted = (sample - black) / range
        worst = max(worst, abs(Double(found.samples[y * width + x]) - wanted))
      }
    }
    #expect(worst < 1e-4, "\(worst)")
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(header.stored == Size(width, height))
    // Red is where the pattern states it.
    #expect(try RawFacts(of: .bytes(file.bytes)).pattern.map { $0 & 1 } == [0, 1, 1, 0])
    #expect(try RawFacts(of: .bytes(file.bytes)).pattern.first == 0)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)], [[1, 1], [2, 2], [1, 3]])
  func blackMayDifferByRowAndColumn(_ lines: (rows: Bool, columns: Bool), _ pattern: [Int]) throws {
    var random = SeededGenerator(seed: 8)
    func differences(_ count: Int) -> [Double] {
      (0..<count).map { _ in Double(Int.random(in: -30...30, using: &random)) }
    }
    var file = Self.noise()
    let rows = lines.rows ? differences(72) : nil
    let columns = lines.columns ? differences(96) : nil
    let levels = (0..<(pattern[0] * pattern[1])).map { Double(250 + 20 * $0) }
    file.black = nil
    file.shorts[50_713] = pattern
    file.floats[50_714] = levels
    if let rows { file.floats[50_716] = rows }
    if let columns { file.floats[50_715] = columns }
    let found = try Self.mosaic(file.bytes).samples
    var worst = 0.0
    let highest = [levels, rows, columns].map { $0?.max() ?? 0 }.reduce(0, +)
    for y in 0..<72 {
      for x in 0..<96 {
        var black = levels[y % pattern[0] * pattern[1] + x % pattern[1]]
        black += (rows?[y] ?? 0) + (columns?[x] ?? 0)
        let wanted = (Double(file.samples[y * 96 + x]) - black) / (4_000 - highest)
        worst = max(worst, abs(Double(found[y * 96 + x]) - wanted))
      }
    }
    #expect(worst < 1e-4, "\(worst)")
  }

  /// Lists of another length are not applied.
  @Test func differencesOfAnotherCountHaveNoEffect() throws {
    var file = Self.noise()
    let wanted = try Self.mosaic(file.bytes).samples
    file.floats[50_716] = [0, 0, 0, 100, -100]
    let isSame = try Self.mosaic(file.bytes).samples == wanted
    #expect(isSame)
  }

  /// The white of a file may be stated as a chromaticity.
  @Test func theWhiteOfAFileMayBeAChromaticity() throws {
    var file = Self.noise()
    let conversion = try RawFacts(of: .bytes(file.bytes)).colour.conversion
    let light = try #require(conversion.light)
    file.neutral = nil
    let sum = light.xyz.sum()
    file.floats[50_729] = [light.xyz.x / sum, light.xyz.y / sum]
    let facts = try RawFacts(of: .bytes(file.bytes))
    let found = facts.colour.conversion
    #expect(!found.isDaylight)
    let difference = found.multipliers - conversion.multipliers
    #expect((difference * difference).sum() < 1e-4, "\(found.multipliers)")
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(!header.warnings.contains { $0.contains("daylight") })
  }

  /// Samples that LibRaw cannot decode are no damage.
  @Test(
    arguments: [
      (339, [3]), (259, [8]), (33_421, [7, 7]), (33_421, [4, 4]), (50_711, [2]), (50_711, [5]),
    ])
  func samplesOfOtherKindsAreUnsupported(_ tag: Int, _ value: [Int]) throws {
    var file = Self.noise()
    file.shorts[tag] = value
    let error = #expect(throws: RenderError.self) { try Studio.develop(file.bytes, "[]") }
    guard case .unsupportedRaw(let reason, isDNG: true, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("not supported"), "\(reason)")
  }

  /// LibRaw interpolates these mosaics as if they were others, and loses colours.
  @Test(
    arguments: [
      ([0, 1, 0, 2], [0, 1, 2]), ([0, 1, 2, 1], [0, 1, 2]), ([1, 1, 1, 1], [0, 1, 2]),
      ([0, 1, 1, 2], [1, 0, 2]), ([0, 1, 1, 2], [0, 2, 1]), ([3, 4, 4, 5], [3, 4, 5]),
      ((0..<36).map { [0, 1, 1, 2][$0 / 6 % 2 * 2 + $0 % 2] }, [0, 1, 2]),
    ] as [([Int], [Int])])
  func mosaicsOfOtherPatternsAreUnsupported(_ pattern: [Int], _ planes: [Int]) throws {
    var file = SyntheticDNG(width: 96, height: 72, pattern: pattern) { _, _, _ in 0.2 }
    file.octets[50_710] = planes
    let problem = try #require(try RawFacts(of: .bytes(file.bytes)).problem)
    #expect(problem.contains("a mosaic") && problem.contains("not supported"), "\(problem)")
    #expect(throws: RenderError.self) { try Studio.develop(file.bytes, "[]") }
  }

  /// The values of a file have the order of its planes.
  @Test func theFirstPlaneMayBeBlue() throws {
    var file = SyntheticDNG(width: 96, height: 72, black: 300, white: 16_000) { x, _, colour in
      [0.1, 0.3, 0.2][colour] + 0.001 * Double(x)
    }
    func light() throws -> [Float] {
      let photo = PhotoFile.bytes(file.bytes)
      let image = try RawDevelopment(photo, RawSettings()).image(photo, shrink: 1)
      return try image.samples(as: Float.self)
    }
    let usual = try light()
    file.octets[50_710] = [2, 1, 0]
    file.matrix = [6, 7, 8, 3, 4, 5, 0, 1, 2].map { file.matrix[$0] }
    file.neutral = file.neutral?.reversed()
    let worst = zip(usual, try light()).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-4, "\(worst)")
  }

  @Test(arguments: [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]])
  func theFourOrdersOfAMosaicAreSupported(_ pattern: [Int]) throws {
    var file = SyntheticDNG(width: 96, height: 72, pattern: pattern) { _, _, _ in 0.2 }
    file.octets[50_710] = [0, 1, 2]
    let facts = try RawFacts(of: .bytes(file.bytes))
    #expect(facts.problem == nil && facts.kind == .mosaic)
  }

  /// LibRaw 0.20 writes beyond its memory for a thumbnail of layers with more bytes than pixels.
  @Test func aThumbnailWithMoreBytesThanPixelsIsLeftOut() throws {
    var file = Self.noise().bytes
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ value: Int, type: Int = 4, count: Int = 1) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    // The first directory describes the thumbnail; that of the samples is below it. The tag of the
    // compression is missing.
    let entries = [
      entry(254, 1), entry(256, 32), entry(257, 24), entry(258, 8, type: 3), entry(262, 2, type: 3),
      entry(273, 8), entry(277, 5, type: 3), entry(278, 24), entry(279, 2_304), entry(330, 8),
      entry(50_706, 0x0401, type: 1, count: 4),
    ]
    let place = (file.count + 1) & ~1
    file += [UInt8](repeating: 0, count: place - file.count)
    file += number(entries.count, 2) + entries.flatMap(\.self) + number(0, 4)
    file.replaceSubrange(4..<8, with: number(place, 4))
    let facts = try RawFacts(of: .bytes(file), withPreview: true)
    #expect(facts.problem == nil && facts.preview == nil && facts.size == Self.size)
    #expect(throws: Never.self) { try Studio.develop(file, "[]") }
  }

  /// More light is never darker, if clipped channels are rebuilt.
  @Test(arguments: [[1, 1, 1], [1, 0.75, 0.45], [0.5, 0.75, 1], [0.4, 1, 0.5]])
  func rebuiltHighlightsAreMonotone(_ colour: [Double]) throws {
    let file = SyntheticDNG(width: 800, height: 48) { x, _, channel in
      min(1, 0.05 * pow(80, Double(x) / 800) * colour[channel] * [0.5, 1, 0.7][channel])
    }.bytes
    var settings = RawSettings()
    settings.highlights = .rebuild
    let photo = PhotoFile.bytes(file)
    let image = try RawDevelopment(photo, settings).image(photo, shrink: 1)
    let samples = try image.samples(as: Float.self)
    var (last, worst) = (0.0, 0.0)
    for x in 16..<784 {
      let pixel = samples[(3 * (24 * 800 + x))..<(3 * (24 * 800 + x) + 3)].map { Double($0) }
      let light = 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
      worst = max(worst, 1 - light / max(last, 1e-6))
      last = max(last, light)
    }
    #expect(worst < 0.03, "\(worst)")
    #expect(last > 1.5)
  }
}
