/// The file formats whose metadata is read and written here.
enum ContainerFormat: Sendable, CaseIterable {
  case jpeg, png, webp, tiff

  /// The format that the first bytes show.
  init?(of source: ByteSource) {
    let head = source.bytes(at: 0, 16)
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: PNGFile.signature) {
      self = .png
    } else if head.name(at: 0) == "RIFF" && head.name(at: 8) == "WEBP" {
      self = .webp
    } else if TIFFFile(source) != nil {
      self = .tiff
    } else {
      return nil
    }
  }

  func blocks(in source: ByteSource) -> Blocks {
    switch self {
    case .jpeg: JPEGFile(source).blocks
    case .png: PNGFile(source).blocks
    case .webp: WebPFile(source).blocks
    case .tiff: TIFFFile(source).map(\.blocks) ?? Blocks()
    }
  }

  /// The changes that leave in a finished file these blocks of metadata and no others.
  func splice(
    _ metadata: Metadata, into source: ByteSource, _ warnings: inout [String]
  ) throws(MetadataError) -> Splice {
    switch self {
    case .jpeg: try JPEGFile(source).splice(metadata, &warnings)
    case .png: try PNGFile(source).splice(metadata, &warnings)
    case .webp: try WebPFile(source).splice(metadata, &warnings)
    case .tiff:
      if let file = TIFFFile(source) { try file.splice(metadata, &warnings) } else {
        throw .malformed("it has no TIFF header")
      }
    }
  }

  var holdsEXIF: Bool { true }

  var holdsComments: Bool { self == .jpeg || self == .png }

  /// Whether IPTC blocks have a place in the format.
  var holdsIPTC: Bool { self == .jpeg || self == .tiff }
}

extension ContainerFormat {
  /// Parts of a file that are neither pixels, profile nor blocks of metadata as they are written
  /// here.
  func strangeParts(in source: ByteSource) -> [String] {
    switch self {
    case .jpeg: JPEGFile(source).strangeParts
    case .png: PNGFile(source).strangeParts
    case .webp: WebPFile(source).strangeParts
    case .tiff: []
    }
  }
}
