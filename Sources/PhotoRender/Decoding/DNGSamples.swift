import Vips

/// Statements of a DNG file about the storage of its samples that LibRaw misreads.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapters 2 and 4; TIFF 6.0.
struct DNGSamples: Sendable, Hashable {
  private enum Tag {
    static let width: UInt16 = 256
    static let height: UInt16 = 257
    static let bits: UInt16 = 258
    static let compression: UInt16 = 259
    static let stripOffsets: UInt16 = 273
    static let channels: UInt16 = 277
    static let rows: UInt16 = 278
    static let planes: UInt16 = 284
    static let tileWidth: UInt16 = 322
    static let tileHeight: UInt16 = 323
    static let tileOffsets: UInt16 = 324
    static let kind: UInt16 = 339
    static let pattern: UInt16 = 50_713
    static let black: UInt16 = 50_714
    static let columnBlack: UInt16 = 50_715
    static let rowBlack: UInt16 = 50_716
    static let activeArea: UInt16 = 50_829
  }

  /// Arguments of `phbatch_rawload`, by their names.
  private var numbers: [String: [Double]] = [:]
  /// The left, top, width and height of the visible area; nil if LibRaw keeps it.
  private var area: [Int]?
  /// The reason why the samples cannot be decoded; nil if it is not known.
  private(set) var problem: String?

  init(_ file: DNGFile) {
    func integers(_ tag: UInt16) -> [Int]? {
      file.numbers(tag).flatMap { numbers in
        numbers.allSatisfy { $0 >= 0 && $0 < 1e15 } ? numbers.map { Int($0) } : nil
      }
    }
    func integer(_ tag: UInt16) -> Int? { integers(tag)?.first }
    guard let width = integer(Tag.width), let height = integer(Tag.height),
      let bits = integers(Tag.bits), let depth = bits.first, width > 0, height > 0,
      width < 1 << 16, height < 1 << 16
    else { return }
    let frame = (width: width, height: height)
    let compression = integer(Tag.compression) ?? 1
    if depth == 0 {
      problem = "it states 0 bits for a sample"
    } else if integer(Tag.kind) == 3 {
      problem = "its floating-point samples are not supported"
    } else if [8, 32_946].contains(compression) {
      problem = "its samples, coded by Deflate, are not supported"
    }
    let channels = integer(Tag.channels) ?? 1
    if compression == 1, problem == nil, (8...16).contains(depth), [1, 3].contains(channels),
      bits.allSatisfy({ $0 == depth }), integer(Tag.planes) ?? 1 == 1
    {
      var parts: [[Int]] = []
      if let tiles = integers(Tag.tileOffsets), let across = integer(Tag.tileWidth),
        let down = integer(Tag.tileHeight)
      {
        parts = Self.tiles(tiles, across, down, frame)
      } else if let strips = integers(Tag.stripOffsets) {
        parts = Self.strips(
          strips, integer(Tag.rows) ?? height, frame, (width * channels * depth + 7) / 8)
      }
      if !parts.isEmpty {
        let coding = [depth, file.isBigEndian ? 1 : 0, channels]
        numbers["parts"] = (coding + parts.joined()).map(Double.init)
      }
    }
    if channels == 1 { addBlack(file, integers(Tag.activeArea) ?? [0, 0, height, width]) }
  }

  /// The offset, left, top, width and height of each tile; empty if one tile has the size of the
  /// frame, or a tile is missing.
  private static func tiles(
    _ offsets: [Int], _ width: Int, _ height: Int, _ frame: (width: Int, height: Int)
  ) -> [[Int]] {
    guard width > 0, height > 0, width < 1 << 16, height < 1 << 16 else { return [] }
    let across = (frame.width + width - 1) / width
    let down = (frame.height + height - 1) / height
    if offsets.count != across * down || (across, down) == (1, 1) && width == frame.width {
      return []
    }
    return offsets.enumerated().map { index, offset in
      [offset, index % across * width, index / across * height, width, height]
    }
  }

  /// The offset, left, top, width and height of each strip; empty if the strips follow each other
  /// without gaps, or a strip is missing.
  private static func strips(
    _ offsets: [Int], _ rows: Int, _ frame: (width: Int, height: Int), _ bytes: Int
  ) -> [[Int]] {
    guard rows > 0, offsets.count == (frame.height - 1) / rows + 1 else { return [] }
    let isContinuous = zip(offsets, offsets.dropFirst()).allSatisfy { $0 + rows * bytes == $1 }
    if isContinuous { return [] }
    return offsets.enumerated().map { index, offset in
      let top = index * rows
      return [offset, 0, top, frame.width, min(rows, frame.height - top)]
    }
  }

  /// Adds the visible area, and the black levels of its rows and columns.
  private mutating func addBlack(_ file: DNGFile, _ area: [Int]) {
    guard area.count == 4, area.allSatisfy({ $0 < 1 << 16 }), area[2] > area[0], area[3] > area[1]
    else { return }
    let (width, height) = (area[3] - area[1], area[2] - area[0])
    if area[0] % 2 == 1 || area[1] % 2 == 1 {
      self.area = [area[1], area[0], width, height]
    }
    func differences(_ tag: UInt16, _ count: Int) -> [Double]? {
      guard let numbers = file.numbers(tag), numbers.count == count,
        numbers.allSatisfy({ abs($0) < 65_536 }), numbers.contains(where: { $0 != 0 })
      else { return nil }
      return numbers
    }
    let rows = differences(Tag.rowBlack, height)
    let columns = differences(Tag.columnBlack, width)
    let pattern = file.numbers(Tag.pattern) ?? [1, 1]
    guard rows != nil || columns != nil, pattern.count == 2,
      pattern.allSatisfy({ (1...64).contains($0) })
    else { return }
    let levels = file.numbers(Tag.black) ?? []
    let count = Int(pattern[0]) * Int(pattern[1])
    let known = levels.count == count ? levels : Array(repeating: levels.first ?? 0, count: count)
    numbers["black-levels"] = pattern + known
    numbers["black-rows"] = rows
    numbers["black-columns"] = columns
  }

  /// The arguments of `phbatch_rawload`.
  var arguments: [String: Argument] {
    var all = numbers.mapValues(Argument.numbers)
    if let area { all["active-area"] = .integers(area) }
    return all
  }
}
