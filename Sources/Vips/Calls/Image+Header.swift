import CVips

extension Image {
  /// The fields that every image has; the operation `copy` can change some of them.
  private static let fixedFields: Set<String> = [
    "width", "height", "bands", "format", "coding", "interpretation", "xoffset", "yoffset", "xres",
    "yres", "filename",
  ]

  /// The names of all header fields and metadata blobs; the names that every image has come first.
  public var fieldNames: [String] {
    guard let names = vips_image_get_fields(pointer) else { return [] }
    defer { g_strfreev(names) }
    var result: [String] = []
    var next = names
    while let name = next.pointee {
      result.append(String(cString: name))
      next += 1
    }
    return result
  }

  /// The names of the header fields and metadata blobs that not every image has.
  public var metadataNames: [String] { fieldNames.filter { !Self.fixedFields.contains($0) } }

  /// A header field or metadata blob, for instance `orientation` or `icc-profile-data`; nil if the
  /// image does not have it.
  public func field(_ name: String) -> Field? {
    guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
    var slot = GValue()
    guard vips_image_get(pointer, name, &slot) == 0 else {
      vips_error_clear()
      return nil
    }
    defer { g_value_unset(&slot) }
    return Field(reading: &slot)
  }

  /// The same pixels with changed header fields; nil removes a field.
  ///
  /// `exif-data` is set first, because libvips parses it into `exif-ifd…` fields, and writes EXIF
  /// into files from these fields. Throws if a field is one that every image has, or a value is
  /// `.other`.
  public func setting(_ fields: [String: Field?]) throws(VipsError) -> Image {
    let copy = try applying("copy")
    let order = fields.sorted {
      ($0.key == VIPS_META_EXIF_NAME ? 0 : 1, $0.key) < (
        $1.key == VIPS_META_EXIF_NAME ? 0 : 1, $1.key
      )
    }
    for (name, field) in order {
      guard !Self.fixedFields.contains(name) else {
        throw .failed(operation: "setting", detail: "\(name) is part of the image itself")
      }
      guard let field else {
        vips_image_remove(copy.pointer, name)
        continue
      }
      try copy.set(name, field)
    }
    return copy
  }

  /// Changes this image's header; call it only for an image that has no other owner yet.
  private func set(_ name: String, _ field: Field) throws(VipsError) {
    switch field {
    case .integer(let integer): vips_image_set_int(pointer, name, try Self.fitting(integer, name))
    case .integers(let integers):
      var values: [Int32] = []
      for integer in integers { values.append(try Self.fitting(integer, name)) }
      vips_image_set_array_int(pointer, name, values, Int32(clamping: values.count))
    case .number(let number): vips_image_set_double(pointer, name, number)
    case .numbers(let numbers):
      vips_image_set_array_double(pointer, name, numbers, Int32(clamping: numbers.count))
    case .flag(let flag): vips_image_set_int(pointer, name, flag ? 1 : 0)
    case .text(let text):
      guard !text.utf8.contains(0) else {
        throw .wrongType(argument: name, operation: "setting", expected: "text without NUL")
      }
      vips_image_set_string(pointer, name, text)
    case .blob(let bytes): vips_image_set_blob_copy(pointer, name, bytes, bytes.count)
    case .image(let image): vips_image_set_image(pointer, name, image.pointer)
    case .other(let type):
      throw .wrongType(argument: name, operation: "setting", expected: "a known type, not \(type)")
    }
  }

  private static func fitting(_ integer: Int, _ name: String) throws(VipsError) -> Int32 {
    guard let value = Int32(exactly: integer) else {
      throw .outOfRange(
        argument: name, operation: "setting", value: Double(integer),
        allowed: Double(Int32.min)...Double(Int32.max))
    }
    return value
  }
}
