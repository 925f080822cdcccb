/// The file formats whose metadata is read and written here.
enum ContainerFormat: Sendable, CaseIterable {
  case jpeg, png, webp, tiff
  /// HEIC and AVIF.
  case items
  case jxl, gif

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
    } else if head.name(at: 4) == "ftyp" {
      self = .items
    } else if JXLFile(source) != nil {
      self = .jxl
    } else if head.starts(with: "GIF8".utf8) {
      self = .gif
    } else {
      return nil
    }
  }

  func blocks(in source: ByteSource) -> Blocks {
    switch self {
    case .jpeg: JPEGFile(source).blocks
    case .png: PNGFile(source).blocks
    case .webp: WebPFile(source).blocks
    case .tiff: TIFFFile(source)?.blocks ?? Blocks()
    case .items: ItemFile(source)?.blocks ?? Blocks()
    case .jxl: JXLFile(source)?.blocks ?? Blocks()
    case .gif: GIFFile(source)?.blocks ?? Blocks()
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
    case .tiff: try Self.readable(TIFFFile(source)).splice(metadata, &warnings)
    case .items: try Self.readable(ItemFile(source)).splice(metadata, &warnings)
    case .jxl: try Self.readable(JXLFile(source)).splice(metadata, &warnings)
    case .gif: try Self.readable(GIFFile(source)).splice(metadata)
    }
  }

  private static func readable<File>(_ file: File?) throws(MetadataError) -> File {
    guard let file else { throw .malformed("its head cannot be read") }
    return file
  }

  var holdsEXIF: Bool { self != .gif }

  var holdsComments: Bool { self == .jpeg || self == .png || self == .gif }

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
    case .items: ItemFile(source)?.strangeParts ?? []
    case .jxl: JXLFile(source)?.strangeParts ?? []
    case .gif: GIFFile(source)?.strangeParts ?? []
    }
  }
}
