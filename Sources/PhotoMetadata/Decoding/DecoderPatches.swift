public import FileStructure

/// Bytes that phbatch passes to a decoder in place of the file's own bytes at an offset.
public struct BytePatch: Sendable, Hashable {
  public let offset: Int
  public let bytes: [UInt8]

  public init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// Patches for files that the decoders of Debian 12 misread or reject; later versions of these
/// decoders read the files without patches.
public enum DecoderPatches {
  /// The patches for a file; empty for most files.
  ///
  /// libheif 1.15 reports a wrong size if the property with a picture's size follows the properties
  /// for cropping and rotation: it reports the size before them.
  public static func patches(for source: ByteSource) -> [BytePatch] {
    guard case .heif = ContainerFormat(of: source), let file = HEIFFile(source) else { return [] }
    return hidden(in: file) + file.properties.orderings
  }

  /// A description of the patches, with one line for each kind.
  public static func descriptions(for source: ByteSource) -> [String] {
    guard case .heif = ContainerFormat(of: source), let file = HEIFFile(source) else { return [] }
    var lines: [String] = []
    let count = hidden(in: file).count
    if count > 0 {
      lines.append("removed before decoding: \(count) references to more than one picture")
    }
    if !file.properties.orderings.isEmpty {
      lines.append("reordered before decoding: cropping and rotation come last")
    }
    return lines
  }

  /// Patches that hide references from one metadata item to several pictures.
  ///
  /// libheif before 1.18 rejects files with such references.
  ///
  /// Files of iOS 18 and later have such references, to the photo and to its tone map. The patch
  /// gives the reference an unknown type. Metadata is read from the unpatched file.
  /// - Source: libheif 1.15.1, `HeifContext::interpret_heif_file`; libheif's issue 1190.
  private static func hidden(in file: HEIFFile) -> [BytePatch] {
    file.references.filter { $0.kind == "cdsc" && $0.targets.count != 1 }.map {
      BytePatch(offset: $0.box.offset + 4, bytes: Array("skip".utf8))
    }
  }
}

extension HEIFProperties {
  private static let transforming: Set<String> = ["clap", "irot", "imir"]

  /// Patches that move descriptive properties before the properties that crop, rotate or mirror,
  /// and keep the order within both groups.
  ///
  /// - Source: ISO/IEC 23008-12:2022, 6.5.1: writers should do so, and some do not.
  var orderings: [BytePatch] {
    associations.compactMap { association in
      let pairs = zip(association.numbers, association.properties).map {
        (number: $0, isTransforming: isTransforming($1))
      }
      let sorted = pairs.filter { !$0.isTransforming } + pairs.filter(\.isTransforming)
      let numbers = sorted.map(\.number)
      if numbers == association.numbers { return nil }
      return BytePatch(
        offset: association.place,
        bytes: numbers.flatMap { ByteOrder.big.bytes($0, association.width) })
    }
  }

  private func isTransforming(_ number: Int) -> Bool {
    all.indices.contains(number - 1) && Self.transforming.contains(all[number - 1].name)
  }
}
