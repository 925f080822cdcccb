extension Image {
  /// The operation's `out`, with this image as its `in`.
  ///
  /// Some name that otherwise (`extract_area` and `smartcrop` have `input`): where there is no
  /// `in`, it is the first image they need.
  public func applying(
    _ operation: String, _ arguments: [String: Argument] = [:]
  ) throws(VipsError) -> Image {
    var call = try Operation(operation)
    try call.receive(self)
    try call.set(arguments)
    return try call.run().image("out")
  }

  /// Calls any operation.
  ///
  /// Where an operation draws on an image, it draws on a copy, which is an output of the same name.
  /// Of the `optional` arguments those are left out that this libvips does not have.
  public static func calling(
    _ operation: String, _ arguments: [String: Argument],
    ifSupported optional: [String: Argument] = [:]
  ) throws(VipsError) -> Outputs {
    var call = try Operation(operation)
    try call.set(arguments)
    try call.set(optional.filter { call.takes($0.key) })
    return try call.run()
  }
}

extension Operation {
  /// Sets the arguments in the order of their names, so that a call with two faults always names
  /// the same one.
  mutating func set(_ arguments: [String: Argument]) throws(VipsError) {
    for (name, value) in arguments.sorted(by: { $0.key < $1.key }) { try set(name, value) }
  }
}
