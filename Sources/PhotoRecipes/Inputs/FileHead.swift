import FileStructure

/// The first bytes of a file.
///
/// If the first directory of a TIFF file is farther back, the head also contains the bytes of this
/// directory.
public struct FileHead: Sendable {
  /// The number of bytes from the start that are read to detect the format; a file may be shorter.
  public static let length = 4_096

  /// The bytes from the start of the file.
  let bytes: [UInt8]
  /// The first directory of a TIFF file; nil for other files.
  let tiff: TIFFHead?
  /// The brands of the ISO base media format; empty for other files.
  let brands: MediaBrands

  /// Creates a head from the first `length` bytes of a file; `directory` contains the bytes that an
  /// earlier head of this file reported as `missing`.
  public init(_ start: [UInt8], directory: (offset: Int, bytes: [UInt8])? = nil) {
    bytes = start
    var parts = [ByteSource.Part(offset: 0, bytes: start)]
    if let directory { parts.append(.init(offset: directory.offset, bytes: directory.bytes)) }
    tiff = TIFFHead(.parts(parts))
    brands = MediaBrands(start)
  }

  /// The range in the file of the bytes that are still needed to determine the format; nil if all
  /// of them have been read.
  public var missing: Range<Int>? { tiff?.missing }

  func starts(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }

  func starts(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: wanted)
  }
}
