import FileStructure
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The storage of layers in linear DNG files: uncompressed parts, and JPEG tiles.
@Suite struct LayerStorageTests {
  private static let size = Size(96, 72)

  /// The layers of a file between black and white, row by row.
  private static func layers(_ file: SyntheticDNG) throws -> (size: Size, samples: [Float]) {
    let photo = PhotoFile.bytes(file.bytes)
    let development = try RawDevelopment(photo, RawSettings())
    let image = try development.corrections.samplesApplied(
      to: RawSamples().image(of: photo, development.loading))
    return (Size(image.width, image.height), try image.samples(as: Float.self))
  }

  private static func noise() -> SyntheticDNG {
    var random = SeededGenerator(seed: 6)
    return SyntheticDNG(
      width: size.width, height: size.height, pattern: [], black: 300, white: 4_000
    ) { _, _, _ in Double.random(in: 0.05...0.9, using: &random) }
  }

  @Test(
    arguments: [
      .whole, .tiles(width: 48, height: 48), .tiles(width: 32, height: 80),
      .tiles(width: 128, height: 96), .strips(rows: 16, gap: 64, isReversed: false),
      .strips(rows: 7, gap: 1, isReversed: true), .strips(rows: 16, gap: 0, isReversed: false),
    ] as [SyntheticDNG.Layout], [nil, [3, 5, 67, 89]] as [[Int]?])
  func samplesAreReadFromTheirParts(_ layout: SyntheticDNG.Layout, _ area: [Int]?) throws {
    var file = Self.noise()
    file.layout = layout
    file.activeArea = area
    let (top, left) = (area?[0] ?? 0, area?[1] ?? 0)
    let found = try Self.layers(file)
    #expect(found.size.width == (area.map { $0[3] - $0[1] } ?? 96))
    #expect(found.size.height == (area.map { $0[2] - $0[0] } ?? 72))
    var worst: Float = 0
    for y in 0..<found.size.height {
      for x in 0..<(3 * found.size.width) {
        let sample = file.samples[(y + top) * 3 * 96 + 3 * left + x]
        let wanted = (Float(sample) - 300) / 3_700
        worst = max(worst, abs(found.samples[y * 3 * found.size.width + x] - wanted))
      }
    }
    #expect(worst < 1e-6)
    // A part beyond the end of the file is reported.
    let cut = Array(file.bytes.dropLast(100))
    #expect(throws: RenderError.self) { try Studio.develop(cut, "[]") }
  }

  /// Black may differ by row and by column, in the visible area.
  @Test func blackMayDifferByRowAndColumn() throws {
    var file = Self.noise()
    file.activeArea = [3, 5, 67, 89]
    let rows = (0..<64).map { Double($0 % 5 * 7 - 12) }
    let columns = (0..<84).map { Double($0 % 3 * 11 - 9) }
    file.floats[50_716] = rows
    file.floats[50_715] = columns
    let found = try Self.layers(file).samples
    var worst = 0.0
    // The highest black sets the scale of all samples.
    let range = 4_000 - (300 + 16 + 13.0)
    for y in 0..<64 {
      for x in 0..<(3 * 84) {
        let black = 300 + rows[y] + columns[x / 3]
        let sample = Double(file.samples[(y + 3) * 3 * 96 + 15 + x])
        worst = max(worst, abs(Double(found[y * 3 * 84 + x]) - (sample - black) / range))
      }
    }
    #expect(worst < 1e-5, "\(worst)")
  }

  /// Black may differ in a pattern of pixels; each layer has the scale of its highest black.
  @Test func blackMayDifferInAPattern() throws {
    var file = Self.noise()
    let black = [200, 300, 260, 210, 320, 250, 220, 280, 240, 230, 290, 270]
    file.shorts[50_713] = [2, 2]
    file.shorts[50_714] = black
    let found = try Self.layers(file).samples
    var worst: Float = 0
    for place in file.samples.indices {
      let (x, y, layer) = (place / 3 % 96, place / 3 / 96, place % 3)
      let own = black[(y % 2 * 2 + x % 2) * 3 + layer]
      let range = 4_000 - [230, 320, 270][layer]
      worst = max(worst, abs(found[place] - Float(Int(file.samples[place]) - own) / Float(range)))
    }
    #expect(worst < 1e-6, "\(worst)")
  }

  /// Layers that are stored one after the other are not supported.
  @Test func separatePlanesAreNamed() throws {
    var file = Self.noise()
    file.shorts[284] = [2]
    let facts = try RawFacts(of: .bytes(file.bytes))
    #expect(facts.problem?.contains("stored one after the other") == true)
  }

  /// A file whose white is not above its black is an error, not a black picture.
  @Test func aWhiteBelowBlackIsAnError() throws {
    var file = Self.noise()
    file.layerWhite = [200, 200, 200]
    #expect(throws: RenderError.self) { try Studio.develop(file.bytes, "[]") }
  }

  /// Some programs state the compression of lossless JPEG for other JPEG tiles.
  @Test func jpegTilesWithTheCompressionOfLosslessJPEGAreRead() throws {
    var (file, _) = try Self.lossy(black: [5, 10, 20], white: [255, 250, 240])
    let wanted = try Self.layers(file)
    file.shorts[259] = [7]
    let found = try Self.layers(file)
    let isSame = found.size == wanted.size && found.samples == wanted.samples
    #expect(isSame && wanted.samples.contains { $0 > 0.5 })
  }

  @Test(arguments: [7, 34_892]) func jpegTilesOf16BitsAreUnsupported(_ compression: Int) throws {
    var (file, _) = try Self.lossy(black: [0, 0, 0], white: [255, 255, 255])
    file.shorts[258] = [16, 16, 16]
    file.shorts[259] = [compression]
    let problem = try #require(try RawFacts(of: .bytes(file.bytes)).problem)
    #expect(problem.contains("three layers of 8 bits"), "\(problem)")
  }

  @Test(arguments: [[96, 72], [32, 40], [64, 48]], [1, 3])
  func losslessTilesHaveTheSamplesOfTheFile(_ tile: [Int], _ components: Int) throws {
    var plain = Self.noise()
    plain.layerBlack = [300, 250, 310]
    var file = plain
    let coding = LosslessCoding(components: components)
    file.layout = .jpegTiles(
      width: tile[0], height: tile[1],
      files: LosslessMosaicTests.tiles(of: plain, coding, width: tile[0], height: tile[1]))
    file.shorts[258] = [16, 16, 16]
    file.shorts[259] = [7]
    let isSame = try Self.layers(file).samples == Self.layers(plain).samples
    #expect(isSame)
    // A table changes the samples.
    plain.shorts[50_712] = (0..<65_536).map { $0 / 2 + 1_000 }
    file.shorts[50_712] = plain.shorts[50_712]
    let isSameByTable = try Self.layers(file).samples == Self.layers(plain).samples
    #expect(isSameByTable)
    let cut = Array(file.bytes.dropLast(200))
    #expect(throws: RenderError.self) { try Studio.develop(cut, "[]") }
  }

  /// Even grey tiles of 40 × 32 pixels, with levels of their own, and in the order of the grid.
  private static func lossy(black: [Int], white: [Int]) throws -> (file: SyntheticDNG, [Int]) {
    var file = SyntheticDNG(width: 96, height: 72, pattern: [], black: 0, white: 255) { _, _, _ in 0
    }
    file.black = 0
    file.layerBlack = black
    file.layerWhite = white
    let levels = (0..<9).map { 40 + 20 * $0 }
    let files = try levels.map { try Self.tile($0, Size(40, 32)) }
    file.layout = .jpegTiles(width: 40, height: 32, files: files)
    return (file, levels)
  }

  /// A JPEG file of even grey.
  private static func tile(_ level: Int, _ size: Size) throws -> [UInt8] {
    let samples = [UInt8](repeating: UInt8(level), count: size.pixels * 3)
    let image = try Image(
      pixels: samples, width: size.width, height: size.height, bands: 3, format: .uchar
    ).applying("copy", ["interpretation": .choice("srgb")])
    return try SyntheticPhoto.bytes(image, "jpegsave_target", ["Q": .integer(100)])
  }

  /// Tiles at the right and lower edges may end at the edges of the frame.
  @Test func tilesMayEndAtTheEdgesOfTheFrame() throws {
    var (file, levels) = try Self.lossy(black: [0, 0, 0], white: [255, 255, 255])
    let wanted = try Self.layers(file).samples
    let files = try levels.enumerated().map { index, level in
      try Self.tile(level, Size(index % 3 == 2 ? 16 : 40, index / 3 == 2 ? 8 : 32))
    }
    file.layout = .jpegTiles(width: 40, height: 32, files: files)
    let isSame = try Self.layers(file).samples == wanted
    #expect(isSame)
  }

  /// `0.25 x + 0.75 x²` for each layer, after the levels, in the visible area.
  @Test(
    arguments: [
      ([0, 0, 0], [255, 255, 255]), ([20, 20, 20], [235, 235, 235]),
      ([5, 10, 20], [255, 250, 240]),
    ],
    [nil, [3, 5, 67, 89]] as [[Int]?])
  func jpegTilesHaveTheirLevelsAndTones(
    _ range: (black: [Int], white: [Int]), _ area: [Int]?
  ) throws {
    var (file, levels) = try Self.lossy(black: range.black, white: range.white)
    file.activeArea = area
    var list = OpcodeList()
    for plane in 0..<3 {
      let place = OpcodeList.numbers(0, 0, 4_000, 4_000, plane, 1, 1, 1)
      list.add(8, place + OpcodeList.numbers(2) + OpcodeList.doubles([0, 0.25, 0.75]))
    }
    file.opcodeLists = [51_009: list.bytes]
    let found = try Self.layers(file)
    let (top, left) = (area?[0] ?? 0, area?[1] ?? 0)
    var worst = 0.0
    for y in 0..<found.size.height {
      for x in 0..<found.size.width {
        let level = levels[(y + top) / 32 * 3 + (x + left) / 40]
        for c in 0..<3 {
          let light = Double(level - range.black[c]) / Double(range.white[c] - range.black[c])
          let wanted = 0.25 * light + 0.75 * light * light
          let value = Double(found.samples[(y * found.size.width + x) * 3 + c])
          worst = max(worst, abs(value - wanted))
        }
      }
    }
    #expect(worst < 1e-5, "\(worst)")
    #expect(try RawDevelopment(.bytes(file.bytes), RawSettings()).warnings.isEmpty)
  }

  /// Damaged, cut, small and missing tiles are errors.
  @Test(arguments: ["zeros", "cut", "small", "large", "wide", "missing", "text"])
  func aDamagedTileIsReported(_ damage: String) throws {
    var (file, _) = try Self.lossy(black: [0, 0, 0], white: [255, 255, 255])
    guard case .jpegTiles(let width, let height, var files) = file.layout else { return }
    switch damage {
    case "zeros":
      let from = files[4].count - 24
      files[4].replaceSubrange(from..<(from + 8), with: [0xFF, 0xD9, 0, 0, 0xFF, 0xD9, 0, 0])
    case "cut": files[4] = Array(files[4].dropLast(20))
    case "small":
      files[4] = files[4]
      file.layout = .jpegTiles(width: 48, height: 36, files: Array(files.prefix(4)))
    case "large": files[4] = try Self.tile(90, Size(400, 320))
    case "wide": files[4] = try Self.tile(90, Size(48, 32))
    case "missing": files.removeLast()
    default: files[4] = Array("not a picture".utf8)
    }
    if damage != "small" { file.layout = .jpegTiles(width: width, height: height, files: files) }
    #expect(throws: RenderError.self) { try Studio.develop(file.bytes, "[]") }
  }
}
