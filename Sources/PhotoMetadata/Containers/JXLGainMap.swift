import FileStructure

/// The gain map of a JPEG XL file, in the box `jhgm`.
///
/// The box contains its version, the description of ISO 21496-1, the colour space of the HDR
/// picture (both as codes and as an ICC profile; each may be empty), and a codestream with the map.
/// - Source: ISO/IEC 18181-2:2024, 9.10 (gain map box); libjxl, `jxl/gain_map.h`.
extension JXLFile {
  private var gainMapBox: Box? {
    boxes.first { $0.name == "jhgm" && $0.content.count <= GainMap.mostBytes }
  }

  var gainMap: GainMap? {
    guard let box = gainMapBox else { return nil }
    var cursor = ByteCursor(source.bytes(at: box.content.lowerBound, box.content.count))
    guard cursor.number(1) == 0, let length = cursor.number(2) else { return nil }
    let description = cursor.part(length).flatMap { GainMapDescription($0) }
    guard let description, let colour = cursor.number(1), cursor.part(colour) != nil,
      let profile = cursor.number(4), cursor.part(profile) != nil
    else { return nil }
    let picture = Array(cursor.bytes[cursor.offset...])
    guard picture.starts(with: Self.codestream) else { return nil }
    return GainMap(picture: picture, description: description)
  }

  var gainMapOutline: PictureOutline? {
    guard let box = gainMapBox else { return nil }
    return PictureOutline(bytes: box.content.count, pixels: nil, bands: 3, isInterlaced: true)
  }

  /// The codestream without boxes; nil if it is incomplete.
  var wholeCodestream: [UInt8]? {
    if isBare { return source.whole(at: 0, source.count, limit: GainMap.mostBytes) }
    var bytes: [UInt8] = []
    for box in boxes where box.name == "jxlc" || box.name == "jxlp" {
      let skipped = box.name == "jxlp" ? 4 : 0
      guard box.content.count >= skipped,
        let part = source.whole(
          at: box.content.lowerBound + skipped, box.content.count - skipped,
          limit: GainMap.mostBytes - bytes.count)
      else { return nil }
      bytes += part
    }
    return isWhole ? bytes : nil
  }
}

extension GainMap {
  /// The map as a box of a JPEG XL file; nil if the map's picture is not a JPEG XL file.
  var jxlBox: [UInt8]? {
    guard let stream = JXLFile(.bytes(picture))?.wholeCodestream else { return nil }
    let text = description.bytes
    return Box.bytes(
      "jhgm",
      [0] + ByteOrder.big.bytes(text.count, 2) + text + [0] + ByteOrder.big.bytes(0, 4) + stream)
  }
}

extension ByteCursor {
  /// The next `count` bytes; nil if fewer follow.
  fileprivate mutating func part(_ count: Int) -> [UInt8]? {
    guard offset <= bytes.count, count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }
}
