extension InputFormat {
  /// A GIF picture.
  ///
  /// - Source: Graphics Interchange Format, version 89a, section 17.
  public static let gif = InputFormat("gif", "a GIF picture", .photo, "gif") {
    $0.starts("GIF87a") || $0.starts("GIF89a")
  }
}
