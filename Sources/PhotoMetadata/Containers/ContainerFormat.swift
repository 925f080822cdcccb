import FileStructure

/// The file formats whose metadata phbatch reads and writes.
enum ContainerFormat: Sendable, CaseIterable {
  case jpeg, png, webp, tiff
  /// HEIC and AVIF.
  case heif
  case jxl, gif

  /// Detects the format from the file's first bytes; nil if they show none of these formats.
  init?(of source: ByteSource) {
    let head = source.bytes(at: 0, 16)
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: PNGFile.signature) {
      self = .png
    } else if WebPFile.hasSignature(head) {
      self = .webp
    } else if TIFFFile(source) != nil {
      self = .tiff
    } else if head.name(at: 4) == "ftyp" {
      self = .heif
    } else if JXLFile(source) != nil {
      self = .jxl
    } else if GIFFile.hasSignature(source) {
      self = .gif
    } else {
      return nil
    }
  }

  /// Reads the metadata; `page` is a page of a TIFF file, counted from 1.
  func blocks(in source: ByteSource, page: Int = 1) -> Blocks {
    switch self {
    case .jpeg: JPEGFile(source).blocks
    case .png: PNGFile(source).blocks
    case .webp: WebPFile(source).blocks
    case .tiff: TIFFFile(source)?.blocks(ofPage: page) ?? Blocks()
    case .heif: HEIFFile(source)?.blocks ?? Blocks()
    case .jxl: JXLFile(source)?.blocks ?? Blocks()
    case .gif: GIFFile(source)?.blocks ?? Blocks()
    }
  }

  /// The edits of a finished file that replace its metadata.
  func edits(
    embedding metadata: Metadata, in source: ByteSource, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    switch self {
    case .jpeg: try JPEGFile(source).edits(embedding: metadata, &warnings)
    case .png: try PNGFile(source).edits(embedding: metadata, &warnings)
    case .webp: try WebPFile(source).edits(embedding: metadata, &warnings)
    case .tiff: try Self.readable(TIFFFile(source)).edits(embedding: metadata, &warnings)
    case .heif: try Self.readable(HEIFFile(source)).edits(embedding: metadata, &warnings)
    case .jxl: try Self.readable(JXLFile(source)).edits(embedding: metadata, &warnings)
    case .gif: try Self.readable(GIFFile(source)).edits(embedding: metadata)
    }
  }

  private static func readable<File>(_ file: File?) throws(MetadataError) -> File {
    guard let file else { throw .malformed("its header cannot be read") }
    return file
  }

  var holdsEXIF: Bool { self != .gif }

  var holdsComments: Bool { self == .jpeg || self == .png || self == .gif }

  /// True if the format can store IPTC blocks.
  var holdsIPTC: Bool { self == .jpeg || self == .tiff }
}

extension ContainerFormat {
  /// Describes the parts of a file that phbatch never writes: all except pixels, the colour
  /// profile, its own kinds of metadata blocks, and these kinds of further pictures.
  func unexpectedParts(
    in source: ByteSource, with pictures: Set<Metadata.Attachment> = []
  ) -> [String] {
    switch self {
    case .jpeg: JPEGFile(source).unexpectedParts(with: pictures)
    case .png: PNGFile(source).unexpectedParts
    case .webp: WebPFile(source).unexpectedParts
    case .tiff: []
    case .heif: HEIFFile(source)?.unexpectedParts ?? []
    case .jxl: JXLFile(source)?.unexpectedParts(hasGainMap: pictures.contains(.gainMap)) ?? []
    case .gif: GIFFile(source)?.unexpectedParts ?? []
    }
  }
}
