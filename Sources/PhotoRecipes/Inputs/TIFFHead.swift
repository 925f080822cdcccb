/// The first directory of a TIFF file.
///
/// - Source: TIFF 6.0, 1992; Adobe DNG 1.7, 2023, for the tags of raw data; libtiff on
///   BigTIFF.
struct TIFFHead: Sendable {
  /// Whether the picture is a camera's sensor data, and the first directory only a preview.
  let isRaw: Bool
  let isDNG: Bool
  /// The camera's maker as the file says it, in capital letters.
  let maker: String
  /// Where the directory lies, if it is not there.
  let missing: Range<Int>?

  private enum Tag {
    static let newSubfileType = 254
    static let compression = 259
    static let photometricInterpretation = 262
    static let make = 271
    static let subdirectories = 330
    static let dngVersion = 50_706
  }

  /// Colour filter array, and linear raw.
  private static let rawInterpretations = [32_803, 34_892]
  /// Nikon's, Kodak's, Pentax', Samsung's and Sony's, in this order.
  private static let rawCompressions = [34_713, 65_000, 65_535, 32_770, 32_767]
  /// More entries than any camera writes.
  private static let mostEntries = 400
  /// No directory is looked for behind this, in bytes.
  private static let longestFile = 1 << 48

  /// Nil if the bytes are no TIFF file.
  init?(_ parts: [FileHead.Part]) {
    guard let mark = parts.bytes(at: 0, 8) else { return nil }
    let isLittle: Bool
    switch (mark[0], mark[1]) {
    case (0x49, 0x49): isLittle = true
    case (0x4D, 0x4D): isLittle = false
    default: return nil
    }
    var bytes = TIFFBytes(parts: parts, isLittle: isLittle)
    guard let version = bytes.number(at: 2, 2), version == 42 || version == 43 else { return nil }
    bytes.isBig = version == 43
    let start = bytes.isBig ? bytes.number(at: 8, 8) : bytes.number(at: 4, 4)
    let directory = start.map { bytes.directory(at: $0, most: Self.mostEntries) } ?? [:]
    if let start, (FileHead.length..<Self.longestFile).contains(start),
      bytes.number(at: start, 2) == nil
    {
      missing = start..<(start + bytes.length(ofEntries: Self.mostEntries))
    } else {
      missing = nil
    }
    isDNG = directory[Tag.dngVersion] != nil
    isRaw = isDNG || Self.isRaw(directory)
    maker = directory[Tag.make].flatMap { bytes.text($0) } ?? ""
  }

  private static func isRaw(_ directory: [Int: TIFFBytes.Entry]) -> Bool {
    func value(_ tag: Int) -> Int? { directory[tag]?.value }
    if let value = value(Tag.photometricInterpretation), rawInterpretations.contains(value) {
      return true
    }
    if let value = value(Tag.compression), rawCompressions.contains(value) { return true }
    let isReduced = (value(Tag.newSubfileType) ?? 0) & 1 == 1
    return isReduced && directory[Tag.subdirectories] != nil
  }

  /// Whether it is a raw photo of one of these makers.
  func isRaw(by makers: String...) -> Bool {
    isRaw && makers.contains { maker.hasPrefix($0) }
  }
}

/// Numbers in the byte order of a TIFF file; nil beyond what is there.
struct TIFFBytes {
  struct Entry {
    let count: Int
    /// The first value, or where the values are.
    let value: Int
  }

  let parts: [FileHead.Part]
  let isLittle: Bool
  /// Whether offsets and counts have eight bytes: BigTIFF.
  var isBig = false

  private var countLength: Int { isBig ? 8 : 2 }
  private var entryLength: Int { isBig ? 20 : 12 }

  /// The bytes of a directory of so many entries.
  func length(ofEntries count: Int) -> Int { countLength + count * entryLength }

  func number(at offset: Int, _ size: Int) -> Int? {
    guard let bytes = parts.bytes(at: offset, size) else { return nil }
    return isLittle
      ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The entries of a directory by their tags, as far as they are there.
  func directory(at start: Int, most: Int) -> [Int: Entry] {
    guard let count = number(at: start, countLength), count > 0 else { return [:] }
    var entries: [Int: Entry] = [:]
    for index in 0..<min(count, most) {
      let entry = start + length(ofEntries: index)
      let width = isBig ? 8 : 4
      guard let tag = number(at: entry, 2), let type = number(at: entry + 2, 2),
        let count = number(at: entry + 4, width),
        let value = number(at: entry + 4 + width, type == 3 ? 2 : type == 4 ? 4 : width)
      else { break }
      entries[tag] = Entry(count: count, value: value)
    }
    return entries
  }

  /// A text of ASCII letters, in capitals.
  func text(_ entry: Entry) -> String? {
    guard entry.count > (isBig ? 8 : 4),
      let bytes = parts.bytes(at: entry.value, min(entry.count, 64))
    else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).uppercased()
  }
}
