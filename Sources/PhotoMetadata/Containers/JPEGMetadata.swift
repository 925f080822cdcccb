import FileStructure
import Hashing
import Notation
import PhotoRecipes

/// The metadata of a JPEG file.
///
/// - Source: CIPA DC-008-2023 (Exif), 4.7; XMP Specification part 3, 1.1.3.
extension JPEGFile {
  enum Signature {
    static let exif = EXIF.signature
    static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let extendedXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    static let photoshop = Array("Photoshop 3.0\0".utf8)
    static let gainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    static let pictures = Array("MPF\0".utf8)
    static let profile = Array("ICC_PROFILE\0".utf8)
  }

  /// The maximum number of bytes of a segment after its length field.
  private static let payloadLimit = 65_533

  var blocks: Blocks {
    var blocks = Blocks()
    var parts: [ExtensionPart] = []
    var resources: [UInt8] = []
    var hasPictures = false
    // The number of bytes that may still be read, for all remaining segments together.
    var room = Blocks.limit
    for segment in segments where segment.length <= room {
      room -= segment.length
      switch segment.marker {
      case Marker.app1:
        if let exif = content(segment, after: Signature.exif) {
          blocks.exif = blocks.exif ?? EXIF(exif)
        } else if let xmp = content(segment, after: Signature.xmp) {
          if blocks.xmp.isEmpty { blocks.xmp.append(xmp) }
        } else if let part = content(segment, after: Signature.extendedXMP) {
          if let part = ExtensionPart(part) { parts.append(part) }
        }
      case Marker.app2:
        if content(segment, after: Signature.gainMap) != nil {
          blocks.attachments.insert(.gainMap)
        } else if !hasPictures, content(segment, after: Signature.pictures) != nil {
          hasPictures = true
          blocks.attachments.formUnion(otherPictures.map(\.kind))
        }
      case Marker.app11:
        if ContentCredentials.begin(segment: payload(of: segment)) {
          blocks.attachments.insert(.credentials)
        }
      case Marker.app13:
        resources += content(segment, after: Signature.photoshop) ?? []
      case Marker.comment:
        let bytes = payload(of: segment).prefix { $0 != 0 }
        blocks.comments.append(String(decoding: bytes, as: UTF8.self))
      default: break
      }
    }
    if let packet = blocks.xmp.first, let more = ExtensionPart.joined(parts, for: packet) {
      blocks.xmp.append(more)
    }
    blocks.iptc = PhotoshopResources.content(of: PhotoshopResources.iptc, in: resources)
    return blocks
  }
}

/// A part of an extended XMP packet, which contains the properties that do not fit into one
/// segment.
private struct ExtensionPart {
  /// The MD5 of the whole packet in 32 hexadecimal digits.
  let digest: [UInt8]
  let length: Int
  let offset: Int
  let bytes: [UInt8]

  init?(_ content: [UInt8]) {
    guard let length = content.number(at: 32, 4, .big),
      let offset = content.number(at: 36, 4, .big)
    else { return nil }
    digest = Array(content.prefix(32))
    self.length = length
    self.offset = offset
    bytes = Array(content.dropFirst(40))
  }

  /// The extended packet to which a packet refers; nil if parts are missing.
  static func joined(_ parts: [ExtensionPart], for packet: [UInt8]) -> [UInt8]? {
    guard let first = parts.first(where: { packet.contains($0.digest) }),
      first.length <= Blocks.limit
    else { return nil }
    var bytes: [UInt8] = []
    let pieces = parts.filter { $0.digest == first.digest }.sorted { $0.offset < $1.offset }
    for piece in pieces where piece.offset == bytes.count { bytes += piece.bytes }
    return bytes.count == first.length ? bytes : nil
  }
}

extension JPEGFile {
  /// True for segments of metadata, which embedding replaces or removes.
  private func isMetadata(_ segment: Segment) -> Bool {
    switch segment.marker {
    case Marker.app1, Marker.app11, Marker.app13, Marker.comment: true
    case Marker.app2:
      content(segment, after: Signature.gainMap) != nil
        || content(segment, after: Signature.pictures) != nil
    default: false
    }
  }

  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    guard Self.hasSignature(source), !segments.isEmpty else {
      throw .malformed("there are no JPEG segments")
    }
    var edits = FileEdits()
    for segment in segments where isMetadata(segment) {
      edits.add(at: segment.offset, removing: segment.length)
    }
    let map = metadata.gainMap?.file
    let others = metadata.auxiliaries.filter { !$0.isInXMP }.map { $0.jpegFile(&warnings) }
    let further = (map.map { [$0] } ?? []) + others
    var properties = metadata.auxiliaries.flatMap(\.xmpProperties)
    if map != nil || metadata.film != nil {
      properties += MotionPhotoFilm.properties(
        mapLength: map?.count, others: others.reduce(0) { $0 + $1.count }, metadata.film)
    }
    var xmp = metadata.xmp
    for property in properties { xmp = (xmp ?? XMP()).with(property) }
    var added: [UInt8] = []
    if let exif = metadata.exif {
      let limit = Self.payloadLimit - Signature.exif.count
      let block = exif.block(limit: limit, &warnings)
      if !block.isEmpty { added += Self.segment(Marker.app1, Signature.exif + block) }
    }
    if let xmp { added += Self.segments(of: xmp, &warnings) }
    if let iptc = metadata.iptc {
      let resources = PhotoshopResources.block(PhotoshopResources.iptc, iptc.bytes)
      let limit = Self.payloadLimit - Signature.photoshop.count
      for start in stride(from: 0, to: resources.count, by: limit) {
        let part = resources[start..<min(resources.count, start + limit)]
        added += Self.segment(Marker.app13, Signature.photoshop + part)
      }
    }
    for comment in metadata.comments {
      added += Self.segment(Marker.comment, Array(comment.utf8.prefix(Self.payloadLimit)))
    }
    if map != nil { added += GainMap.announcement }
    if !further.isEmpty {
      let start = source.count + edits.growth + added.count
      added += Self.index(
        at: endOfHeader + added.count, before: start, of: further.map(\.count))
    }
    edits.add(at: endOfHeader, inserting: added)
    if !further.isEmpty { edits.add(at: source.count, inserting: Array(further.joined())) }
    return edits
  }

  /// The offset after the start marker and the JFIF header.
  var endOfHeader: Int {
    guard let first = segments.first, first.marker == Marker.app0 else { return 2 }
    return 2 + first.length
  }

  static func segment(_ marker: Int, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, UInt8(marker)] + ByteOrder.big.bytes(payload.count + 2, 2) + payload
  }

  /// The segments of a packet: one segment for a short packet; for a longer one, a main segment and
  /// the parts of an extended packet.
  private static func segments(of xmp: XMP, _ warnings: inout [String]) -> [UInt8] {
    let whole = xmp.packet
    let limit = payloadLimit - Signature.xmp.count
    if whole.count <= limit { return segment(Marker.app1, Signature.xmp + whole) }
    var (main, rest) = (xmp, XMP())
    let note = MarkupName(XMPPrefix.byPrefix["xmpNote"] ?? "", "HasExtendedXMP")
    main.set(note, text: String(repeating: "0", count: 32))
    let bySize = xmp.properties.map { ($0, MarkupElement.size($0)) }.sorted { $0.1 > $1.1 }
    for (property, _) in bySize where main.packet.count > limit && property.name != note {
      main.remove(property.name)
      rest.set(property)
    }
    let bytes = rest.packet
    let digest = Hash.of(bytes, .md5).flatMap { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return Array((digits.count < 2 ? "0" + digits : digits).utf8)
    }
    main.set(note, text: String(decoding: digest, as: UTF8.self))
    var result = segment(Marker.app1, Signature.xmp + main.packet)
    let step = 65_000
    for start in stride(from: 0, to: bytes.count, by: step) {
      let head = digest + ByteOrder.big.bytes(bytes.count, 4) + ByteOrder.big.bytes(start, 4)
      let part = bytes[start..<min(bytes.count, start + step)]
      result += segment(Marker.app1, Signature.extendedXMP + head + part)
    }
    return result
  }
}

extension MarkupElement {
  /// The approximate size in bytes of an element in a packet.
  static func size(_ element: MarkupElement) -> Int {
    element.text.utf8.count + element.attributes.reduce(40) { $0 + $1.value.utf8.count }
      + element.children.reduce(0) { $0 + size($1) }
  }
}

extension JPEGFile {
  /// Parts that phbatch never writes, except the segments that announce these kinds of further
  /// pictures.
  func unexpectedParts(with pictures: Set<Metadata.Attachment>) -> [String] {
    segments.compactMap { segment in
      let isKnown =
        switch segment.marker {
        case Marker.app0, Marker.app14, Marker.comment: true
        case Marker.app1:
          [Signature.exif, Signature.xmp, Signature.extendedXMP].contains {
            content(segment, after: $0) != nil
          }
        case Marker.app2:
          content(segment, after: Signature.profile) != nil
            || pictures.contains(.gainMap) && content(segment, after: Signature.gainMap) != nil
            || !pictures.isEmpty && content(segment, after: Signature.pictures) != nil
        case Marker.app13: content(segment, after: Signature.photoshop) != nil
        case 0xE3...0xEF: false
        default: true
        }
      return isKnown ? nil : "an APP\(segment.marker - Marker.app0) segment"
    }
  }
}
