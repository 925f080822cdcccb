extension InputFormat {
  /// A Sigma raw photo (X3F).
  ///
  /// - Source: Foveon, "X3F File Format", 2.1.
  public static let x3f = InputFormat("x3f", "a Sigma raw photo (X3F)", .raw, "x3f") {
    $0.starts("FOVb")
  }
}
