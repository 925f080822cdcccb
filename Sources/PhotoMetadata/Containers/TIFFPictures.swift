public import FileStructure

/// The directories of a TIFF file that describe pictures: raw samples and previews.
public struct TIFFPictures {
  /// The lengths of proprietary codings may be too large by 1 ÷ `play`.
  static let play = 64
  /// The maximum number of directories in a chain, and below a directory.
  private static let mostDirectories = 32

  private enum Tag {
    static let kind: UInt16 = 254
    static let width: UInt16 = 256
    static let height: UInt16 = 257
    static let bits: UInt16 = 258
    static let coding: UInt16 = 259
    static let samples: UInt16 = 277
    static let rows: UInt16 = 278
    static let tileWidth: UInt16 = 322
    static let tileHeight: UInt16 = 323
    static let below: UInt16 = 330
    static let version: UInt16 = 50_706
    static let scale: UInt16 = 50_718
    static let cropSize: UInt16 = 50_720
    static let activeArea: UInt16 = 50_829
    /// The tags of the offsets and lengths of strips, and of tiles.
    static let parts: [(offsets: UInt16, lengths: UInt16)] = [(273, 279), (324, 325)]
  }

  /// The codings whose lengths are exact: uncompressed, and those of TIFF and DNG.
  private static let exactCodings: Set = [1, 6, 7, 8, 34_892, 52_546]

  private struct Directory {
    let fields: [TIFFFile.Field]
    /// True if the directory is completely in the file.
    let isWhole: Bool
  }

  private let file: TIFFFile
  /// The first directory and those after it.
  private let chain: [Directory]
  /// The directories below the first one.
  private let below: [Directory]

  /// Reads the directories; nil if the file is not a TIFF file.
  public init?(_ source: ByteSource) {
    guard let file = TIFFFile(source) else { return nil }
    self.init(file)
  }

  init(_ file: TIFFFile) {
    self.file = file
    func directory(_ place: Int) -> Directory {
      let fields = file.fields(at: place)
      let count = file.entryCount(at: place).map { min($0, TIFFFile.mostEntries) }
      return Directory(fields: fields, isWhole: fields.count == count)
    }
    var chain: [Directory] = []
    var below: [Directory] = []
    var (place, seen) = (file.firstDirectory, Set<Int>())
    while place > 0, chain.count < Self.mostDirectories, seen.insert(place).inserted {
      let found = directory(place)
      chain.append(found)
      let places =
        found.fields.first { $0.tag == Tag.below }
        .flatMap { file.numbers($0, limit: 8 * Self.mostDirectories) } ?? []
      below += places.map { directory(file.start + min($0, file.source.count)) }
      place = file.next(after: place)
    }
    (self.chain, self.below) = (chain, below)
  }

  /// The number of the first directory below the first one that has a picture of full size; nil if
  /// there is none.
  public var wholePicture: Int? { below.firstIndex { number(Tag.kind, $0) == 0 } }

  /// The size in pixels of the picture of full size: of the default crop of a DNG file, or else of
  /// all stored pixels; nil if it is not known.
  public var pixels: (width: Int, height: Int)? {
    guard let main = samplesDirectory else { return nil }
    func pair(_ tag: UInt16) -> (Double, Double)? {
      let field = main.fields.first { $0.tag == tag }
      guard let numbers = field.flatMap(decimals), numbers.count == 2,
        numbers.allSatisfy({ $0 > 0 && $0 < 1e6 })
      else { return nil }
      return (numbers[0], numbers[1])
    }
    let scale = pair(Tag.scale) ?? (1, 1)
    func scaled(_ width: Double, _ height: Double) -> (width: Int, height: Int)? {
      let size = [width * scale.0, height * scale.1].map { $0.rounded() }
      return size.allSatisfy { $0 > 0 && $0 < 1e6 } ? (Int(size[0]), Int(size[1])) : nil
    }
    if let (width, height) = pair(Tag.cropSize) { return scaled(width, height) }
    if let field = main.fields.first(where: { $0.tag == Tag.activeArea }),
      let edges = decimals(field), edges.count == 4, edges[2] > edges[0], edges[3] > edges[1]
    {
      return scaled(edges[3] - edges[1], edges[2] - edges[0])
    }
    guard let width = number(Tag.width, main), let height = number(Tag.height, main) else {
      return nil
    }
    return scaled(Double(width), Double(height))
  }

  /// The unsigned integers or fractions of a field; nil if they cannot be read.
  private func decimals(_ field: TIFFFile.Field) -> [Double]? {
    guard field.type == .rational else {
      return file.numbers(field, limit: 64)?.map { Double($0) }
    }
    guard let bytes = file.value(field, limit: 64) else { return nil }
    return stride(from: 0, to: bytes.count - 7, by: 8).map { place in
      let numerator = bytes.number(at: place, 4, file.order) ?? 0
      let denominator = bytes.number(at: place + 4, 4, file.order) ?? 0
      return denominator > 0 ? Double(numerator) / Double(denominator) : 0
    }
  }

  /// True if the file is a DNG file.
  public var isDNG: Bool { chain.first?.fields.contains { $0.tag == Tag.version } ?? false }

  /// True if samples, or a directory that may describe them, are beyond the end of the file.
  var isCut: Bool {
    if chain.first?.isWhole != true { return true }
    guard let main = samplesDirectory else { return below.contains { !$0.isWhole } }
    return Tag.parts.contains { parts in
      guard let offsets = main.fields.first(where: { $0.tag == parts.offsets }) else {
        return false
      }
      guard let starts = file.numbers(offsets, limit: 1 << 24) else { return true }
      var stated: [Int] = []
      if let lengths = main.fields.first(where: { $0.tag == parts.lengths }) {
        guard let numbers = file.numbers(lengths, limit: 1 << 24) else { return true }
        stated = numbers
      }
      let coding = number(Tag.coding, main) ?? 1
      let isExact = isDNG || Self.exactCodings.contains(coding)
      return starts.enumerated().contains { index, start in
        let decoded = coding == 1 ? decodedLength(of: index, main) : nil
        let known = index < stated.count ? stated[index] : nil
        let length = min(known ?? decoded ?? 1, decoded ?? .max)
        let needed = isExact ? length : length - length / Self.play
        let end = file.source.count - file.start
        return needed > 0 && (start > end || start > end - needed)
      }
    }
  }

  /// The directory of the samples: of the pictures of full size, the one with the most bytes; nil if
  /// there is none.
  private var samplesDirectory: Directory? {
    let all = (chain + below).filter { directory in
      directory.fields.contains { field in Tag.parts.contains { $0.offsets == field.tag } }
    }
    let whole = all.filter { number(Tag.kind, $0) == 0 }
    let candidates = whole.isEmpty ? all.filter { number(Tag.kind, $0) == nil } : whole
    return candidates.max { size($0) < size($1) }
  }

  private func number(_ tag: UInt16, _ directory: Directory) -> Int? {
    directory.fields.first { $0.tag == tag }.flatMap { file.numbers($0, limit: 64)?.first }
  }

  /// The bytes of all strips or tiles of a directory.
  private func size(_ directory: Directory) -> Int {
    Tag.parts.compactMap { parts in
      directory.fields.first { $0.tag == parts.lengths }
        .flatMap { file.numbers($0, limit: 1 << 24) }?
        .reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }.max() ?? 0
  }

  /// The bytes of an uncompressed strip or tile; nil if they are not known.
  private func decodedLength(of index: Int, _ directory: Directory) -> Int? {
    guard let width = number(Tag.width, directory), let height = number(Tag.height, directory),
      let bits = number(Tag.bits, directory), (1...64).contains(bits),
      (1..<1 << 20).contains(width), (1..<1 << 20).contains(height)
    else { return nil }
    let samples = number(Tag.samples, directory) ?? 1
    guard (1...8).contains(samples) else { return nil }
    if let across = number(Tag.tileWidth, directory), let down = number(Tag.tileHeight, directory) {
      guard (1..<1 << 20).contains(across), (1..<1 << 20).contains(down) else { return nil }
      return (across * samples * bits + 7) / 8 * down
    }
    let rows = min(number(Tag.rows, directory) ?? height, height)
    guard rows > 0, index < 1 << 20 else { return nil }
    return (width * samples * bits + 7) / 8 * max(0, min(rows, height - index * rows))
  }
}
