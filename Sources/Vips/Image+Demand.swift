import CVips

extension Image {
  /// The same image, which what comes after it reads in strips as wide as it is.
  ///
  /// From `insert`, `embed`, `replicate` and turns on, libvips 8.14 asks for squares of 128 × 128.
  /// Two readers of a photo that streams then lose each other ("out of order read"), and an area
  /// operation computes the margins of every square.
  public func inStrips() throws(VipsError) -> Image {
    if pointer.pointee.dhint != VIPS_DEMAND_STYLE_SMALLTILE { return self }
    let copy = try applying("copy")
    copy.pointer.pointee.dhint = VIPS_DEMAND_STYLE_FATSTRIP
    return copy
  }
}
