import CVips

/// One call of the libvips operation with a nickname.
///
/// The struct owns libvips's operation object. When the call ends, successfully or not, the struct
/// releases the inputs, and the outputs that were not read.
struct Operation: ~Copyable {
  private let pointer: UnsafeMutablePointer<VipsObject>
  private let signature: Signature
  private var missing: Set<String>
  private var monitors: [Monitor] = []

  init(_ name: String) throws(VipsError) {
    let signature = try Signature.of(name)
    guard !signature.isBlocked else { throw .blockedOperation(name) }
    guard let operation = vips_operation_new(name) else { throw .take(name) }
    self.pointer = cvips_object(operation)
    self.signature = signature
    self.missing = signature.required
  }

  deinit {
    // Each output holds a reference to the operation, so outputs must be released first; otherwise
    // nothing is ever freed.
    vips_object_unref_outputs(pointer)
    g_object_unref(pointer)
  }

  func takes(_ argument: String) -> Bool { signature.takes(argument) }

  /// Sets one argument, after checking it against the operation's own description.
  mutating func set(_ argument: String, _ value: Argument) throws(VipsError) {
    let parameter = try signature.input(argument)
    var value = value
    if parameter.isModified, case .image(let image) = value {
      value = .image(try image.privateCopy())
    }
    var slot = GValue()
    g_value_init(&slot, parameter.type)
    defer { g_value_unset(&slot) }
    try value.store(in: &slot, for: parameter)
    g_object_set_property(cvips_gobject(pointer), parameter.name, &slot)
    missing.remove(parameter.name)
    for monitor in value.images.flatMap(\.monitors)
    where !monitors.contains(where: { $0 === monitor }) {
      monitors.append(monitor)
    }
  }

  /// Sets the main input image of the operation (`Signature.receiver`).
  mutating func receive(_ image: Image) throws(VipsError) {
    try set(signature.receiver ?? "in", .image(image))
  }

  /// Runs the operation.
  ///
  /// Only operations that save or measure an image compute its pixels here.
  consuming func run() throws(VipsError) -> Outputs {
    if let name = missing.min() {
      throw .missingArgument(name, operation: signature.operation)
    }
    try monitors.throwIfCancelled()
    // `vips_object_build` bypasses libvips's operation cache, which is disabled but would still
    // take a lock.
    let status = vips_object_build(pointer)
    let failure = status == 0 ? nil : VipsError.take(signature.operation)
    try monitors.throwIfCancelled()
    if let failure { throw failure }
    return Outputs(operation: signature.operation, values: values())
  }

  private func values() -> [String: Field] {
    var values: [String: Field] = [:]
    for (name, parameter) in signature.outputs
    where vips_object_argument_isset(pointer, name) != 0 {
      var slot = GValue()
      g_value_init(&slot, parameter.type)
      defer { g_value_unset(&slot) }
      g_object_get_property(cvips_gobject(pointer), name, &slot)
      values[name] = Field(reading: &slot, monitors: monitors)
    }
    return values
  }
}
