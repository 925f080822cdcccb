public import FileStructure

/// Facts about the frames of files, as the files state them.
public enum AnimationTags {
  /// True if a WebP or GIF file has several frames.
  public static func hasFrames(_ source: ByteSource) -> Bool {
    switch ContainerFormat(of: source) {
    case .webp: WebPFile(source).chunks.filter { $0.name == "ANMF" }.count > 1
    case .gif: (GIFFrames.count(in: source) ?? 1) > 1
    case .heif, .jpeg, .jxl, .png, .tiff, nil: false
    }
  }

  /// True if a file states several frames in a way that libvips 8.14 does not read: it reads only
  /// one picture.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.6.1 (acTL); ISO/IEC 14496-12:2022, 8.2 (moov),
  ///   with the brands of ISO/IEC 23008-12:2022, 10.3, and AV1 Image File Format 1.1, 6; ISO/IEC
  ///   18181-1:2024, annex D.3.
  public static func announceFrames(_ source: ByteSource) -> Bool {
    switch ContainerFormat(of: source) {
    case .png: return (PNGFile(source).frameCount ?? 1) > 1
    case .heif: return isSequence(Box.all(in: source, 0..<source.count), source)
    case .jxl: return JXLFile(source)?.codestreamHead?.isAnimated ?? false
    case .jpeg, .webp, .tiff, .gif, nil: return false
    }
  }

  private static let brands: Set<String> = ["avis", "hevc", "hevx", "msf1"]

  /// True if the file contains movie data (`moov`), and a brand states that it is a sequence of
  /// pictures.
  private static func isSequence(_ boxes: [Box], _ source: ByteSource) -> Bool {
    guard let type = boxes.first, type.name == "ftyp", boxes.contains(where: { $0.name == "moov" })
    else { return false }
    let names = source.bytes(at: type.content.lowerBound, min(type.content.count, 256))
    return stride(from: 0, to: names.count - 3, by: 4).contains {
      names.name(at: $0).map(brands.contains) ?? false
    }
  }
}

extension PNGFile {
  /// The number of an animation's frames; nil for other files.
  fileprivate var frameCount: Int? {
    chunks.first { $0.name == "acTL" }.flatMap { source.number(at: $0.data, 4, .big) }
  }
}

/// Facts about a GIF file's frames that libnsgif, the reader of libvips 8.14, does not report.
public enum GIFFrames {
  /// The maximum number of frames that libnsgif reads.
  public static let mostRead = 4_096

  /// The number of complete frames in a file; nil for other formats.
  public static func count(in source: ByteSource) -> Int? { GIFFile(source)?.frameCount }

  /// True if the screen or a frame has pixels.
  ///
  /// A screen without pixels gets the size of its largest frame, as in browsers.
  public static func havePixels(in source: ByteSource) -> Bool {
    // A quick check: most screens have pixels.
    let edges = (0..<2).map { source.number(at: 6 + 2 * $0, 2, .little) ?? 0 }
    return edges.allSatisfy { $0 > 0 } || GIFFile(source)?.hasPixels ?? false
  }
}
