import CVips

// Workarounds for versions of libvips and libheif, in Swift. Workarounds in C are in the headers
// work_arounds.h of PixelKernels and Codecs. Each comment names the version from which the
// workaround can be deleted, and the test that shows whether it is still needed.

extension Image {
  /// Returns the same image, which later operations read in strips of its full width.
  ///
  /// `insert`, `embed`, `replicate` and rotations request squares of 128 × 128 pixels of their
  /// inputs. Two readers of a streamed photo then diverge ("out of order read"), and an area
  /// operation computes the margins of every square.
  ///
  /// - Delete from: unknown; libvips 8.18.4 still needs the workaround.
  /// - Test: PhotoRenderTests/Execution/StreamingTests.drawingsOnWidePhotosRender.
  public func inStrips() throws(VipsError) -> Image {
    if pointer.pointee.dhint != VIPS_DEMAND_STYLE_SMALLTILE { return self }
    let copy = try applying("copy")
    copy.pointer.pointee.dhint = VIPS_DEMAND_STYLE_FATSTRIP
    return copy
  }

  /// Throws if a size is less than 1 or too large.
  ///
  /// For such sizes GLib only warns, and libvips creates an image of another size.
  ///
  /// The limit is the constant `VIPS_MAX_COORD` of libvips 8.14.
  ///
  /// - Delete from: libvips 8.16, whose limit is `vips_max_coord_get()`.
  /// - Test: VipsTests/PixelTests.imageSizesThatDoNotMatchTheBytesThrow.
  static func check(_ sizes: Int...) throws(VipsError) {
    for size in sizes where !(1...10_000_000).contains(size) {
      throw .failed(operation: "pixels", detail: "a size of \(size) is not possible")
    }
  }
}

extension VipsRuntime {
  /// The value of alpha in an opaque pixel of a linear-light image (`scrgb`), as libvips's loaders
  /// and operations use it.
  ///
  /// - Delete from: libvips 8.15, where the value is 1.
  /// - Test: PhotoRenderTests/Decoding/OpenEXRTests.theAlphaOfAnOpenEXRFileIsKept.
  public static let opaqueAlphaOfLight: Double =
    vips_version(0) == 8 && vips_version(1) < 15 ? 255 : 1

  /// Removes the lines about failed seeks beyond the end of a file from an error text.
  ///
  /// If the text has only such lines, all are kept. libheif seeks beyond the end to find the length
  /// of a file; libvips reports that as an error.
  ///
  /// - Delete from: libvips 8.17, which detects such seeks.
  /// - Test: PhotoRenderTests/Decoding/TruncationTests.
  static func withoutSeeksBeyondEnd(_ lines: [Substring]) -> [Substring] {
    let telling = lines.filter { !$0.contains(": bad seek to ") }
    return telling.isEmpty ? lines : telling
  }
}

/// A vertical stack of images that have one size and format, in an unnamed temporary file in
/// `TMPDIR`.
///
/// The stack replaces the operation `arrayjoin`, which fails for images in files: `arrayjoin`
/// passes the mapped memory of an input's file on to its output, but also unmaps it (libvips, issue
/// 3835).
///
/// - Delete from: libvips 8.15.2; but `arrayjoin` also keeps a file descriptor open for each image.
/// - Test: PhotoRenderTests/Decoding/AnimationTests.anAnimationInGIFKeepsItsFrames.
public struct ImageStack {
  private let file: Image
  private let first: Image
  private var rows = 0

  /// Creates a stack for `count` images like `first`, but does not add `first`.
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

  /// Renders an image and writes it below the previous images.
  public mutating func add(_ image: Image) throws(VipsError) {
    guard image.width == first.width, image.height == first.height, image.bands == first.bands,
      image.format == first.format, rows + image.height <= file.height
    else {
      throw .failed(
        operation: "stack", detail: "the images differ in size or format, or are too many")
    }
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

  /// Returns one image with all images of the stack; exactly `count` images must have been added.
  public func image() throws(VipsError) -> Image {
    guard rows == file.height else {
      throw .failed(operation: "stack", detail: "\(rows) of \(file.height) rows were written")
    }
    return file
  }
}
