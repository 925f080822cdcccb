/// Bytes to be read in place of a file's own.
public struct BytePatch: Sendable, Hashable {
  public let offset: Int
  public let bytes: [UInt8]

  public init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// What is hidden from the decoders of Debian 12 so that they open what later ones do.
public enum DecoderPatches {
  /// The patches for a file: none for nearly all.
  ///
  /// libheif before 1.18 refuses a file whose metadata describe two pictures: so do those of iOS 18
  /// and later, the photo and its tone map. Such a reference is given a name that nobody knows; the
  /// metadata are read from the file itself.
  /// - Source: libheif 1.15.1, `HeifContext::interpret_heif_file`; libheif's issue 1190.
  public static func patches(for source: ByteSource) -> [BytePatch] {
    guard case .items = ContainerFormat(of: source), let file = ItemFile(source) else { return [] }
    return file.references.filter { $0.kind == "cdsc" && $0.targets.count != 1 }.map {
      BytePatch(offset: $0.box.offset + 4, bytes: Array("skip".utf8))
    }
  }
}
