import Foundation
import TestRandom

/// A DNG file with samples that are computed from known light, so that a test knows the correct
/// rendering.
///
/// - Source: TIFF 6.0; TIFF/EP (ISO 12234-2) for the tags of the mosaic; Adobe DNG 1.6.
public struct SyntheticDNG {
  public var width: Int
  public var height: Int
  /// The colours of a square cell of 4 or 36 pixels, row by row: 0 red, 1 green, 2 blue; empty for a
  /// linear file, which has three samples for each pixel.
  public var pattern = [0, 1, 1, 2]
  /// The black level; nil if the file does not state it in this tag.
  public var black: Int? = 0
  /// The black levels of red, green and blue of a linear file; nil if `black` is that of all three.
  public var layerBlack: [Int]?
  public var white = 65_535
  /// The white levels of red, green and blue of a linear file; nil if `white` is that of all three.
  public var layerWhite: [Int]?
  /// The matrix from CIE XYZ to camera colours under D65, row by row.
  public var matrix = [
    0.7309, -0.1403, -0.0519, -0.8474, 1.6008, 0.2622, -0.2433, 0.2826, 0.8064,
  ]
  /// The camera colour of a neutral object (AsShotNeutral); nil if the file does not state it.
  public var neutral: [Double]? = [0.5, 1, 0.7]
  public var baselineExposure: Double?
  /// The left, top, width and height of the default crop.
  public var crop: [Int]?
  public var orientation = 1
  /// The top, left, bottom and right of the visible part of the frame; nil if all of it is visible.
  public var activeArea: [Int]?
  /// The light of the matrix, as a value of the EXIF tag LightSource.
  public var illuminant = 21
  /// A second matrix and its light; nil if there is none.
  public var second: (matrix: [Double], illuminant: Int)?
  /// The opcode lists, by tag: 51008, 51009 and 51022.
  public var opcodeLists: [Int: [UInt8]] = [:]
  /// Further 32-bit integers, by tag: the numbers of divisions and the encodings of tables.
  public var numbers: [Int: [Int]] = [:]
  /// Further 16-bit integers, by tag; they replace a tag that the file has anyway.
  public var shorts: [Int: [Int]] = [:]
  /// Further bytes, by tag.
  public var octets: [Int: [Int]] = [:]
  /// Further floating-point numbers, by tag: the tables of hue, saturation and value.
  public var floats: [Int: [Double]] = [:]
  /// The arrangement of the samples in the file.
  public enum Layout: Sendable {
    case whole
    case tiles(width: Int, height: Int)
    /// Strips with `gap` bytes after each; the last strip comes first if `isReversed` is set.
    case strips(rows: Int, gap: Int, isReversed: Bool)
    /// Tiles of 8-bit samples, each of which is a JPEG file.
    case jpegTiles(width: Int, height: Int, files: [[UInt8]])
  }
  public var layout = Layout.whole
  /// The samples, row by row; three for each pixel of a linear file.
  public var samples: [UInt16]

  /// Creates a file; `level` returns the light on a pixel, 0…1, behind a filter of the given
  /// colour.
  public init(
    width: Int, height: Int, pattern: [Int] = [0, 1, 1, 2], black: Int = 0, white: Int = 65_535,
    level: (_ x: Int, _ y: Int, _ colour: Int) -> Double
  ) {
    self.width = width
    self.height = height
    self.pattern = pattern
    self.black = black
    self.white = white
    let edge = pattern.count == 36 ? 6 : 2
    samples = (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let colours = pattern.isEmpty ? [0, 1, 2] : [pattern[y % edge * edge + x % edge]]
        return colours.map { Self.sample(level(x, y, $0), black, white) }
      }
    }
  }

  private static func sample(_ light: Double, _ black: Int, _ white: Int) -> UInt16 {
    UInt16(min(65_535, max(0, (Double(black) + light * Double(white - black)).rounded())))
  }

  /// Changes the black levels of a linear file, and its samples accordingly.
  public mutating func setBlack(_ levels: [Int]) {
    for place in samples.indices {
      let old = black ?? 0
      let light = Double(Int(samples[place]) - old) / Double(white - old)
      samples[place] = Self.sample(light, levels[place % 3], white)
    }
    layerBlack = levels
  }

  public var bytes: [UInt8] {
    var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []
    func shortList(_ tag: Int, _ values: [Int]) {
      entries.append((tag, 3, values.count, values.flatMap { Self.bytes($0, 2) }))
    }
    func short(_ tag: Int, _ values: Int...) { shortList(tag, values) }
    func long(_ tag: Int, _ values: Int...) {
      entries.append((tag, 4, values.count, values.flatMap { Self.bytes($0, 4) }))
    }
    func fractions(_ tag: Int, signed: Bool, _ values: [Double]) {
      let bytes = values.flatMap {
        Self.bytes(Int(($0 * 1_000_000).rounded()), 4) + Self.bytes(1_000_000, 4)
      }
      entries.append((tag, signed ? 10 : 5, values.count, bytes))
    }
    func text(_ tag: Int, _ text: String) {
      entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]))
    }
    func plain(_ tag: Int, _ values: [Int]) {
      entries.append((tag, 1, values.count, values.map { UInt8($0) }))
    }
    long(254, 0)
    long(256, width)
    long(257, height)
    let count = pattern.isEmpty ? 3 : 1
    let isJPEG = if case .jpegTiles = layout { true } else { false }
    shortList(258, Array(repeating: isJPEG ? 8 : 16, count: count))
    short(259, isJPEG ? 34_892 : 1)
    short(262, pattern.isEmpty ? 34_892 : 32_803)
    text(271, "Made Up")
    text(272, "Sensor")
    let (offsets, pixelBytes) = arranged
    func longs(_ tag: Int, _ values: [Int]) {
      entries.append((tag, 4, values.count, values.flatMap { Self.bytes($0, 4) }))
    }
    switch layout {
    case .tiles(let width, let height):
      long(322, width)
      long(323, height)
      longs(324, offsets)
      longs(325, offsets.map { _ in 2 * count * width * height })
    case .jpegTiles(let width, let height, let files):
      long(322, width)
      long(323, height)
      longs(324, offsets)
      longs(325, files.map(\.count))
    case .whole:
      longs(273, offsets)
      long(278, height)
      long(279, samples.count * 2)
    case .strips(let rows, _, _):
      longs(273, offsets)
      long(278, rows)
      longs(279, offsets.indices.map { 2 * count * width * min(rows, height - $0 * rows) })
    }
    short(274, orientation)
    short(277, count)
    short(284, 1)
    if !pattern.isEmpty {
      let edge = pattern.count == 36 ? 6 : 2
      short(33_421, edge, edge)
      plain(33_422, pattern)
    }
    plain(50_706, [1, 4, 0, 0])
    text(50_708, "Made Up Sensor")
    if let black { shortList(50_714, layerBlack ?? [black]) }
    longs(50_717, layerWhite ?? [white])
    if let crop {
      long(50_719, crop[0], crop[1])
      long(50_720, crop[2], crop[3])
    }
    fractions(50_721, signed: true, matrix)
    if let neutral { fractions(50_728, signed: false, neutral) }
    if let baselineExposure { fractions(50_730, signed: true, [baselineExposure]) }
    short(50_778, illuminant)
    if let activeArea {
      entries.append((50_829, 4, 4, activeArea.flatMap { Self.bytes($0, 4) }))
    }
    if let second {
      fractions(50_722, signed: true, second.matrix)
      short(50_779, second.illuminant)
    }
    for (tag, list) in opcodeLists { entries.append((tag, 7, list.count, list)) }
    for (tag, list) in numbers {
      entries.append((tag, 4, list.count, list.flatMap { Self.bytes($0, 4) }))
    }
    for (tag, list) in shorts {
      entries.removeAll { $0.tag == tag }
      entries.append((tag, 3, list.count, list.flatMap { Self.bytes($0, 2) }))
    }
    for (tag, list) in octets { plain(tag, list) }
    for (tag, list) in floats {
      let bytes = list.flatMap { Self.bytes(Int(Float($0).bitPattern), 4) }
      entries.append((tag, 11, list.count, bytes))
    }
    entries.sort { $0.tag < $1.tag }
    var place = 8 + 2 + 12 * entries.count + 4
    let lengths = entries.map { $0.value.count > 4 ? ($0.value.count + 1) & ~1 : 0 }
    let pixels = place + lengths.reduce(0, +)
    var file = Array("II".utf8) + Self.bytes(42, 2) + Self.bytes(8, 4)
    file += Self.bytes(entries.count, 2)
    var values: [UInt8] = []
    for entry in entries {
      file += Self.bytes(entry.tag, 2) + Self.bytes(entry.type, 2) + Self.bytes(entry.count, 4)
      let value =
        [273, 324].contains(entry.tag)
        ? offsets.flatMap { Self.bytes(pixels + $0, 4) } : entry.value
      if value.count <= 4 {
        file += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        file += Self.bytes(place, 4)
        let padded = value + (value.count % 2 == 1 ? [0] : [])
        values += padded
        place += padded.count
      }
    }
    return file + Self.bytes(0, 4) + values + pixelBytes
  }

  /// The offset of each part of the samples, from the first on, and the bytes of all parts.
  private var arranged: (offsets: [Int], bytes: [UInt8]) {
    func row(_ y: Int, _ columns: Range<Int>) -> [UInt8] {
      let count = pattern.isEmpty ? 3 : 1
      return columns.flatMap { x in
        (0..<count).flatMap { channel in
          let isInside = x < width && y < height
          return Self.bytes(
            isInside ? Int(samples[(y * width + x) * count + channel]) : 9_999, 2)
        }
      }
    }
    switch layout {
    case .jpegTiles(_, _, let files):
      let ends = files.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
      return (ends.dropLast(), files.flatMap(\.self))
    case .whole: return ([0], samples.flatMap { Self.bytes(Int($0), 2) })
    case .tiles(let across, let down):
      var (offsets, bytes): ([Int], [UInt8]) = ([], [])
      for top in stride(from: 0, to: height, by: down) {
        for left in stride(from: 0, to: width, by: across) {
          offsets.append(bytes.count)
          for y in top..<(top + down) { bytes += row(y, left..<(left + across)) }
        }
      }
      return (offsets, bytes)
    case .strips(let rows, let gap, let isReversed):
      let tops = Array(stride(from: 0, to: height, by: rows))
      var (offsets, bytes): ([Int], [UInt8]) = (tops.map { _ in 0 }, [])
      for index in isReversed ? tops.indices.reversed() : Array(tops.indices) {
        offsets[index] = bytes.count
        for y in tops[index]..<min(height, tops[index] + rows) { bytes += row(y, 0..<width) }
        bytes += [UInt8](repeating: 7, count: gap)
      }
      return (offsets, bytes)
    }
  }

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension SyntheticDNG {
  /// A photo of four grey steps with the noise of a sensor: the variance is `slope` × light +
  /// `floor`.
  public static func greySteps(slope: Double, floor: Double) -> SyntheticDNG {
    var random = SeededGenerator(seed: 7)
    func normal() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }
    return SyntheticDNG(width: 640, height: 480, black: 512, white: 16_383) { x, _, colour in
      let light = [0.03, 0.08, 0.18, 0.4][x / 160] * [0.5, 1, 0.7][colour]
      return light + (slope * light + floor).squareRoot() * normal()
    }
  }
}
