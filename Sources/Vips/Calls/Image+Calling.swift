import CVips

extension Image {
  /// Calls an operation with this image as its `in`, and returns its `out`.
  ///
  /// If the operation has no `in` (`extract_area` and `smartcrop` have `input`), this image
  /// becomes the first image argument that the operation requires.
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
  /// If the operation draws on an image, it draws on a copy, which is returned as an output of the
  /// same name. `optional` arguments that the installed libvips does not have are ignored.
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
  /// Sets the arguments in alphabetical order, so that a call with two errors always reports the
  /// same error.
  mutating func set(_ arguments: [String: Argument]) throws(VipsError) {
    for (name, value) in arguments.sorted(by: { $0.key < $1.key }) { try set(name, value) }
  }
}

extension Image {
  /// The operation that loads the bytes of `source`, for instance `jpegload_source`; nil if no
  /// loader recognizes the bytes, or if the loader is blocked.
  ///
  /// Only the content determines the loader, never a file name. Throws if the source cannot be
  /// read.
  public static func loader(for source: Source) throws(VipsError) -> String? {
    guard try source.hasBytes() else { return nil }
    guard let found = vips_foreign_find_load_source(try source.pointer.get()) else {
      vips_error_clear()
      return nil
    }
    let nick = String(cString: vips_nickname_find(g_type_from_name(found)))
    return try Signature.of(nick).isBlocked ? nil : nick
  }

  /// Creates an image from a source, and reads only the header.
  ///
  /// Pixels are decoded on demand from `source`, which stays open until then. `optional` arguments
  /// that the loader does not have are ignored.
  public static func load(
    from source: Source, _ arguments: [String: Argument] = [:],
    ifSupported optional: [String: Argument] = [:]
  ) throws(VipsError) -> Image {
    guard let loader = try loader(for: source) else {
      throw .failed(operation: "load", detail: "the format is not known, or its loader is blocked")
    }
    let arguments = arguments.merging(["source": .source(source)]) { _, source in source }
    return try calling(loader, arguments, ifSupported: optional).image("out")
  }

  /// Renders the image and encodes it.
  ///
  /// The operation must have a `target` argument, for instance `jpegsave_target`. `optional`
  /// arguments that it does not have are ignored. After a failure the target may contain a part of
  /// the file.
  public func save(
    to target: Target, as operation: String, _ arguments: [String: Argument] = [:],
    ifSupported optional: [String: Argument] = [:]
  ) throws(VipsError) {
    let own: [String: Argument] = ["in": .image(self), "target": .target(target)]
    _ = try Self.calling(
      operation, arguments.merging(own) { _, own in own }, ifSupported: optional)
  }
}
