extension InputFormat {
  /// A codestream by itself, or in boxes.
  ///
  /// - Source: ISO/IEC 18181-1 and 18181-2.
  public static let jxl = InputFormat("jxl", "a JPEG XL picture", .photo, "jxl") {
    $0.starts([0xFF, 0x0A]) || $0.starts("\0\0\0\u{0C}JXL \r\n")
  }
}
