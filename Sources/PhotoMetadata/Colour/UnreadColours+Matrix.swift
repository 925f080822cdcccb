public import FileStructure

extension UnreadColours {
  /// The matrix of a HEIC or AVIF file if libheif 1.15 converts it wrongly; nil for other matrices
  /// and other formats.
  ///
  /// libheif 1.15 converts YCgCo correctly only with 8 bits and the full range, and treats all
  /// other matrices in `matrices` as BT.601 or BT.2020. The container's statement takes precedence
  /// over the statement of an AV1 stream.
  /// - Source: ITU-T H.273 (2024), table 4; libheif 1.15.1, `yuv2rgb.cc`.
  public init?(matrixIn source: ByteSource) {
    guard case .heif = ContainerFormat(of: source), let file = HEIFFile(source),
      let primary = file.primary
    else { return nil }
    let (points, stream) = (file.codePoints(of: primary), file.sequence(of: primary))
    let isFullRange = points?.isFullRange ?? stream?.isFullRange ?? false
    let isGrey = stream?.isMonochrome ?? false
    guard let code = points?.matrix ?? stream?.matrix, let name = Self.matrices[code], !isGrey,
      !(code == 8 && isFullRange && file.isEightBit(primary))
    else { return nil }
    self = .matrix(name)
  }

  private static let matrices = [
    8: "YCgCo", 10: "BT.2020 of constant luminance", 11: "Y'D'zD'x",
    12: "YCbCr derived from the primaries", 13: "YCbCr of constant luminance",
    14: "ICtCp", 15: "IPT-C2", 16: "YCgCo-Re", 17: "YCgCo-Ro",
  ]
}

extension HEIFFile {
  /// True if each channel of a picture, or of its first tile, has 8 bits.
  fileprivate func isEightBit(_ item: Int) -> Bool {
    if let sequence = sequence(of: item) { return sequence.isEightBit }
    let coded = references(from: item, "dimg").first ?? item
    guard let box = properties(of: coded).first(where: { $0.name == "pixi" }) else { return false }
    // Version, flags and the number of channels precede the depth of each channel.
    let depths = source.bytes(at: box.content.lowerBound, min(64, box.content.count)).dropFirst(5)
    return !depths.isEmpty && depths.allSatisfy { $0 == 8 }
  }
}
