import FileStructure

/// The first bytes of a file, and those of a TIFF file's directory where that lies further back.
public struct FileHead: Sendable {
  /// The number of bytes from the start that decide; a file may be shorter.
  public static let length = 4_096

  /// The bytes from the start of the file.
  let bytes: [UInt8]
  /// The first directory of a TIFF file; nil for other files.
  let tiff: TIFFHead?
  /// The brands of the ISO base media format; empty for other files.
  let brands: MediaBrands

  /// A head of the first `length` bytes; `directory` is what `missing` asked for.
  public init(_ start: [UInt8], directory: (offset: Int, bytes: [UInt8])? = nil) {
    bytes = start
    var parts = [ByteSource.Part(offset: 0, bytes: start)]
    if let directory { parts.append(.init(offset: directory.offset, bytes: directory.bytes)) }
    tiff = TIFFHead(.parts(parts))
    brands = MediaBrands(start)
  }

  /// Where in the file the bytes stand without which nothing is certain; nil: all are there.
  public var missing: Range<Int>? { tiff?.missing }

  func starts(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }

  func starts(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: wanted)
  }
}
