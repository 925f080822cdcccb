package import FileStructure

/// The metadata and the embedded JPEG of a raw photo that is not an ordinary TIFF file.
///
/// LibRaw knows only the properties that it needs for developing, and not all of these files.
/// - Source: ExifTool 12.57, the tables of Canon, Fujifilm, Minolta, Olympus and Panasonic.
package enum RawFile {
  case cr3(CR3File)
  case crw(CRWFile)
  /// Fujifilm: the offset and the length of a JPEG stand in the header.
  case raf(jpeg: Range<Int>, ByteSource)
  /// Minolta: blocks with names, one of which is a TIFF file at this offset.
  case mrw(tiff: Int, ByteSource)
  /// Olympus: a TIFF file with another version.
  case orf(TIFFFile)
  /// Panasonic: a TIFF file with another version, and a JPEG in one of its tags.
  case rw2(TIFFFile)

  /// Recognises the file by its first bytes; nil if it is of another kind.
  package init?(of source: ByteSource) {
    let head = source.bytes(at: 0, 16)
    if head.name(at: 8) == "crx " {
      guard let file = CR3File(source) else { return nil }
      self = .cr3(file)
    } else if let file = CRWFile(source) {
      self = .crw(file)
    } else if head.starts(with: "FUJIFILMCCD-RAW".utf8) {
      guard let offset = source.number(at: 84, 4, .big),
        let length = source.number(at: 88, 4, .big)
      else { return nil }
      self = .raf(jpeg: offset..<(offset + length), source)
    } else if head.starts(with: "\0MRM".utf8) {
      guard let offset = Self.minoltaTIFF(in: source) else { return nil }
      self = .mrw(tiff: offset, source)
    } else if let file = Self.olympusVersions.lazy.compactMap({ Self.tiff(source, $0) }).first {
      self = .orf(file)
    } else if let file = Self.tiff(source, 0x0055) {
      self = .rw2(file)
    } else {
      return nil
    }
  }

  private static let olympusVersions = [0x4F52, 0x5352]

  /// The TIFF file with this version; nil if the file has another version, also if it has TIFF's own.
  private static func tiff(_ source: ByteSource, _ version: Int) -> TIFFFile? {
    guard let file = TIFFFile(source, makersVersion: version),
      source.number(at: 2, 2, file.order) == version
    else { return nil }
    return file
  }

  /// The offset of the TIFF file in a Minolta raw photo; nil if there is none.
  private static func minoltaTIFF(in source: ByteSource) -> Int? {
    guard let length = source.number(at: 4, 4, .big) else { return nil }
    var offset = 8
    while offset < min(length, 1 << 20) {
      guard let name = source.whole(at: offset, 4),
        let length = source.number(at: offset + 4, 4, .big)
      else { return nil }
      if name == Array("\0TTW".utf8) { return offset + 8 }
      offset += 8 + length
    }
    return nil
  }
}

extension RawFile {
  private static let embeddedJPEG: UInt16 = 0x002E
  /// The maximum number of bytes of an embedded JPEG.
  static let longestPreview = 64 << 20
  /// The bytes of an embedded JPEG in which its metadata are looked for.
  private static let metadataLength = 4 << 20

  /// The metadata of the photo.
  var blocks: Blocks {
    switch self {
    case .cr3(let file): return file.blocks
    case .crw(let file): return file.blocks
    case .raf(let range, let source): return Self.blocks(ofJPEG: range, in: source)
    case .mrw(let offset, let source):
      var blocks = Blocks()
      blocks.exif = EXIF(source, at: offset)
      blocks.exif?.hasThumbnail = false
      return blocks
    case .orf(let file):
      var blocks = file.blocks
      blocks.attachments = []
      return blocks
    case .rw2(let file):
      let embedded = Self.jpeg(of: file).map { Self.blocks(ofJPEG: $0, in: file.source) }
      if let embedded, embedded.exif != nil { return embedded }
      var blocks = file.blocks
      blocks.attachments = []
      // Tags below those of TIFF describe the sensor.
      blocks.exif?.removeAll { $0 == .primary && $1.tag < 0x00FE }
      return blocks
    }
  }

  /// The bytes of the largest embedded JPEG; nil if there is none, or if LibRaw finds it in all
  /// files of the format.
  package var preview: [UInt8]? {
    switch self {
    case .cr3(let file): file.preview
    case .raf(let range, let source): Self.jpeg(range, in: source, limit: Self.longestPreview)
    case .rw2(let file):
      Self.jpeg(of: file).flatMap {
        Self.jpeg($0, in: file.source, limit: Self.longestPreview)
      }
    case .crw, .mrw, .orf: nil
    }
  }

  /// The orientation that the metadata state, 1…8; nil if they state none.
  package var orientation: Int? { blocks.exif?.integer(.orientation) }

  private static func jpeg(of file: TIFFFile) -> Range<Int>? {
    guard let field = file.field(embeddedJPEG), field.count > 4, field.type?.size == 1 else {
      return nil
    }
    let offset = file.offset(field)
    return offset..<(offset + field.count)
  }

  /// The bytes of a JPEG at this place, at most `limit`; nil if no JPEG begins there.
  static func jpeg(_ range: Range<Int>, in source: ByteSource, limit: Int) -> [UInt8]? {
    guard source.bytes(at: range.lowerBound, 3) == [0xFF, 0xD8, 0xFF] else { return nil }
    return source.bytes(at: range.lowerBound, min(range.count, limit))
  }

  /// The metadata of an embedded JPEG, without its further pictures.
  private static func blocks(ofJPEG range: Range<Int>, in source: ByteSource) -> Blocks {
    guard let bytes = jpeg(range, in: source, limit: metadataLength) else { return Blocks() }
    var blocks = JPEGFile(.bytes(bytes)).blocks
    blocks.exif?.hasThumbnail = false
    blocks.attachments = []
    return blocks
  }
}
