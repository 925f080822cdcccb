import CVips

extension Image {
  /// The operation that loads what is in `source`, as `jpegload_source`; nil for bytes that no
  /// loader knows, and where the loader is blocked.
  ///
  /// The content decides, never a name. Throws where the source cannot be read.
  public static func loader(for source: Source) throws(VipsError) -> String? {
    guard try source.hasBytes() else { return nil }
    guard let found = vips_foreign_find_load_source(try source.pointer.get()) else {
      vips_error_clear()
      return nil
    }
    let nick = String(cString: vips_nickname_find(g_type_from_name(found)))
    return try Signature.of(nick).isBlocked ? nil : nick
  }

  /// Reads the header of an image.
  ///
  /// Its pixels are decoded when they are asked for, and `source` stays in use until then. Of the
  /// `optional` arguments those are left out that the loader does not have.
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
  /// The operation is `jpegsave_target` or another that takes a `target`. Of the `optional`
  /// arguments those are left out that it does not have. On failure the target may hold a part of
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
