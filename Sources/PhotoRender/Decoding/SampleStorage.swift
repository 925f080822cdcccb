import FileStructure
import Glibc
import PhotoRecipes
import Vips

/// Statements of a DNG or CR2 file about the storage of its samples: those that LibRaw misreads, and the
/// places of parts that are read without LibRaw.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapters 2 and 4; TIFF 6.0.
struct SampleStorage: Sendable, Hashable {
  private enum Tag {
    static let width: UInt16 = 256
    static let height: UInt16 = 257
    static let bits: UInt16 = 258
    static let compression: UInt16 = 259
    static let stripOffsets: UInt16 = 273
    static let channels: UInt16 = 277
    static let rows: UInt16 = 278
    static let stripBytes: UInt16 = 279
    static let planes: UInt16 = 284
    static let tileWidth: UInt16 = 322
    static let tileHeight: UInt16 = 323
    static let tileOffsets: UInt16 = 324
    static let tileBytes: UInt16 = 325
    static let kind: UInt16 = 339
    static let cell: UInt16 = 33_421
    static let model: UInt16 = 50_708
    static let planesOfMosaic: UInt16 = 50_710
    static let layout: UInt16 = 50_711
    static let slices: UInt16 = 50_752
    static let version: UInt16 = 50_706
    static let table: UInt16 = 50_712
    static let pattern: UInt16 = 50_713
    static let black: UInt16 = 50_714
    static let columnBlack: UInt16 = 50_715
    static let rowBlack: UInt16 = 50_716
    static let white: UInt16 = 50_717
    static let activeArea: UInt16 = 50_829
    static let masked: UInt16 = 50_830
  }

  /// Arguments of `phbatch_rawload`, by their names.
  private var numbers: [String: [Double]] = [:]
  /// The left, top, width and height of the visible area; nil if LibRaw keeps it.
  private var area: [Int]?
  /// The way in which the samples of three layers are read.
  enum Layers: Sendable {
    /// LibRaw decodes all samples to memory.
    case decodedByLibRaw
    /// Tiles are decoded to 8 bits for each sample.
    case jpegTiles
    /// Tiles of lossless JPEG are decoded to 16 bits for each sample.
    case losslessTiles
    /// Uncompressed samples are read from the file when they are needed.
    case plain
  }

  /// The coding of each part of the samples; see `PhPartCoding`.
  private enum PartCoding: Int {
    case plain, jpeg, lossless
  }

  private(set) var layers = Layers.decodedByLibRaw
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
    let compression = integer(Tag.compression) ?? 1
    let offsets = integers(Tag.tileOffsets) ?? integers(Tag.stripOffsets) ?? []
    // Compression 7 is lossless by the specification of DNG, but some files have other JPEG tiles.
    let hasLosses =
      compression == 34_892
      || compression == 7 && offsets.first.map(file.hasLosses(jpegAt:)) ?? false
    if depth == 0 {
      problem = "it states 0 bits for a sample"
    } else if integer(Tag.kind) == 3 {
      problem = "its floating-point samples are not supported"
    } else if [8, 32_946].contains(compression) {
      problem = "its samples, coded by Deflate, are not supported"
    } else if integer(Tag.channels) ?? 1 > 1, integer(Tag.planes) ?? 1 != 1 {
      problem = "its layers, which are stored one after the other, are not supported"
    } else if hasLosses, depth != 8 || integer(Tag.channels) != 3 {
      problem = "its JPEG tiles are not supported, because they do not have three layers of 8 bits"
    }
    if let cell = integers(Tag.cell), cell.count == 2, cell != [6, 6],
      cell[1] != 2 || ![2, 4, 8].contains(cell[0])
    {
      problem = "a mosaic of \(cell[1]) × \(cell[0]) pixels is not supported"
    }
    if let planes = integers(Tag.planesOfMosaic), planes.count == 3 {
      // Red and blue may change places: their values have the order of the planes, too.
      if planes.sorted() != [0, 1, 2] {
        problem = "a mosaic of other colours than red, green and blue is not supported"
      } else if planes[1] != 1 {
        problem = "a mosaic whose second plane is not green is not supported"
      }
    }
    // LibRaw develops the turned sensors of Fujifilm, whose rows are stored in this way.
    if let layout = integer(Tag.layout), layout > 1,
      layout > 2 || file.text(Tag.model)?.lowercased().hasPrefix("fuji") != true
    {
      problem = "a mosaic with shifted rows or columns is not supported"
    }
    let channels = integer(Tag.channels) ?? 1
    let isStated = (8...16).contains(depth)
    let coding: PartCoding? =
      switch compression {
      case 1 where isStated: .plain
      case _ where hasLosses: .jpeg
      // LibRaw measures black in the masked areas of a mosaic.
      case 7
      where isStated && (channels == 3 || file.numbers(Tag.masked) == nil) && Self.isCurrent(file):
        .lossless
      default: nil
      }
    if let coding, problem == nil, [1, 3].contains(channels),
      bits.allSatisfy({ $0 == depth }), integer(Tag.planes) ?? 1 == 1
    {
      let grid =
        if let offsets = integers(Tag.tileOffsets), let across = integer(Tag.tileWidth),
          let down = integer(Tag.tileHeight)
        {
          Grid(tiles: offsets, integers(Tag.tileBytes), Size(across, down), Size(width, height))
        } else {
          Grid(
            strips: integers(Tag.stripOffsets) ?? [], integers(Tag.stripBytes),
            rows: integer(Tag.rows) ?? height, Size(width, height))
        }
      let row = (width * channels * depth + 7) / 8
      if let grid, channels == 3 || coding == .lossless || !grid.isContinuous(rowBytes: row) {
        let head = [depth, file.isBigEndian ? 1 : 0, channels, coding.rawValue]
        numbers["parts"] = (head + grid.parts.joined()).map(Double.init)
        layers =
          switch coding {
          case _ where channels == 1: .decodedByLibRaw
          case .jpeg: .jpegTiles
          case .lossless: .losslessTiles
          case .plain: .plain
          }
      } else if coding == .jpeg {
        problem = "its JPEG tiles are incomplete"
      }
    }
    let area = integers(Tag.activeArea) ?? [0, 0, height, width]
    switch channels {
    case 1: addBlack(file, area)
    case 3:
      addLayerLevels(file, bits: file.numbers(Tag.table) == nil ? depth : 16)
      addDifferences(file, area)
    default: break
    }
  }

  /// Describes the samples of a CR2 file; nil if it is none, or they are not stated.
  ///
  /// The samples are slices, each as high as the frame, one after the other.
  ///
  /// - Source: L. Clevy, "Understanding what is stored in a Canon RAW .CR2 file", 2015.
  init?(canon source: ByteSource) {
    guard source.bytes(at: 8, 2) == Array("CR".utf8), let file = TIFFFile(source),
      let place = source.number(at: 12, 4, file.order)
    else { return nil }
    let fields = file.fields(at: place)
    func numbers(_ tag: UInt16) -> [Int]? {
      fields.first { $0.tag == tag }.flatMap { file.numbers($0, limit: 8) }
    }
    guard numbers(Tag.compression) == [6], let offset = numbers(Tag.stripOffsets)?.first,
      let bytes = numbers(Tag.stripBytes)?.first, bytes > 0
    else { return nil }
    // The number of slices but the last, their width, and the width of the last.
    let stated = numbers(Tag.slices) ?? [0, 0, 0]
    guard stated.count == 3, (0...64).contains(stated[0]) else { return nil }
    // The only slice has the width of the frame.
    let last = stated[0] == 0 ? 0 : stated[2]
    let slices = (0...stated[0]).map { index in
      [offset, bytes, index * stated[1], 0, index < stated[0] ? stated[1] : last, 0]
    }
    let head = [16, 0, 1, PartCoding.lossless.rawValue]
    self.numbers["parts"] = (head + slices.joined()).map(Double.init)
  }

  /// True for version 1.1 and later: until then, differences of lossless JPEG could have other bits.
  private static func isCurrent(_ file: DNGFile) -> Bool {
    (file.numbers(Tag.version) ?? []).lexicographicallyPrecedes([1, 1]) == false
  }

  /// Adds the levels of black and white of three layers.
  private mutating func addLayerLevels(_ file: DNGFile, bits: Int) {
    func three(_ levels: [Double]?, otherwise level: Double) -> [Double] {
      guard let levels, !levels.isEmpty else { return [level, level, level] }
      // A pattern of levels has those of all layers for each of its pixels.
      guard levels.count % 3 == 0 else { return [levels[0], levels[0], levels[0]] }
      return (0..<3).map { layer in
        let own = stride(from: layer, to: levels.count, by: 3).map { levels[$0] }
        return own.reduce(0, +) / Double(own.count)
      }
    }
    let full = exp2(Double(min(bits, 16))) - 1
    let white = three(file.numbers(Tag.white), otherwise: full).map { $0 > 0 ? $0 : full }
    numbers["layer-levels"] = three(file.numbers(Tag.black), otherwise: 0) + white
    let pattern = file.numbers(Tag.pattern) ?? [1, 1]
    if let levels = file.numbers(Tag.black), levels.count > 3, pattern.count == 2,
      pattern.allSatisfy({ (1...64).contains($0) }),
      levels.count == 3 * Int(pattern[0]) * Int(pattern[1])
    {
      numbers["black-levels"] = pattern + levels
    }
  }

  /// Adds the differences of black by row and column, and returns true if there are any.
  @discardableResult
  private mutating func addDifferences(_ file: DNGFile, _ area: [Int]) -> Bool {
    guard area.count == 4, area[2] > area[0], area[3] > area[1] else { return false }
    func differences(_ tag: UInt16, _ count: Int) -> [Double]? {
      guard let numbers = file.numbers(tag), numbers.count == count,
        numbers.allSatisfy({ abs($0) < 65_536 }), numbers.contains(where: { $0 != 0 })
      else { return nil }
      return numbers
    }
    let rows = differences(Tag.rowBlack, area[2] - area[0])
    let columns = differences(Tag.columnBlack, area[3] - area[1])
    numbers["black-rows"] = rows
    numbers["black-columns"] = columns
    return rows != nil || columns != nil
  }

  /// Adds the visible area, and the black levels of its rows and columns.
  private mutating func addBlack(_ file: DNGFile, _ area: [Int]) {
    guard area.count == 4, area.allSatisfy({ $0 < 1 << 16 }), area[2] > area[0], area[3] > area[1]
    else { return }
    let (width, height) = (area[3] - area[1], area[2] - area[0])
    if area[0] % 2 == 1 || area[1] % 2 == 1 {
      self.area = [area[1], area[0], width, height]
    }
    let pattern = file.numbers(Tag.pattern) ?? [1, 1]
    guard pattern.count == 2, pattern.allSatisfy({ (1...64).contains($0) }),
      addDifferences(file, area)
    else { return }
    let levels = file.numbers(Tag.black) ?? []
    let count = Int(pattern[0]) * Int(pattern[1])
    let known = levels.count == count ? levels : Array(repeating: levels.first ?? 0, count: count)
    numbers["black-levels"] = pattern + known
  }

  /// The arguments of `phbatch_rawload`.
  var arguments: [String: Argument] {
    var all = numbers.mapValues(Argument.numbers)
    if let area { all["active-area"] = .integers(area) }
    return all
  }
}

/// The parts of the samples of a TIFF file: tiles or strips, row by row.
private struct Grid {
  /// The offset, bytes (0 if the file does not state them), left, top, width and height of each part.
  let parts: [[Int]]
  private let frame: Size

  /// Nil if a tile is missing, or its size is damaged.
  init?(tiles offsets: [Int], _ bytes: [Int]?, _ tile: Size, _ frame: Size) {
    guard tile.width > 0, tile.height > 0, tile.width < 1 << 16, tile.height < 1 << 16 else {
      return nil
    }
    let across = (frame.width + tile.width - 1) / tile.width
    let down = (frame.height + tile.height - 1) / tile.height
    guard offsets.count == across * down else { return nil }
    self.frame = frame
    parts = zip(offsets.indices, offsets).map { index, offset in
      let (left, top) = (index % across * tile.width, index / across * tile.height)
      return [offset, Self.length(bytes, index), left, top, tile.width, tile.height]
    }
  }

  /// Nil if a strip is missing.
  init?(strips offsets: [Int], _ bytes: [Int]?, rows: Int, _ frame: Size) {
    guard rows > 0, offsets.count == (frame.height - 1) / rows + 1 else { return nil }
    self.frame = frame
    parts = zip(offsets.indices, offsets).map { index, offset in
      let top = index * rows
      return [
        offset, Self.length(bytes, index), 0, top, frame.width, min(rows, frame.height - top),
      ]
    }
  }

  private static func length(_ bytes: [Int]?, _ index: Int) -> Int {
    bytes.flatMap { index < $0.count ? $0[index] : nil } ?? 0
  }

  /// True if the rows of the uncompressed frame follow each other in the file without gaps.
  func isContinuous(rowBytes: Int) -> Bool {
    parts.allSatisfy { $0[4] == frame.width }
      && zip(parts, parts.dropFirst()).allSatisfy { $0[0] + $0[5] * rowBytes == $1[0] }
  }
}
