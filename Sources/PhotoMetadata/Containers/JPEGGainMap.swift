import FileStructure

/// The gain map of a JPEG file, a picture in the index of pictures.
extension JPEGFile {
  /// The number of bytes at the start of a picture that are searched for its frame header.
  private static let headLength = 1 << 18

  private var gainMapPictures: [Picture] {
    otherPictures.filter { $0.kind == .gainMap && $0.length <= GainMap.mostBytes }
  }

  /// The first gain map with a description by ISO 21496-1, in Adobe's XMP, or in Apple's form.
  var gainMap: GainMap? {
    for picture in gainMapPictures {
      guard let bytes = source.whole(at: picture.offset, picture.length),
        JPEGFile.hasSignature(.bytes(bytes))
      else { continue }
      let file = JPEGFile(.bytes(bytes))
      if let map = file.asGainMap(bytes, noteOf: self) { return map }
    }
    return nil
  }

  /// Reads this file as the gain map of a base picture; nil if it is not a gain map.
  private func asGainMap(_ bytes: [UInt8], noteOf base: JPEGFile) -> GainMap? {
    for segment in segments where segment.marker == Marker.app2 {
      let content = content(segment, after: Signature.gainMap)
      if let description = content.flatMap({ GainMapDescription($0) }) {
        return GainMap(picture: bytes, description: description)
      }
    }
    guard let xmp = blocks.xmp.first.flatMap({ try? XMP($0) }) else { return nil }
    if let description = GainMapDescription(xmp) {
      return GainMap(picture: bytes, description: description)
    }
    guard GainMap.isApple(xmp),
      let headroom = GainMap.appleHeadroom(in: xmp) ?? base.blocks.exif?.appleHeadroom
    else { return nil }
    return GainMap(picture: bytes, appleHeadroom: headroom)
  }

  var gainMapOutline: GainMap.Outline? {
    guard let picture = gainMapPictures.first else { return nil }
    let head = source.bytes(at: picture.offset, min(picture.length, Self.headLength))
    let frame = JPEGFile(.bytes(head)).frames.first
    return GainMap.Outline(
      bytes: picture.length, pixels: frame?.pixels, bands: frame?.components.count ?? 3,
      isInterlaced: frame?.isSequential != true, isJPEG: true)
  }
}

/// A gain map as a part of a JPEG file.
///
/// - Source: Android, "Ultra HDR Image Format" 1.1; CIPA DC-007-2009 (Multi-Picture Format), 5.2.
extension GainMap {
  /// The map's file, with its description both by ISO 21496-1 and in XMP; the map's picture must be
  /// a JPEG file.
  var file: [UInt8] {
    let start = JPEGFile(.bytes(picture)).endOfHeader
    let xmp = JPEGFile.segment(
      JPEGFile.Marker.app1, JPEGFile.Signature.xmp + description.xmp.packet)
    let iso = JPEGFile.segment(
      JPEGFile.Marker.app2, JPEGFile.Signature.gainMap + description.bytes)
    return Array(picture[..<start]) + xmp + iso + Array(picture[start...])
  }

  /// The segment of the base picture that states the standard by which the map is described.
  static var announcement: [UInt8] {
    JPEGFile.segment(
      JPEGFile.Marker.app2, JPEGFile.Signature.gainMap + GainMapDescription.versions)
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
