import CVips
import Synchronization

/// The inputs and outputs of an operation, read once from libvips's own description.
struct Signature: Sendable {
  let operation: String
  /// The GObject class, which stays alive, with all its GParamSpecs, until the process ends.
  private let type: GType
  /// The inputs by name, with `_` where GObject writes `-`.
  let inputs: [String: Parameter]
  let outputs: [String: Parameter]
  /// The names of the required inputs.
  let required: Set<String>
  /// The name of the main input image: `in`, or else the first required image; nil if there is no
  /// such input.
  let receiver: String?

  private static let known = Mutex<[String: Signature]>([:])

  /// The signature of the operation with this nickname.
  static func of(_ operation: String) throws(VipsError) -> Signature {
    try VipsRuntime.start()
    if let known = known.withLock({ $0[operation] }) { return known }
    let type = vips_type_find("VipsOperation", operation)
    guard type != 0, let instance = vips_operation_new(operation) else {
      vips_error_clear()
      throw .unknownOperation(operation)
    }
    defer { g_object_unref(instance) }
    g_type_class_ref(type)
    let signature = try Signature(operation, type, describing: cvips_object(instance))
    known.withLock { $0[operation] = signature }
    return signature
  }

  private init(
    _ operation: String, _ type: GType, describing instance: UnsafeMutablePointer<VipsObject>
  ) throws(VipsError) {
    var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    var flags: UnsafeMutablePointer<Int32>?
    var count: Int32 = 0
    // The arrays `names` and `flags` belong to the instance, so they are not freed here.
    guard vips_object_get_args(instance, &names, &flags, &count) == 0, let names, let flags
    else { throw .take(operation) }
    var inputs: [String: Parameter] = [:]
    var outputs: [String: Parameter] = [:]
    var required: Set<String> = []
    var images: [String] = []
    for index in 0..<Int(count) {
      let flags = VipsArgumentFlags.RawValue(flags[index])
      func has(_ flag: VipsArgumentFlags) -> Bool { flags & flag.rawValue != 0 }
      guard has(VIPS_ARGUMENT_CONSTRUCT), let name = names[index],
        let spec = cvips_find(instance, name)
      else { continue }
      let parameter = Parameter(
        name: Self.canonical(String(cString: name)), operation: operation, spec: spec,
        isModified: has(VIPS_ARGUMENT_MODIFY))
      if has(VIPS_ARGUMENT_INPUT) {
        inputs[parameter.name] = parameter
        // The old name of a required argument is required itself, but one of them is enough.
        if has(VIPS_ARGUMENT_REQUIRED), !has(VIPS_ARGUMENT_DEPRECATED) {
          required.insert(parameter.name)
          if parameter.type == vips_image_get_type() { images.append(parameter.name) }
        }
      }
      if has(VIPS_ARGUMENT_OUTPUT) || parameter.isModified {
        outputs[parameter.name] = parameter
      }
    }
    self.operation = operation
    self.type = type
    self.inputs = inputs
    self.outputs = outputs
    self.required = required
    self.receiver = images.contains("in") ? "in" : images.first
  }

  func input(_ name: String) throws(VipsError) -> Parameter {
    guard let parameter = inputs[Self.canonical(name)] else {
      throw .unknownArgument(name, operation: operation)
    }
    return parameter
  }

  func takes(_ name: String) -> Bool { inputs[Self.canonical(name)] != nil }

  /// True if the operation is blocked now; it can be blocked and unblocked at any time.
  var isBlocked: Bool {
    guard let description = g_type_class_peek(type) else { return false }
    let flags = description.assumingMemoryBound(to: VipsOperationClass.self).pointee.flags
    return flags.rawValue & VIPS_OPERATION_BLOCKED.rawValue != 0
  }

  private static func canonical(_ name: String) -> String {
    String(name.map { $0 == "-" ? "_" : $0 })
  }
}

/// One argument or output of an operation.
///
/// Safe to share: a GParamSpec does not change, and `Signature` keeps its class alive.
struct Parameter: @unchecked Sendable {
  let name: String
  let operation: String
  let spec: UnsafeMutablePointer<GParamSpec>
  /// True if the parameter is an image that the operation modifies in place.
  let isModified: Bool

  var type: GType { cvips_value_type(spec) }

  /// The allowed range of a number; nil for parameters of other types.
  var bounds: ClosedRange<Double>? {
    var least = 0.0
    var greatest = 0.0
    guard cvips_bounds(spec, &least, &greatest) != 0, least <= greatest else { return nil }
    return least...greatest
  }

  func wrongType(expected: String? = nil) -> VipsError {
    .wrongType(
      argument: name, operation: operation,
      expected: expected ?? String(cString: g_type_name(type)))
  }
}

extension VipsRuntime {
  /// True if this libvips has the operation, blocked or not.
  public static func hasOperation(_ nick: String) -> Bool {
    // An operation whose signature cannot be read cannot be called either.
    (try? Signature.of(nick)) != nil
  }
}
