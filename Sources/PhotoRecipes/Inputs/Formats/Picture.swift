extension InputFormat {
  /// Pictures that only their names tell.
  public static let picture = InputFormat(
    "picture", "a picture of a format that is not read", .picture, "pcx tga"
  ) { _ in false }
}
