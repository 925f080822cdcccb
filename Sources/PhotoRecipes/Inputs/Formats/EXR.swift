extension InputFormat {
  /// An OpenEXR picture.
  ///
  /// - Source: "OpenEXR File Layout", 2020.
  public static let exr = InputFormat(
    "exr", "an OpenEXR picture", .picture, "exr", request: "exr"
  ) { $0.starts([0x76, 0x2F, 0x31, 0x01]) }
}
