/// What a file says of pictures that follow one another in time.
public enum AnimationTags {
  /// Whether it announces several in one of the ways that libvips 8.14 reads one picture of.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.6.1 (acTL); ISO/IEC 14496-12:2022, 8.2 (moov), with
  ///   the brands of ISO/IEC 23008-12:2022, 10.3, and AV1 Image File Format 1.1, 6; ISO/IEC
  ///   18181-1:2024, annex D.3.
  public static func announceFrames(_ source: ByteSource) -> Bool {
    switch ContainerFormat(of: source) {
    case .png: return (PNGFile(source).frameCount ?? 1) > 1
    case .items: return isSequence(Box.all(in: source, 0..<source.count), source)
    case .jxl: return JXLFile(source)?.codestreamHead?.isAnimated ?? false
    case .jpeg, .webp, .tiff, .gif, nil: return false
    }
  }

  private static let brands: Set<String> = ["avis", "hevc", "hevx", "msf1"]

  /// Whether a file of this brand holds a track of pictures.
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
  /// Of an animation; nil where the file is none.
  fileprivate var frameCount: Int? {
    chunks.first { $0.name == "acTL" }.flatMap { source.number(at: $0.data, 4, .big) }
  }
}
