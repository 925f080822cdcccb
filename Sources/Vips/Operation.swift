import CVips

/// One call of a libvips operation, found by nickname.
///
/// Each argument is checked against the operation's own description first: a misspelt name or a
/// wrong type throws, where GLib alone would print a warning and go on.
struct Operation: ~Copyable {
  private var pointer: UnsafeMutablePointer<VipsOperation>
  private let name: String

  init(_ name: String) throws(VipsError) {
    try VipsRuntime.start()
    guard let pointer = vips_operation_new(name) else {
      vips_error_clear()
      throw .unknownOperation(name)
    }
    self.pointer = pointer
    self.name = name
  }

  deinit {
    vips_object_unref_outputs(cvips_object(pointer))
    g_object_unref(pointer)
  }

  func set(_ argument: String, _ value: Argument) throws(VipsError) {
    guard let spec = cvips_find(pointer, argument) else {
      throw .unknownArgument(argument, operation: name)
    }
    let type = cvips_value_type(spec)
    var gvalue = GValue()
    g_value_init(&gvalue, type)
    defer { g_value_unset(&gvalue) }
    guard value.store(in: &gvalue, as: type) else {
      let expected = String(cString: g_type_name(type))
      throw .wrongType(argument: argument, operation: name, expected: expected)
    }
    cvips_set(pointer, argument, &gvalue)
  }

  /// Builds the call and returns its `out` image.
  ///
  /// No pixel is computed yet. On failure the error text may hold lines of another thread: libvips
  /// keeps one text for the process.
  mutating func run() throws(VipsError) -> Image {
    var built: UnsafeMutablePointer<VipsOperation>? = pointer
    guard vips_cache_operation_buildp(&built) == 0, let built else { throw .take(name) }
    pointer = built
    guard let out = cvips_output(pointer, "out") else { throw .take(name) }
    return Image(owning: out)
  }
}

extension Argument {
  /// Puts the value into `slot`, whose type is `type`; false when the types do not fit.
  fileprivate func store(in slot: inout GValue, as type: GType) -> Bool {
    switch self {
    case .image(let image) where type == vips_image_get_type():
      g_value_set_object(&slot, image.pointer)
    case .flag(let flag) where type == cvips_type_bool():
      g_value_set_boolean(&slot, flag ? 1 : 0)
    case .integer(let integer) where type == cvips_type_int():
      g_value_set_int(&slot, integer)
    case .number(let number) where type == cvips_type_double():
      g_value_set_double(&slot, number)
    case .numbers(let numbers) where type == vips_array_double_get_type():
      vips_value_set_array_double(&slot, numbers, Int32(numbers.count))
    case .text(let text) where type == cvips_type_string():
      g_value_set_string(&slot, text)
    case .blob(let bytes) where type == vips_blob_get_type():
      let copy = g_malloc(gsize(max(bytes.count, 1)))
      bytes.withUnsafeBytes {
        if let copy, let base = $0.baseAddress { memcpy(copy, base, $0.count) }
      }
      vips_value_set_blob_free(&slot, copy, bytes.count)
    case .choice(let nick) where cvips_is(type, cvips_type_enum()) != 0:
      let value = vips_enum_from_nick("phbatch", type, nick)
      guard value >= 0 else { return false }
      g_value_set_enum(&slot, value)
    default:
      return false
    }
    return true
  }
}
