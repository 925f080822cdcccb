public import FileStructure
public import PhotoRecipes

/// Checks if a file ends before its picture does.
///
/// Some decoders fill missing pixels with grey or black and report success.
public enum FileEnd {
  /// A message if a part of the requested frames is missing; nil if the container shows no missing
  /// part.
  public static func missing(
    in source: ByteSource, _ frames: InputSettings.Frames = .first
  ) -> String? {
    if let jp2 = JP2File(source) { return jp2.missing }
    switch ContainerFormat(of: source) {
    case .jpeg: return JPEGFile(source).missing
    case .png: return PNGFile(source).missing
    case .webp: return WebPFile(source).missing
    case .tiff: return TIFFFile(source)?.missing
    case .gif: return GIFFile(source)?.missing(frames)
    case .heif: return HEIFFile(source)?.missing
    case .jxl: return JXLFile(source)?.missing
    case nil: return nil
    }
  }

  /// A message about missing frames after the requested ones; nil if none is missing.
  public static func lostFrames(in source: ByteSource) -> String? {
    switch ContainerFormat(of: source) {
    case .png: PNGFile(source).lostFrames
    case .gif: GIFFile(source)?.lostFrames
    case .jpeg, .webp, .tiff, .heif, .jxl, nil: nil
    }
  }

  /// True if a file seems to end early, after its decoder has failed to read it.
  ///
  /// Do not use it for files that a decoder can read: such files may end early, too.
  public static func seemsCut(_ source: ByteSource) -> Bool {
    let length = 1 << 16
    func tailLacks(_ bytes: [UInt8]) -> Bool {
      !source.bytes(at: max(0, source.count - length), length).contains(bytes)
    }
    switch ContainerFormat(of: source) {
    case .jpeg: return tailLacks([0xFF, UInt8(JPEGFile.Marker.end)])
    case .png: return tailLacks(Array("IEND".utf8))
    case .webp: return WebPFile(source).announcedLength > source.count
    case .tiff: return missing(in: source) != nil || TIFFFile(source)?.isCut ?? true
    case .gif: return missing(in: source) != nil || !GIFFile.endsWithTrailer(source)
    case .heif, .jxl, nil: return missing(in: source) != nil
    }
  }

  fileprivate static let message = "the file ends in the middle of the picture"
}

extension JPEGFile {
  /// A message if no end marker follows the last scan; nil otherwise.
  ///
  /// Other bytes may follow the marker.
  fileprivate var missing: String? {
    // A quick check: most files end with the marker.
    if source.bytes(at: source.count - 2, 2) == [0xFF, UInt8(Marker.end)] { return nil }
    return scans().hasEnd ? nil : FileEnd.message
  }
}

/// The passes of a progressive JPEG.
public enum ProgressiveScans {
  /// True if a file has more than `limit` passes.
  public static func exceed(_ limit: Int, in source: ByteSource) -> Bool {
    JPEGFile(source).scans(upTo: limit < .max ? limit + 1 : limit).count > limit
  }
}

extension PNGFile {
  /// A message if the file has no picture data (`IDAT`) or ends with it, because the data may then
  /// be incomplete; nil otherwise.
  fileprivate var missing: String? {
    let isWhole = chunks.contains { $0.name == "IDAT" } && chunks.last?.name != "IDAT"
    return isWhole ? nil : FileEnd.message
  }

  fileprivate var lostFrames: String? {
    chunks.contains { $0.name == "acTL" } && chunks.last?.name != "IEND"
      ? "the file ends in the middle of its animation: frames are missing" : nil
  }
}

extension GIFFile {
  /// True if the file ends with a trailer.
  ///
  /// - Source: GIF 89a, section 27.
  fileprivate static func endsWithTrailer(_ source: ByteSource) -> Bool {
    source.bytes(at: source.count - 1, 1) == [0x3B]
  }

  fileprivate func missing(_ frames: InputSettings.Frames) -> String? {
    guard isCut else { return nil }
    let isWhole =
      switch frames {
      case .first: frameCount > 0
      case .number(let number): frameCount >= number
      case .all: false
      }
    return isWhole ? nil : FileEnd.message
  }

  fileprivate var lostFrames: String? {
    switch frameCount {
    case 0: nil
    case _ where isCut:
      "the file ends in the middle of a frame: after \(frameCount) complete frames, the others"
        + " are missing"
    case 2... where end == nil: "the file has no trailer: frames may be missing"
    default: nil
    }
  }
}

extension WebPFile {
  fileprivate var missing: String? {
    let names = chunks.map(\.name)
    if names.contains("VP8 ") || names.contains("VP8L") { return nil }
    return announcedLength > source.count || !names.contains("ANMF") ? FileEnd.message : nil
  }
}

extension HEIFFile {
  /// A message if the primary picture or a tile of it is not completely in the file; nil otherwise.
  fileprivate var missing: String? {
    guard let primary else { return nil }
    let pictures = Set([primary] + references(from: primary, "dimg"))
    let last =
      locations.filter { pictures.contains($0.item) && $0.method == 0 }
      .flatMap(\.extents)
      .map { $0.offset.addingReportingOverflow($0.length) }
      .map { $0.overflow ? Int.max : $0.partialValue }.max() ?? 0
    return last > source.count ? FileEnd.message : nil
  }
}

extension TIFFFile {
  private enum Tag {
    /// The tags of the offsets and lengths of strips, and of tiles.
    static let parts: [(offsets: UInt16, lengths: UInt16)] = [(273, 279), (324, 325)]
    /// The tags of bits per sample, palette, white point, primaries, other colour information and
    /// the ICC profile.
    static let colours: Set<UInt16> = [258, 301, 318, 319, 320, 333, 529, 532, 34675]
  }

  /// A message if colour information is outside the file, because libtiff would ignore it; nil
  /// otherwise.
  fileprivate var missing: String? {
    let isMissing = fields(at: firstDirectory).contains { field in
      guard Tag.colours.contains(field.tag), let type = field.type else { return false }
      let place = offset(field)
      return place > source.count || field.count > (source.count - place) / type.size
    }
    return isMissing ? "the file ends before its colour information" : nil
  }

  /// True if the first directory, or a strip or tile of its picture, is beyond the end of the file.
  fileprivate var isCut: Bool {
    let end = source.count
    let fields = fields(at: firstDirectory)
    if fields.isEmpty { return true }
    return Tag.parts.contains { tags in
      guard let offsets = fields.first(where: { $0.tag == tags.offsets }),
        let lengths = fields.first(where: { $0.tag == tags.lengths })
      else { return false }
      guard let starts = numbers(offsets, limit: 1 << 24),
        let counts = numbers(lengths, limit: 1 << 24)
      else { return true }
      return zip(starts, counts).contains { $0 > end - $1 }
    }
  }
}

extension JXLFile {
  /// A message if the codestream is incomplete; nil otherwise.
  ///
  /// Boxes after the picture's last box may be missing.
  fileprivate var missing: String? { isBare || isWhole ? nil : FileEnd.message }
}

extension JP2File {
  /// A message if the codestream has no end marker, or lacks a tile; nil otherwise.
  ///
  /// Padding may follow the marker.
  fileprivate var missing: String? {
    var stream = 0..<source.count
    if !isBare {
      guard let box = boxes.first(where: { $0.name == "jp2c" }) else { return FileEnd.message }
      stream = box.content
    }
    let length = min(64, stream.count)
    let tail = source.bytes(at: stream.upperBound - length, length)
    return tail.contains(Self.end) && hasAllTiles(stream) ? nil : FileEnd.message
  }

  /// True if every tile of the codestream has a part; also true if its header is damaged, which the
  /// decoder reports.
  ///
  /// - Source: ITU-T T.800, annex A.4.2 (SOT) and A.5.1 (SIZ).
  private func hasAllTiles(_ stream: Range<Int>) -> Bool {
    let start = stream.lowerBound
    func size(_ index: Int) -> Int { source.number(at: start + 8 + 4 * index, 4, .big) ?? 0 }
    // The number of tiles across and down, from the picture's end, the tiles' size and the tiles'
    // origin.
    let counts = (0..<2).map { axis -> Int in
      let (end, tile, origin) = (size(axis), size(4 + axis), size(6 + axis))
      return tile > 0 && end > origin ? (end - origin + tile - 1) / tile : 0
    }
    let count = counts[0] * counts[1]
    guard count > 1, count <= 65_535 else { return true }
    var found: Set<Int> = []
    var offset = start + 2
    while let marker = source.number(at: offset, 2, .big), marker != 0xFFD9,
      let length = source.number(at: offset + 2, 2, .big)
    {
      if marker != 0xFF90 {
        offset += 2 + length
        continue
      }
      guard let index = source.number(at: offset + 4, 2, .big),
        let part = source.number(at: offset + 6, 4, .big)
      else { break }
      found.insert(index)
      // The last part of a tile may state the length 0: it extends to the end of the codestream.
      if part < 14 { break }
      offset += part
    }
    return found.count >= count
  }
}
