public import PhotoRecipes

/// Looks whether a picture's file ends before the picture does.
///
/// Some decoders fill up what is missing, in grey or in black, and call it success.
public enum FileEnd {
  /// What is cut off of the frames that are asked for, in words; nil where all is there, as far as
  /// the container tells.
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
    case .items: return ItemFile(source)?.missing
    case .jxl: return JXLFile(source)?.missing
    case nil: return nil
    }
  }

  /// What is cut off of frames behind those that are asked for, in words.
  public static func lostFrames(in source: ByteSource) -> String? {
    switch ContainerFormat(of: source) {
    case .png: PNGFile(source).lostFrames
    case .gif: GIFFile(source)?.lostFrames
    case .jpeg, .webp, .tiff, .items, .jxl, nil: nil
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

  /// Of an animation, which ends where the file says so.
  fileprivate var lostFrames: String? {
    chunks.contains { $0.name == "acTL" } && chunks.last?.name != "IEND"
      ? "the file ends in the middle of its animation: frames are missing" : nil
  }
}

extension GIFFile {
  /// Nothing, where the frames that are asked for are whole.
  fileprivate func missing(_ frames: InputSettings.Frames) -> String? {
    guard isCut else { return nil }
    let isWhole =
      switch frames {
      case .first: frameCount > 0
      case .number(let number): frameCount >= number
      case .all: false
      }
    return isWhole ? nil : FileEnd.words
  }

  fileprivate var lostFrames: String? {
    switch frameCount {
    case 0: nil
    case _ where isCut:
      "the file ends in the middle of a frame: behind \(frameCount) whole ones, frames are missing"
    case 2... where end == nil: "the file does not say that it ends: frames may be missing"
    default: nil
    }
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
    /// What the picture's colours are: their bits, a palette, primaries, a profile.
    static let colours: Set<UInt16> = [258, 301, 318, 319, 320, 333, 529, 532, 34675]
  }

  /// What says how the picture looks and lies behind the end; its decoder would do without.
  fileprivate var missing: String? {
    let isMissing = fields(at: firstDirectory).contains { field in
      guard Tag.colours.contains(field.tag), let type = field.type else { return false }
      let place = offset(field)
      return place > source.count || field.count > (source.count - place) / type.size
    }
    return isMissing ? "the file ends before what it says of its colours" : nil
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
