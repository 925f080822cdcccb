import FileStructure

/// Facts in the first directory of a TIFF file that distinguish raw photos from other pictures.
///
/// - Source: TIFF 6.0, 1992; Adobe DNG 1.7, 2023, for the tags of raw data; libtiff on
///   BigTIFF.
struct TIFFHead: Sendable {
  /// True if the file is a DNG file, if the first directory contains sensor data, or if it contains
  /// a preview and its subdirectories contain sensor data.
  let isRaw: Bool
  let isDNG: Bool
  /// The camera's maker in capital letters; empty if unknown.
  let maker: String
  /// The range, in the file, of the first directory if its bytes have not been read yet; nil if
  /// they have been read.
  let missing: Range<Int>?

  /// The maximum number of directory entries that are read; no camera writes more.
  private static let mostEntries = 400
  /// The upper limit of valid offsets of the directory; a larger offset means that the file is
  /// damaged.
  private static let longestFile = 1 << 48

  /// Reads the first directory.
  ///
  /// Nil if the bytes are not a TIFF file.
  init?(_ source: ByteSource) {
    guard let header = TIFFHeader(source) else { return nil }
    if let start = header.firstDirectory, (FileHead.length..<Self.longestFile).contains(start),
      source.number(at: start, 2, header.order) == nil
    {
      missing = start..<(start + header.countWidth + Self.mostEntries * header.entryWidth)
    } else {
      missing = nil
    }
    let directory = Directory(source)
    isDNG = directory.value(of: Tag.dngVersion) != nil
    isRaw = isDNG || directory.isRaw
    maker = directory.text(of: Tag.make)?.uppercased() ?? ""
  }

  /// True if the file is a raw photo of one of these makers.
  func isRaw(by makers: String...) -> Bool {
    isRaw && makers.contains { maker.hasPrefix($0) }
  }
}

/// The fields of a TIFF file's first directory.
private struct Directory {
  private let file: TIFFFile?
  private let fields: [UInt16: TIFFFile.Field]

  init(_ source: ByteSource) {
    let file = TIFFFile(source)
    let fields = file.map { $0.fields(at: $0.firstDirectory) } ?? []
    self.file = file
    self.fields = Dictionary(fields.map { ($0.tag, $0) }) { $1 }
  }

  /// The first value of a field, or the offset of the field's values in the file; nil if the field
  /// is missing.
  func value(of tag: UInt16) -> Int? {
    guard let file, let field = fields[tag] else { return nil }
    let width =
      switch field.type {
      case .short: 2
      case .long: 4
      default: file.offsetWidth
      }
    return file.source.number(at: field.place, width, file.order)
  }

  /// The text of a field, at most 64 bytes; nil if the field is missing, or if its text is so short
  /// that it is stored inside the directory entry.
  func text(of tag: UInt16) -> String? {
    guard let file, let field = fields[tag], field.count > file.offsetWidth,
      let bytes = file.source.whole(at: file.offset(field), min(field.count, 64))
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  var isRaw: Bool {
    if let value = value(of: Tag.photometricInterpretation),
      Self.rawInterpretations.contains(value)
    {
      return true
    }
    if let value = value(of: Tag.compression), Self.rawCompressions.contains(value) { return true }
    let isReduced = (value(of: Tag.newSubfileType) ?? 0) & 1 == 1
    return isReduced && value(of: Tag.subdirectories) != nil
  }

  /// Photometric interpretations of raw photos: colour filter array and linear raw.
  private static let rawInterpretations = [32_803, 34_892]
  /// Raw compression schemes of Nikon, Kodak, Pentax, Samsung and Sony, in this order.
  private static let rawCompressions = [34_713, 65_000, 65_535, 32_770, 32_767]
}

private enum Tag {
  static let newSubfileType: UInt16 = 254
  static let compression: UInt16 = 259
  static let photometricInterpretation: UInt16 = 262
  static let make: UInt16 = 271
  static let subdirectories: UInt16 = 330
  static let dngVersion: UInt16 = 50_706
}
