import CVips

/// A value from libvips: a field of an image's header, or an output of an operation.
public enum Field: Sendable {
  case integer(Int)
  case integers([Int])
  case number(Double)
  case numbers([Double])
  case flag(Bool)
  /// A string, or the nickname of an enumeration value; bytes that are not UTF-8 are replaced.
  case text(String)
  case blob([UInt8])
  case image(Image)
  /// A value of a type that this module does not read: the type's GLib name.
  case other(String)

  /// Copies `value`; nil if `value` is empty.
  ///
  /// If `value` is an image, the copy gets `monitors`.
  init?(reading value: inout GValue, monitors: [Monitor] = []) {
    let type = cvips_type_of(&value)
    switch type {
    case cvips_type_int(): self = .integer(Int(g_value_get_int(&value)))
    case cvips_type_uint64(): self = .integer(Int(clamping: g_value_get_uint64(&value)))
    case cvips_type_double(): self = .number(g_value_get_double(&value))
    case cvips_type_bool(): self = .flag(g_value_get_boolean(&value) != 0)
    case cvips_type_string():
      guard let text = g_value_get_string(&value) else { return nil }
      self = .text(String(cString: text))
    case vips_ref_string_get_type():
      guard let text = vips_value_get_ref_string(&value, nil) else { return nil }
      self = .text(String(cString: text))
    case vips_image_get_type():
      guard let object = g_value_dup_object(&value) else { return nil }
      self = .image(
        Image(owning: object.assumingMemoryBound(to: VipsImage.self), monitors: monitors))
    case vips_blob_get_type():
      guard g_value_get_boxed(&value) != nil else { return nil }
      var length = 0
      let bytes = vips_value_get_blob(&value, &length)
      self = .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: length)))
    case vips_array_double_get_type():
      guard g_value_get_boxed(&value) != nil else { return nil }
      var count: Int32 = 0
      let numbers = vips_value_get_array_double(&value, &count)
      self = .numbers([Double](UnsafeBufferPointer(start: numbers, count: Int(count))))
    case vips_array_int_get_type():
      guard g_value_get_boxed(&value) != nil else { return nil }
      var count: Int32 = 0
      let integers = vips_value_get_array_int(&value, &count)
      self = .integers(UnsafeBufferPointer(start: integers, count: Int(count)).map { Int($0) })
    case _ where cvips_is_a(type, cvips_type_enum()) != 0:
      self = .text(Nicknames.name(of: g_value_get_enum(&value), in: type))
    case _ where cvips_is_a(type, cvips_type_flags()) != 0:
      self = .integer(Int(g_value_get_flags(&value)))
    default:
      self = .other(String(cString: g_type_name(type)))
    }
  }
}
