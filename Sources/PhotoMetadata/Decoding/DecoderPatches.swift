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
  /// libheif 1.15 takes the size of a picture for that of its rendition where it stands behind what
  /// crops and turns it.
  public static func patches(for source: ByteSource) -> [BytePatch] {
    guard case .items = ContainerFormat(of: source), let file = ItemFile(source) else { return [] }
    return hidden(in: file) + file.properties.orderings
  }

  /// What the decoder is shown otherwise than it stands in the file, in words.
  public static func words(for source: ByteSource) -> [String] {
    guard case .items = ContainerFormat(of: source), let file = ItemFile(source) else { return [] }
    var words: [String] = []
    let count = hidden(in: file).count
    if count > 0 {
      words.append("hidden from libheif: \(count) references to more than one picture")
    }
    if !file.properties.orderings.isEmpty {
      words.append("put in order for libheif: what crops and turns comes last")
    }
    return words
  }

  /// References from metadata to two pictures, for which libheif before 1.18 refuses a file.
  ///
  /// Those of iOS 18 and later have them, to the photo and to its tone map. Such a reference is given
  /// a name that nobody knows; the metadata are read from the file itself.
  /// - Source: libheif 1.15.1, `HeifContext::interpret_heif_file`; libheif's issue 1190.
  private static func hidden(in file: ItemFile) -> [BytePatch] {
    file.references.filter { $0.kind == "cdsc" && $0.targets.count != 1 }.map {
      BytePatch(offset: $0.box.offset + 4, bytes: Array("skip".utf8))
    }
  }
}
