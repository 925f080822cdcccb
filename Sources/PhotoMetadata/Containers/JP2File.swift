import FileStructure

/// A JPEG 2000 file: boxes, or a bare codestream.
///
/// - Source: ITU-T T.800, annex A.4.1 (SOC, EOC) and annex I (boxes).
struct JP2File {
  private static let signature: [UInt8] =
    [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
  private static let start: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  static let end: [UInt8] = [0xFF, 0xD9]

  let source: ByteSource
  let isBare: Bool
  let boxes: [Box]

  init?(_ source: ByteSource) {
    self.source = source
    let head = source.bytes(at: 0, Self.signature.count)
    isBare = head.starts(with: Self.start)
    guard isBare || head == Self.signature else { return nil }
    boxes = isBare ? [] : Box.all(in: source, 0..<source.count)
  }
}

extension JP2File {
  /// The kind of content in a `uuid` box.
  private enum Kind {
    case exif, iptc, xmp, photoshop

    /// The kind with this identifier; nil if it is unknown.
    ///
    /// - Source: ExifTool's tables of JPEG 2000, tag `uuid`; XMP Specification part 3, 2020, 1.1.4.
    init?(_ identifier: [UInt8]) {
      switch identifier {
      case Array("JpgTiffExif->JP2".utf8), Self.adobeEXIF: self = .exif
      case Self.iptcIdentifier, Self.adobeIPTC: self = .iptc
      case XMP.boxIdentifier: self = .xmp
      case Self.photoshopIdentifier: self = .photoshop
      default: return nil
      }
    }

    private static let adobeEXIF: [UInt8] = [
      0x05, 0x37, 0xCD, 0xAB, 0x9D, 0x0C, 0x44, 0x31, 0xA7, 0x2A, 0xFA, 0x56, 0x1F, 0x2A, 0x11,
      0x3E,
    ]
    private static let iptcIdentifier: [UInt8] = [
      0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD,
      0x38,
    ]
    private static let adobeIPTC: [UInt8] = [
      0x09, 0xA1, 0x4E, 0x97, 0xC0, 0xB4, 0x42, 0xE0, 0xBE, 0xBF, 0x36, 0xDF, 0x6F, 0x0C, 0xE3,
      0x6F,
    ]
    private static let photoshopIdentifier: [UInt8] = [
      0x2C, 0x4C, 0x01, 0x00, 0x85, 0x04, 0x40, 0xB9, 0xA0, 0x3E, 0x56, 0x21, 0x48, 0xD6, 0xDF,
      0xEB,
    ]
  }

  /// The blocks of metadata.
  ///
  /// JPEG 2000 has no orientation of its own, and its decoders ignore the orientation in EXIF.
  var blocks: Blocks {
    var blocks = Blocks()
    for box in boxes where box.name == "uuid" && box.content.count > 16 {
      guard let kind = Kind(source.bytes(at: box.content.lowerBound, 16)),
        let bytes = source.whole(
          at: box.content.lowerBound + 16, box.content.count - 16, limit: Blocks.limit)
      else { continue }
      switch kind {
      // Some writers put the signature of a JPEG segment before the EXIF block.
      case .exif where blocks.exif == nil:
        blocks.exif = EXIF(.bytes(bytes)) ?? EXIF(.bytes(bytes), at: 6)
      case .xmp where blocks.xmp.isEmpty: blocks.xmp.append(bytes)
      case .iptc where blocks.iptc == nil: blocks.iptc = bytes
      case .photoshop where blocks.iptc == nil:
        blocks.iptc = PhotoshopResources.content(of: PhotoshopResources.iptc, in: bytes)
      case .exif, .xmp, .iptc, .photoshop: continue
      }
    }
    return blocks
  }

  /// The ICC profile in the header; nil if the header states a colour space by its code.
  ///
  /// - Source: ITU-T T.800, I.5.3.3 (colr, method 2); T.801, M.11.7.3.2 (method 3).
  var profile: [UInt8]? {
    guard let header = boxes.first(where: { $0.name == "jp2h" }) else { return nil }
    for box in Box.all(in: source, header.content) where box.name == "colr" {
      guard let method = source.number(at: box.content.lowerBound, 1, .big),
        method == 2 || method == 3
      else { continue }
      return source.whole(
        at: box.content.lowerBound + 3, box.content.count - 3, limit: Blocks.limit)
    }
    return nil
  }
}
