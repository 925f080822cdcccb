import PhotoRecipes
import Vips

/// The memory in bytes that reading a photo uses, without the memory of the pipeline.
///
/// Measured with the codecs of Debian 12 and photos of 6 to 200 megapixels.
struct DecodingMemory {
  let bytes: Int
  /// The number of pixels of the photo as stored.
  let pixels: Int

  /// The number of decoded rows that are cached, unless the rows are very long (`isWide`).
  private static let cachedRows = 64
  /// The number of rows that streaming decoders return at a time.
  private static let decodedRows = 8

  /// Predicts the memory for reading a photo; `layout` is nil unless the photo is a TIFF file.
  init(_ header: PhotoHeader, fileBytes: Int, layout: TIFFLayout?) {
    pixels = header.stored.pixels
    let samples = pixels * header.bands
    let row = header.stored.width * header.bands * header.format.size
    let rows =
      row * (header.isWide ? header.cachedRows(together: Self.decodedRows) : Self.cachedRows)
    if let raw = header.raw {
      bytes = raw.decodingBytes(fileBytes: fileBytes, width: header.stored.width)
      return
    }
    switch header.fileFormat {
    case .jpeg:
      // For a progressive JPEG, the decoder keeps the 16-bit coefficients of the whole photo: 3
      // bytes a pixel with 4:2:0, otherwise 2 bytes a sample.
      let isHalf = header.subsampling == "4:2:0"
      bytes = rows + (header.isInterlaced ? (isHalf ? pixels * 3 : samples * 2) : 0)
    case .png: bytes = rows + (header.isInterlaced ? samples * header.format.size : 0)
    case .tiff:
      let together = layout.map { min($0.rows, header.stored.height) } ?? header.stored.height
      if header.isWide && layout?.isTiled != true {
        bytes = header.cachedRows(together: together) * row
      } else {
        bytes = rows + (layout?.isTiled == true ? 3 : 2) * together * row
      }
    case .webp: bytes = fileBytes + pixels * 8
    case .heif, .avif: bytes = fileBytes + pixels * 10 * (header.depth / 8)
    case .jxl:
      bytes = 2 * fileBytes + (samples + pixels * header.otherChannels.count) * 4 * 4
    case .jp2: bytes = fileBytes + samples * 4 * 3
    default: bytes = fileBytes + pixels * 12
    }
  }
}

/// The layout of a TIFF file's first picture: strips or tiles.
struct TIFFLayout {
  /// The number of rows of a strip or tile, which are read together.
  let rows: Int
  let isTiled: Bool
}

extension PhotoFile {
  /// The layout of a TIFF file; nil for other formats, or if the file does not state it.
  ///
  /// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; tags 278 (RowsPerStrip) and 323
  ///   (TileLength). BigTIFF: libtiff's design note, version 43.
  func layout(_ header: PhotoHeader) -> TIFFLayout? {
    guard header.fileFormat == .tiff else { return nil }
    var reader = TIFFTags(self)
    return reader.layout()
  }
}

/// Reads values from the first directory of a TIFF file.
private struct TIFFTags {
  private let file: PhotoFile
  private let isLittle: Bool
  private let isBig: Bool

  init(_ file: PhotoFile) {
    self.file = file
    let head = file.part(0, 4)
    isLittle = head.first == UInt8(ascii: "I")
    isBig = head.contains(43)
  }

  mutating func layout() -> TIFFLayout? {
    let place = number(isBig ? 8 : 4, isBig ? 8 : 4)
    let count = min(number(place, isBig ? 8 : 2), 1000)
    let (first, length) = isBig ? (place + 8, 20) : (place + 2, 12)
    var rows: [Int: Int] = [:]
    for index in 0..<count {
      let entry = first + index * length
      let tag = number(entry, 2)
      guard tag == 278 || tag == 323 else { continue }
      // TIFF type 3 is a 16-bit integer, type 4 a 32-bit integer. A single value is stored in the
      // directory entry itself.
      rows[tag] = number(entry + (isBig ? 12 : 8), number(entry + 2, 2) == 3 ? 2 : 4)
    }
    if let tile = rows[323] { return TIFFLayout(rows: tile, isTiled: true) }
    return rows[278].map { TIFFLayout(rows: $0, isTiled: false) }
  }

  /// The unsigned integer in `count` bytes at an offset; if the file ends earlier, in the bytes
  /// that exist.
  private func number(_ offset: Int, _ count: Int) -> Int {
    let bytes = file.part(offset, count)
    let ordered = isLittle ? bytes.reversed() : bytes
    return ordered.reduce(0) { ($0 & (Int.max >> 9)) << 8 | Int($1) }
  }
}

/// Saves memory for wide photos: libvips keeps the same number of rows in each of many buffers, so
/// each buffer of a wide photo takes some megabytes.
extension PhotoHeader {
  /// The size of a row in bytes above which libvips computes fewer rows at a time.
  private static let wideRow = 1 << 16

  /// True if the rows are so large that libvips computes fewer rows at a time.
  var isWide: Bool { stored.width * bands * format.size > Self.wideRow }

  /// The maximum number of rows kept in memory if a file is read in groups of `together` rows: four
  /// groups, and four times the rows that libvips buffers.
  func cachedRows(together: Int) -> Int { 4 * (together + VipsRuntime.bufferedRows) }

  /// Prepares this process for rendering the photo; no other photo may be rendered at the same
  /// time.
  ///
  /// A wide photo is computed in strips of half the usual number of rows. On two threads, libvips
  /// then buffers half as many rows. The cost is that operations which read neighbouring pixels
  /// compute some rows twice.
  public func setStripRows() throws(RenderError) {
    let rows = isWide ? VipsRuntime.stripRows / 2 : VipsRuntime.stripRows
    do throws(VipsError) { try VipsRuntime.setStripRows(rows) } catch { throw RenderError(error) }
  }
}
