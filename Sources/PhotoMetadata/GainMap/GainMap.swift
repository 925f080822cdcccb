public import FileStructure
import Notation

/// A gain map: a picture with the gains that make of a photo for standard displays one for HDR
/// displays.
public struct GainMap: Sendable, Hashable {
  /// The picture as a JPEG file, in the orientation of the photo's stored pixels.
  public var picture: [UInt8]
  public var description: GainMapDescription

  public init(picture: [UInt8], description: GainMapDescription) {
    self.picture = picture
    self.description = description
  }

  /// The maximum size in bytes of a gain map's picture.
  private static let mostBytes = 64 << 20

  /// Reads the gain map of a JPEG file that is described by ISO 21496-1 or by Adobe's XMP; nil if
  /// the file has none.
  public init?(of source: ByteSource) {
    guard JPEGFile.hasSignature(source) else { return nil }
    let pictures = JPEGFile(source).otherPictures.filter { $0.kind == .gainMap }
    for picture in pictures where picture.length <= Self.mostBytes {
      guard let bytes = source.whole(at: picture.offset, picture.length) else { continue }
      let file = JPEGFile(.bytes(bytes))
      guard JPEGFile.hasSignature(.bytes(bytes)), let description = file.gainMapDescription
      else { continue }
      self.init(picture: bytes, description: description)
      return
    }
    return nil
  }
}

extension JPEGFile {
  /// The description in a gain map's own file.
  fileprivate var gainMapDescription: GainMapDescription? {
    for segment in segments where segment.marker == Marker.app2 {
      let bytes = content(segment, after: Signature.gainMap)
      if let description = bytes.flatMap({ GainMapDescription($0) }) { return description }
    }
    let packet = blocks.xmp.first.flatMap { try? XMP($0) }
    return packet.flatMap { GainMapDescription($0) }
  }
}

/// A JPEG file with a gain map: the base picture, which says so, followed by the map.
///
/// - Source: Android, "Ultra HDR Image Format" 1.1; CIPA DC-007-2009 (Multi-Picture Format), 5.2.
extension GainMap {
  /// The map's file, with its description in both forms.
  var file: [UInt8] {
    let start = JPEGFile(.bytes(picture)).endOfHeader
    let xmp = JPEGFile.segment(
      JPEGFile.Marker.app1, JPEGFile.Signature.xmp + description.xmp.packet)
    let iso = JPEGFile.segment(
      JPEGFile.Marker.app2, JPEGFile.Signature.gainMap + description.bytes)
    return Array(picture[..<start]) + xmp + iso + Array(picture[start...])
  }

  /// The segment of the base picture that says by which standard the map is described.
  static var announcement: [UInt8] {
    JPEGFile.segment(
      JPEGFile.Marker.app2, JPEGFile.Signature.gainMap + GainMapDescription.versions)
  }

  /// The properties of the base picture's XMP for a map of `length` bytes.
  static func properties(length: Int) -> [MarkupElement] {
    func name(_ prefix: String, _ local: String) -> MarkupName {
      MarkupName(XMPPrefix.byPrefix[prefix] ?? "", local)
    }
    func item(_ semantic: String, _ length: Int?) -> MarkupElement {
      var attributes = [
        MarkupElement.Attribute(name("Item", "Semantic"), semantic),
        MarkupElement.Attribute(name("Item", "Mime"), "image/jpeg"),
      ]
      if let length { attributes.append(.init(name("Item", "Length"), "\(length)")) }
      let resource = MarkupElement.Attribute(.rdf("parseType"), "Resource")
      return MarkupElement(
        .rdf("li"), attributes: [resource],
        children: [MarkupElement(name("Container", "Item"), attributes: attributes)])
    }
    let items = [item("Primary", nil), item("GainMap", length)]
    return [
      MarkupElement(GainMapDescription.version, text: "1.0"),
      MarkupElement(
        name("Container", "Directory"),
        children: [MarkupElement(.rdf("Seq"), children: items)]),
    ]
  }

  /// The length of the segment `index`.
  static let indexLength = 90

  /// The index of both pictures, as a segment that begins at `offset` of the base picture.
  static func index(at offset: Int, baseLength: Int, mapLength: Int) -> [UInt8] {
    func number(_ value: Int, _ size: Int = 4) -> [UInt8] { ByteOrder.big.bytes(value, size) }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count) + value
    }
    let (undefined, long, entries) = (7, 4, 50)
    let signature = JPEGFile.Signature.pictures
    let place = offset + 4 + signature.count
    let isBase = 0x030000
    let tiff =
      Array("MM".utf8) + number(42, 2) + number(8) + number(3, 2)
      + field(0xB000, undefined, 4, Array("0100".utf8)) + field(0xB001, long, 1, number(2))
      + field(0xB002, undefined, 32, number(entries)) + number(0)
      + number(isBase) + number(baseLength) + number(0) + number(0)
      + number(0) + number(mapLength) + number(baseLength - place) + number(0)
    return JPEGFile.segment(JPEGFile.Marker.app2, signature + tiff)
  }
}
