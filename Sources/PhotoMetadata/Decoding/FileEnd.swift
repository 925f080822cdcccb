/// Looks whether a picture's file ends before the picture does.
///
/// Some decoders fill up what is missing, in grey or in black, and call it success.
public enum FileEnd {
  /// What is cut off, in words; nil where all is there, as far as the container tells.
  public static func missing(in source: ByteSource) -> String? {
    if let jp2 = JP2File(source) { return jp2.missing }
    switch ContainerFormat(of: source) {
    case .png: return PNGFile(source).missing
    case .webp: return WebPFile(source).missing
    case .items: return ItemFile(source)?.missing
    case .jxl: return JXLFile(source)?.missing
    case .jpeg, .tiff, .gif, nil: return nil
    }
  }

  /// Whether a file that its decoder gave up ends before what it announces.
  ///
  /// Some files that do are read all the same, so that this says nothing of those that are.
  public static func seemsCut(_ source: ByteSource) -> Bool {
    if missing(in: source) != nil { return true }
    switch ContainerFormat(of: source) {
    case .tiff: return TIFFFile(source)?.isCut ?? true
    case .gif: return source.bytes(at: source.count - 1, 1) != [Self.trailerOfGIF]
    case .jpeg, .png, .webp, .items, .jxl, nil: return false
    }
  }

  /// - Source: GIF 89a, section 27.
  private static let trailerOfGIF: UInt8 = 0x3B
  static let words = "the file ends in the middle of the picture"
}

extension PNGFile {
  /// The picture is whole where a chunk of another kind follows it, or it says that it ends.
  fileprivate var missing: String? {
    let isWhole = chunks.contains { $0.name == "IDAT" } && chunks.last?.name != "IDAT"
    return isWhole ? nil : FileEnd.words
  }
}

extension WebPFile {
  fileprivate var missing: String? {
    let names = chunks.map(\.name)
    if names.contains("VP8 ") || names.contains("VP8L") { return nil }
    let announced = (source.number(at: 4, 4, .little) ?? 0) + 8
    return announced > source.count || !names.contains("ANMF") ? FileEnd.words : nil
  }
}

extension ItemFile {
  /// Whether all bytes of the picture that is shown, and of its tiles, lie in the file.
  fileprivate var missing: String? {
    guard let primary else { return nil }
    let pictures = Set([primary] + references(from: primary, "dimg"))
    let last =
      locations.filter { pictures.contains($0.item) && $0.method == 0 }
      .flatMap(\.extents)
      .map { $0.offset.addingReportingOverflow($0.length) }
      .map { $0.overflow ? Int.max : $0.partialValue }.max() ?? 0
    return last > source.count ? FileEnd.words : nil
  }
}

extension TIFFFile {
  private enum Tag {
    /// Strips and tiles: where they are, and how long.
    static let parts: [(offsets: UInt16, lengths: UInt16)] = [(273, 279), (324, 325)]
  }

  /// Whether the first directory, or a strip or tile of its picture, lies behind the end.
  fileprivate var isCut: Bool {
    let end = source.count
    let fields = fields(at: firstDirectory)
    if fields.isEmpty { return true }
    return Tag.parts.contains { tags in
      guard let offsets = fields.first(where: { $0.tag == tags.offsets }),
        let lengths = fields.first(where: { $0.tag == tags.lengths })
      else { return false }
      guard let starts = numbers(offsets), let counts = numbers(lengths) else { return true }
      return zip(starts, counts).contains { $0 > end - $1 }
    }
  }

  private func numbers(_ field: Field) -> [Int]? {
    guard let width = field.type?.size, let bytes = value(field, limit: 1 << 24) else {
      return nil
    }
    return stride(from: 0, to: bytes.count, by: width).compactMap {
      bytes.number(at: $0, width, order)
    }
  }
}

extension JXLFile {
  /// What follows the picture's last box does not matter to it.
  fileprivate var missing: String? { isBare || isWhole ? nil : FileEnd.words }
}
