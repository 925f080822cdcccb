import CVips

public enum BandFormat: Sendable {
  case uchar
  case ushort
  case float

  fileprivate var raw: VipsBandFormat {
    switch self {
    case .uchar: VIPS_FORMAT_UCHAR
    case .ushort: VIPS_FORMAT_USHORT
    case .float: VIPS_FORMAT_FLOAT
    }
  }
}

extension Image {
  public convenience init(
    pixels: [UInt8], width: Int, height: Int, bands: Int, format: BandFormat
  ) throws(VipsError) {
    try VipsRuntime.start()
    guard
      let pointer = vips_image_new_from_memory_copy(
        pixels, pixels.count, Int32(width), Int32(height), Int32(bands), format.raw)
    else { throw .take("memory") }
    self.init(owning: pointer)
  }

  public func pixels() throws(VipsError) -> [UInt8] {
    var size = 0
    guard let memory = vips_image_write_to_memory(pointer, &size) else { throw .take("pixels") }
    defer { g_free(memory) }
    return [UInt8](UnsafeRawBufferPointer(start: memory, count: size))
  }
}
