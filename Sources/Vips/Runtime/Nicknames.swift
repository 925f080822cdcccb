import CVips

/// The libvips nicknames of enumeration values and of the bits of flag types.
enum Nicknames {
  /// The values of an enumeration in libvips's order, without the end marker (`last`) and the error
  /// value (−1).
  static func values(of enumeration: GType) -> [(nick: String, value: Int32)] {
    guard let reference = g_type_class_ref(enumeration) else { return [] }
    defer { g_type_class_unref(reference) }
    let description = reference.assumingMemoryBound(to: GEnumClass.self).pointee
    return UnsafeBufferPointer(start: description.values, count: Int(description.n_values))
      .map { (String(cString: $0.value_nick), $0.value) }
      .filter { $0.nick != "last" && $0.value >= 0 }
  }

  /// The named values of a flag type in libvips's order, including the names for no bit and for all
  /// bits.
  static func bits(of flags: GType) -> [(nick: String, value: UInt32)] {
    guard let reference = g_type_class_ref(flags) else { return [] }
    defer { g_type_class_unref(reference) }
    let description = reference.assumingMemoryBound(to: GFlagsClass.self).pointee
    return UnsafeBufferPointer(start: description.values, count: Int(description.n_values))
      .map { (String(cString: $0.value_nick), $0.value) }
  }

  /// The name of one value of an enumeration.
  static func name(of value: Int32, in enumeration: GType) -> String {
    String(cString: vips_enum_nick(enumeration, value))
  }
}
