import FileStructure

/// The gain map of a JPEG file, a picture in the index of pictures.
extension JPEGFile {
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

  var gainMapOutline: PictureOutline? { gainMapPictures.first.map(outline) }
}

/// A gain map as a part of a JPEG file.
///
/// - Source: Android, "Ultra HDR Image Format" 1.1.
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
}
