import CVips

/// Images of one size and format that are put below one another in a file without a name in `TMPDIR`.
///
/// `arrayjoin` of libvips 8.14 is no way to join images that are in files: it lets go of the window
/// that it has given out (libvips, issue 3835). It would need a descriptor for each of them, too.
public struct ImageStack {
  private let file: Image
  private let first: Image
  private var rows = 0

  /// For `count` images like `first`, which is not yet added.
  public init(of first: Image, count: Int) throws(VipsError) {
    self.first = first
    guard let pointer = vips_image_new_temp_file("%s.v") else { throw .take("materialized") }
    file = Image(owning: pointer)
    var inputs: [UnsafeMutablePointer<VipsImage>?] = [first.pointer, nil]
    guard vips_image_pipeline_array(pointer, VIPS_DEMAND_STYLE_ANY, &inputs) == 0 else {
      throw .take("materialized")
    }
    pointer.pointee.Ysize = Int32(first.height * count)
  }

  /// Renders an image and writes it below those before it.
  public mutating func add(_ image: Image) throws(VipsError) {
    guard image.width == first.width, image.height == first.height, image.bands == first.bands,
      image.format == first.format, rows + image.height <= file.height
    else { throw .failed(operation: "stack", detail: "the images are not alike") }
    var pixels = try image.pixels()
    let length = pixels.count / image.height
    for row in 0..<image.height {
      let isWritten = pixels.withUnsafeMutableBufferPointer { buffer in
        vips_image_write_line(
          file.pointer, Int32(rows + row), buffer.baseAddress?.advanced(by: row * length)) == 0
      }
      guard isWritten else { throw .take("materialized") }
    }
    rows += image.height
  }

  /// All images below one another; there must be as many as were announced.
  public func image() throws(VipsError) -> Image {
    guard rows == file.height else {
      throw .failed(operation: "stack", detail: "\(rows) of \(file.height) rows were written")
    }
    return file
  }
}
