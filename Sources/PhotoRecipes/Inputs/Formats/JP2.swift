extension InputFormat {
  /// JPEG 2000, in boxes or a codestream by itself.
  ///
  /// - Source: ITU-T T.800, annexes A.4 and I.5.1.
  public static let jp2 = InputFormat(
    "jp2", "a JPEG 2000 picture", .photo, "jp2 j2k j2c jpc jpf jpx"
  ) {
    $0.starts("\0\0\0\u{0C}jP  \r\n") || $0.starts([0xFF, 0x4F, 0xFF, 0x51])
  }
}
