import CVips

extension Image {
  /// Creates an image from a copy of `pixels`: rows from top to bottom, bands interleaved, no
  /// padding, values in the machine's byte order.
  public convenience init(
    pixels: [UInt8], width: Int, height: Int, bands: Int, format: Format
  ) throws(VipsError) {
    self.init(
      owning: try pixels.span.bytes.withUnsafeBytes { bytes throws(VipsError) in
        try Self.copy(bytes, width: width, height: height, bands: bands, format: format)
      })
  }

  /// Creates an image from a copy of `samples`, in the layout of `init(pixels:)`.
  public convenience init<Element: Sample>(
    samples: [Element], width: Int, height: Int, bands: Int
  ) throws(VipsError) {
    self.init(
      owning: try samples.span.bytes.withUnsafeBytes { bytes throws(VipsError) in
        try Self.copy(bytes, width: width, height: height, bands: bands, format: Element.format)
      })
  }

  /// Creates an image whose pixels are written by a closure, in the layout of `init(pixels:)`.
  ///
  /// The memory is neither cleared before nor copied afterwards; `fill` must write all bytes.
  public convenience init(
    width: Int, height: Int, bands: Int, format: Format, fill: (inout MutableRawSpan) -> Void
  ) throws(VipsError) {
    try VipsRuntime.start()
    try Self.check(width, height, bands)
    let (size, overflows) = (width * height).multipliedReportingOverflow(by: bands * format.size)
    guard !overflows, let memory = g_try_malloc(gsize(size)) else {
      throw .failed(operation: "pixels", detail: "out of memory")
    }
    var bytes = UnsafeMutableRawBufferPointer(start: memory, count: size).mutableBytes
    fill(&bytes)
    guard
      let pointer = vips_image_new_from_memory(
        memory, size, Int32(clamping: width), Int32(clamping: height), Int32(clamping: bands),
        VipsBandFormat(rawValue: format.rawValue))
    else {
      g_free(memory)
      throw .take("pixels")
    }
    cvips_own_pixels(pointer, memory)
    self.init(owning: pointer)
  }

  /// Creates a matrix image: one band of doubles with one image row for each element of `rows`,
  /// which all have the same length.
  public convenience init(matrix rows: [[Double]]) throws(VipsError) {
    let width = rows.first?.count ?? 0
    guard rows.allSatisfy({ $0.count == width }) else {
      throw .failed(operation: "matrix", detail: "the rows differ in length")
    }
    try VipsRuntime.start()
    try Self.check(width, rows.count)
    let values = rows.flatMap { $0 }
    guard
      let pointer = vips_image_new_matrix_from_array(
        Int32(clamping: width), Int32(clamping: rows.count), values, Int32(clamping: values.count))
    else { throw .take("matrix") }
    self.init(owning: pointer)
  }

  private static func copy(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, bands: Int, format: Format
  ) throws(VipsError) -> UnsafeMutablePointer<VipsImage> {
    try VipsRuntime.start()
    try check(width, height, bands)
    guard
      let pointer = vips_image_new_from_memory_copy(
        bytes.baseAddress, bytes.count, Int32(clamping: width), Int32(clamping: height),
        Int32(clamping: bands), VipsBandFormat(rawValue: format.rawValue))
    else { throw .take("pixels") }
    return pointer
  }

  /// Renders all pixels, in the layout of `init(pixels:)`.
  public func pixels() throws(VipsError) -> [UInt8] {
    try render()
  }

  /// Renders all pixels; throws if the image has another format.
  public func samples<Element: Sample>(as type: Element.Type) throws(VipsError) -> [Element] {
    guard format == type.format else {
      throw .failed(operation: "samples", detail: "the pixels are \(format), not \(type.format)")
    }
    return try render()
  }

  /// Renders all pixels directly into the array that is returned, without another copy.
  private func render<Element: BitwiseCopyable>() throws(VipsError) -> [Element] {
    try monitors.throwIfCancelled()
    let size = width * height * bands * self.format.size
    var failure: VipsError?
    let rendered = [Element](
      unsafeUninitializedCapacity: size / MemoryLayout<Element>.stride
    ) { buffer, count in
      guard
        let memory = vips_image_new_from_memory(
          buffer.baseAddress, size, Int32(width), Int32(height), Int32(bands),
          VipsBandFormat(rawValue: self.format.rawValue))
      else {
        failure = .take("pixels")
        return
      }
      defer { g_object_unref(memory) }
      if vips_image_write(pointer, memory) == 0 {
        count = buffer.count
      } else {
        failure = .take("pixels")
      }
    }
    try monitors.throwIfCancelled()
    if let failure { throw failure }
    return rendered
  }

  /// The same image with all its pixels rendered into memory, or into an unnamed file in `TMPDIR`.
  ///
  /// With a file, only the rows that are being read are in memory.
  ///
  /// Afterwards, any number of readers may read the pixels in any order. The returned image has the
  /// same monitors.
  public func materialized(inFile: Bool = false) throws(VipsError) -> Image {
    let image = Image(owning: try inFile ? copyInFile() : copyInMemory(), monitors: monitors)
    // Both pointers are equal if libvips returned the image itself, because it already was in
    // memory.
    return image.pointer == pointer ? image : image.watched()
  }

  /// Copies the image into memory; the copy has no other owner, so that operations can draw on it.
  func privateCopy() throws(VipsError) -> Image {
    // Without the `copy` operation, libvips would return the image itself if it already is in
    // memory.
    Image(owning: try applying("copy").copyInMemory())
  }

  private func copyInFile() throws(VipsError) -> UnsafeMutablePointer<VipsImage> {
    try monitors.throwIfCancelled()
    guard let file = vips_image_new_temp_file("%s.v") else { throw .take("materialized") }
    guard vips_image_write(pointer, file) == 0 else {
      let failure = VipsError.take("materialized")
      g_object_unref(file)
      try monitors.throwIfCancelled()
      throw failure
    }
    return file
  }

  private func copyInMemory() throws(VipsError) -> UnsafeMutablePointer<VipsImage> {
    try monitors.throwIfCancelled()
    guard let memory = vips_image_copy_memory(pointer) else {
      let failure = VipsError.take("materialized")
      try monitors.throwIfCancelled()
      throw failure
    }
    return memory
  }
}
