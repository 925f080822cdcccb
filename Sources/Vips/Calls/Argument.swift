import CVips
import PixelKernels

/// A value of an argument of a libvips operation.
///
/// Each case is stored as one GObject type: an `.integer` is not accepted for a `.number`.
public enum Argument: Sendable {
  case image(Image)
  case images([Image])
  case flag(Bool)
  case integer(Int)
  case integers([Int])
  case number(Double)
  case numbers([Double])
  case text(String)
  /// The nickname of an enumeration value, for instance `"scrgb"` for `VIPS_INTERPRETATION_scRGB`.
  case choice(String)
  /// The nicknames of flags, for instance `["exif", "icc"]`; an empty list sets no flag.
  case choices([String])
  /// Bytes, copied when the argument is set.
  case blob([UInt8])
  case source(Source)
  case target(Target)
  /// The nickname of an interpolator, for instance `"bicubic"`.
  case interpolate(String)
  /// A tally that counts clipped pixels for a kernel; the kernel keeps a reference to it.
  case tally(Tally)

  /// The images in this argument.
  var images: [Image] {
    switch self {
    case .image(let image): [image]
    case .images(let images): images
    default: []
    }
  }
}

/// Counts the pixels that phbatch's kernels write as integers, and the clipped pixels among them.
///
/// A pixel is clipped if one of its colour channels is NaN or outside 0…1 by more than half an
/// 8-bit step. A tally is an argument of the operation that makes an image. As long as the image
/// exists, the tally counts all pixels of the image that any thread computes. A pixel that is
/// computed twice is counted twice.
///
/// Safe to share: the counts are atomic.
public final class Tally: @unchecked Sendable {
  let pointer = ph_tally_new()

  public init() {}

  deinit { ph_tally_release(pointer) }

  public var written: Int { Int(clamping: ph_tally_written(pointer)) }

  public var clipped: Int { Int(clamping: ph_tally_clipped(pointer)) }
}

extension Argument {
  /// Stores the value in `slot`, which has the parameter's type.
  ///
  /// Checks type, range and names itself: GLib would only warn of an invalid value, and libvips
  /// would continue.
  func store(in slot: inout GValue, for parameter: Parameter) throws(VipsError) {
    let type = parameter.type
    switch self {
    case .image(let image) where type == vips_image_get_type():
      g_value_set_object(&slot, image.pointer)
    case .images(let images) where type == vips_array_image_get_type():
      try Self.store(images, in: &slot, for: parameter)
    case .flag(let flag) where type == cvips_type_bool():
      g_value_set_boolean(&slot, flag ? 1 : 0)
    case .integer(let integer):
      try Self.store(integer, in: &slot, for: parameter)
    case .integers(let integers) where type == vips_array_int_get_type():
      try Self.store(integers, in: &slot, for: parameter)
    case .number(let number) where type == cvips_type_double():
      try Self.check(number, for: parameter)
      g_value_set_double(&slot, number)
    case .numbers(let numbers) where type == vips_array_double_get_type():
      guard !numbers.isEmpty else {
        throw parameter.wrongType(expected: "a list that is not empty")
      }
      vips_value_set_array_double(&slot, numbers, Int32(clamping: numbers.count))
    case .text(let text) where type == cvips_type_string():
      guard !text.utf8.contains(0) else { throw parameter.wrongType(expected: "text without NUL") }
      g_value_set_string(&slot, text)
    case .choice(let nick) where cvips_is_a(type, cvips_type_enum()) != 0:
      try Self.store(choice: nick, in: &slot, for: parameter)
    case .choices(let nicks) where cvips_is_a(type, cvips_type_flags()) != 0:
      try Self.store(choices: nicks, in: &slot, for: parameter)
    case .blob(let bytes) where type == vips_blob_get_type():
      g_value_take_boxed(&slot, vips_blob_copy(bytes, bytes.count))
    case .source(let source) where type == vips_source_get_type():
      g_value_set_object(&slot, try source.pointer.get())
    case .target(let target) where type == vips_target_get_type():
      g_value_set_object(&slot, try target.claim())
    case .interpolate(let nick) where type == vips_interpolate_get_type():
      guard let interpolate = vips_interpolate_new(nick) else {
        throw .take(parameter.operation)
      }
      g_value_take_object(&slot, interpolate)
    case .tally(let tally) where type == ph_tally_get_type():
      g_value_set_boxed(&slot, UnsafeRawPointer(tally.pointer))
    default:
      throw parameter.wrongType()
    }
  }

  private static func check(_ value: Double, for parameter: Parameter) throws(VipsError) {
    guard let allowed = parameter.bounds, !allowed.contains(value) else { return }
    throw .outOfRange(
      argument: parameter.name, operation: parameter.operation, value: value, allowed: allowed)
  }

  private static func store(
    _ integer: Int, in slot: inout GValue, for parameter: Parameter
  ) throws(VipsError) {
    if parameter.type == cvips_type_int() {
      try check(Double(integer), for: parameter)
      g_value_set_int(&slot, Int32(clamping: integer))
    } else if parameter.type == cvips_type_uint64() {
      try check(Double(integer), for: parameter)
      g_value_set_uint64(&slot, guint64(clamping: integer))
    } else {
      throw parameter.wrongType()
    }
  }

  private static func store(
    _ integers: [Int], in slot: inout GValue, for parameter: Parameter
  ) throws(VipsError) {
    guard !integers.isEmpty else { throw parameter.wrongType(expected: "a list that is not empty") }
    let values = integers.map { Int32(clamping: $0) }
    for (integer, value) in zip(integers, values) where integer != value {
      throw .outOfRange(
        argument: parameter.name, operation: parameter.operation, value: Double(integer),
        allowed: Double(Int32.min)...Double(Int32.max))
    }
    vips_value_set_array_int(&slot, values, Int32(clamping: values.count))
  }

  private static func store(
    _ images: [Image], in slot: inout GValue, for parameter: Parameter
  ) throws(VipsError) {
    guard !images.isEmpty else { throw parameter.wrongType(expected: "a list that is not empty") }
    vips_value_set_array_image(&slot, Int32(clamping: images.count))
    guard let elements = vips_value_get_array_image(&slot, nil) else {
      throw .take(parameter.operation)
    }
    // The array releases its elements when it is freed, so each element needs its own reference.
    for (index, image) in images.enumerated() {
      g_object_ref(image.pointer)
      elements[index] = image.pointer
    }
  }

  private static func store(
    choice nick: String, in slot: inout GValue, for parameter: Parameter
  ) throws(VipsError) {
    let known = Nicknames.values(of: parameter.type)
    guard let match = known.first(where: { $0.nick == nick }) else {
      throw .unknownChoice(
        nick, argument: parameter.name, operation: parameter.operation, known: known.map(\.nick))
    }
    g_value_set_enum(&slot, match.value)
  }

  private static func store(
    choices nicks: [String], in slot: inout GValue, for parameter: Parameter
  ) throws(VipsError) {
    let known = Nicknames.bits(of: parameter.type)
    var bits: UInt32 = 0
    for nick in nicks {
      guard let match = known.first(where: { $0.nick == nick }) else {
        throw .unknownChoice(
          nick, argument: parameter.name, operation: parameter.operation, known: known.map(\.nick))
      }
      bits |= match.value
    }
    g_value_set_flags(&slot, bits)
  }
}
