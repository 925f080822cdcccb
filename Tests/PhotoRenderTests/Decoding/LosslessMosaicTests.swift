import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Mosaics that are stored as tiles of lossless JPEG.
@Suite struct LosslessMosaicTests {
  private static func noise() -> SyntheticDNG {
    var random = SeededGenerator(seed: 11)
    return SyntheticDNG(width: 96, height: 72, black: 300, white: 60_000) { _, _, _ in
      Double.random(in: 0.05...0.9, using: &random)
    }
  }

  private static func mosaic(_ file: SyntheticDNG) throws -> [Float] {
    let photo = PhotoFile.bytes(file.bytes)
    let development = try RawDevelopment(photo, RawSettings())
    return try RawSamples().image(of: photo, development.loading).samples(as: Float.self)
  }

  /// The samples of a file as JPEG files, one for each tile.
  static func tiles(
    of file: SyntheticDNG, _ coding: LosslessCoding, width: Int, height: Int
  ) -> [[UInt8]] {
    let channels = file.pattern.isEmpty ? 3 : 1
    let row = width * channels
    var tiles: [[UInt8]] = []
    for top in stride(from: 0, to: file.height, by: height) {
      for left in stride(from: 0, to: file.width, by: width) {
        let samples = (0..<(row * height)).map { place in
          let (x, y) = (left * channels + place % row, top + place / row)
          let isInside = x < file.width * channels && y < file.height
          return isInside ? file.samples[y * file.width * channels + x] : 512
        }
        tiles.append(coding.encoded(samples, tileWidth: row))
      }
    }
    return tiles
  }

  /// Stores the samples of a file as tiles.
  private static func tiled(
    _ file: SyntheticDNG, _ coding: LosslessCoding, width: Int, height: Int
  ) -> SyntheticDNG {
    var file = file
    file.layout = .jpegTiles(
      width: width, height: height, files: tiles(of: file, coding, width: width, height: height))
    file.shorts[258] = [16]
    file.shorts[259] = [7]
    return file
  }

  @Test(
    arguments: [
      LosslessCoding(), LosslessCoding(components: 2), LosslessCoding(components: 4),
      LosslessCoding(restartRows: 3), LosslessCoding(components: 2, isWide: true),
    ] + (2...7).map { LosslessCoding(components: 2, predictor: $0) },
    [[96, 72], [32, 40], [64, 48]])
  func samplesAreThoseOfTheFile(_ coding: LosslessCoding, _ tile: [Int]) throws {
    let plain = Self.noise()
    let stored = Self.tiled(plain, coding, width: tile[0], height: tile[1])
    #expect(try Self.mosaic(stored) == Self.mosaic(plain))
  }

  /// A table changes the samples, and LibRaw does not apply it a second time.
  @Test func samplesAreLinearized() throws {
    var plain = Self.noise()
    plain.shorts[50_712] = (0..<65_536).map { min(65_535, $0 / 2 + 1_000) }
    let stored = Self.tiled(plain, LosslessCoding(components: 2), width: 32, height: 24)
    #expect(try Self.mosaic(stored) == Self.mosaic(plain))
  }

  /// Tiles of a mosaic that are coded with losses are named.
  @Test func tilesWithLossesAreUnsupported() throws {
    var file = Self.noise()
    let grey = try Image(
      pixels: [UInt8](repeating: 90, count: 96 * 72), width: 96, height: 72, bands: 1,
      format: .uchar)
    let tile = try SyntheticPhoto.bytes(grey, "jpegsave_target", ["Q": .integer(90)])
    file.layout = .jpegTiles(width: 96, height: 72, files: [tile])
    file.shorts[259] = [7]
    let problem = try #require(try RawFacts(of: .bytes(file.bytes)).problem)
    #expect(problem.contains("JPEG tiles"), "\(problem)")
  }

  /// A tile that ends early is an error; so is one with fewer samples than its place has.
  @Test func damagedTilesAreErrors() throws {
    let file = Self.tiled(Self.noise(), LosslessCoding(), width: 96, height: 72)
    #expect(throws: RenderError.self) { try Studio.develop(Array(file.bytes.dropLast(200)), "[]") }
    var small = file
    let half = Array(file.samples.prefix(96 * 36))
    small.layout = .jpegTiles(
      width: 96, height: 72, files: [LosslessCoding().encoded(half, tileWidth: 96)])
    #expect(throws: RenderError.self) { try Studio.develop(small.bytes, "[]") }
    var marked = file.bytes
    marked.replaceSubrange(
      (marked.count - 3_000)..<(marked.count - 2_996), with: [0xFF, 0xD9, 0, 0])
    #expect(throws: RenderError.self) { try Studio.develop(marked, "[]") }
  }
}

/// The way in which a test codes samples as lossless JPEG.
///
/// - Source: ITU-T T.81, annexes B, C and H.
struct LosslessCoding: Sendable, CustomTestStringConvertible {
  var components = 1
  var predictor = 1
  /// The rows between two restarts; 0 for none.
  var restartRows = 0
  /// True if a row of the JPEG file has two rows of the tile.
  var isWide = false

  var testDescription: String {
    "\(components) components, predictor \(predictor), restart \(restartRows)"
      + (isWide ? ", wide" : "")
  }

  /// The samples as a JPEG file, whose Huffman table has a code of 5 bits for each length.
  func encoded(_ samples: [UInt16], tileWidth: Int) -> [UInt8] {
    let row = tileWidth * (isWide ? 2 : 1)
    let (width, rows) = (row / components, samples.count / row)
    func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker] + two(content.count + 2) + content
    }
    let names = (1...components).map { UInt8($0) }
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(
      0xC3,
      [16] + two(rows) + two(width) + [UInt8(components)] + names.flatMap { [$0, 0x11, 0] })
    file += segment(0xC4, [0, 0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 11) + Array(0...16))
    if restartRows > 0 { file += segment(0xDD, two(restartRows * width)) }
    file += segment(
      0xDA, [UInt8(components)] + names.flatMap { [$0, 0] } + [UInt8(predictor), 0, 0])
    var bits = BitWriter()
    for y in 0..<rows {
      let restarts = restartRows > 0 && y % restartRows == 0
      if restarts, y > 0 {
        file += bits.finished() + [0xFF, 0xD0 + UInt8((y / restartRows - 1) % 8)]
        bits = BitWriter()
      }
      for x in 0..<row {
        let place = y * row + x
        func sample(_ back: Int) -> Int { Int(samples[place - back]) }
        let isFirstRow = y == 0 || restarts
        let guess =
          if x < components {
            isFirstRow ? 1 << 15 : sample(row)
          } else if isFirstRow {
            sample(components)
          } else {
            prediction(sample(components), sample(row), sample(row + components))
          }
        bits.add(difference: (Int(samples[place]) - guess) & 0xFFFF)
      }
    }
    return file + bits.finished() + [0xFF, 0xD9]
  }

  private func prediction(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    switch predictor {
    case 1: left
    case 2: above
    case 3: corner
    case 4: left + above - corner
    case 5: left + (above - corner) >> 1
    case 6: above + (left - corner) >> 1
    default: (left + above) >> 1
    }
  }
}

/// Entropy-coded bits, with a zero after each byte 0xFF.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var held = 0
  private var count = 0

  /// Adds a difference modulo 2^16.
  mutating func add(difference: Int) {
    if difference == 32_768 { return add(16, 5) }
    let signed = difference > 32_768 ? difference - 65_536 : difference
    let size = Int.bitWidth - abs(signed).leadingZeroBitCount
    add(size, 5)
    add(signed < 0 ? signed + (1 << size) - 1 : signed, size)
  }

  private mutating func add(_ number: Int, _ width: Int) {
    held = held << width | number
    count += width
    while count >= 8 {
      count -= 8
      append(UInt8(held >> count & 255))
    }
    held &= (1 << count) - 1
  }

  private mutating func append(_ byte: UInt8) {
    bytes += byte == 0xFF ? [0xFF, 0] : [byte]
  }

  /// The bytes; the last is filled with ones.
  mutating func finished() -> [UInt8] {
    if count > 0 { append(UInt8((held + 1) << (8 - count) - 1)) }
    return bytes
  }
}
