/// The first bytes of a file, and those of a TIFF file's directory where that lies further back.
public struct FileHead: Sendable {
  /// How many bytes from the start decide; a file may be shorter.
  public static let length = 4_096

  /// A part of the file, in the order of its offset.
  struct Part: Sendable {
    let offset: Int
    let bytes: [UInt8]
  }

  let parts: [Part]
  /// What a TIFF file's first directory says; nil for other files.
  let tiff: TIFFHead?
  /// Of the ISO base media format; empty for other files.
  let brands: MediaBrands

  /// A head of the first `length` bytes; `directory` is what `missing` asked for.
  public init(_ start: [UInt8], directory: (offset: Int, bytes: [UInt8])? = nil) {
    let parts =
      [Part(offset: 0, bytes: start)]
      + (directory.map { [Part(offset: $0.offset, bytes: $0.bytes)] } ?? [])
    self.parts = parts
    tiff = TIFFHead(parts)
    brands = MediaBrands(start)
  }

  /// Where in the file the bytes stand without which nothing is certain; nil: all are there.
  public var missing: Range<Int>? { tiff?.missing }

  var bytes: [UInt8] { parts[0].bytes }

  func starts(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }

  func starts(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: wanted)
  }
}

extension [FileHead.Part] {
  /// The bytes of a place; nil where they are not there as a whole.
  func bytes(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    for part in self where offset >= part.offset && offset - part.offset <= part.bytes.count - count
    {
      return part.bytes[(offset - part.offset)...].prefix(count)
    }
    return nil
  }
}
