/// The size of the stored picture in pixels, as the header of a file states it.
package struct PixelSize {
  package let width: Int
  package let height: Int

  /// Creates a size; nil unless both numbers are known and above 0.
  private init?(_ width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// Reads the size in the header of a JPEG file; nil if the header is damaged.
  package init?(jpeg source: ByteSource) {
    let frame = JPEGFile(source).frames.first
    self.init(frame?.width, frame?.height)
  }

  /// Reads the size in the header of a PNG file; nil if the header is damaged.
  package init?(png source: ByteSource) {
    let size = PNGFile.size(of: source)
    self.init(size?.width, size?.height)
  }

  /// Reads the size in the first directory of a TIFF file; nil if the directory is damaged.
  package init?(tiff source: ByteSource) {
    let file = TIFFFile(source)
    func number(_ tag: UInt16) -> Int? {
      file?.field(tag).flatMap { file?.numbers($0, limit: 64)?.first }
    }
    // The tags ImageWidth and ImageLength.
    self.init(number(256), number(257))
  }
}
