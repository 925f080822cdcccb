extension InputFormat {
  /// A Windows Media film.
  ///
  /// - Source: Microsoft, "Advanced Systems Format Specification", 10.1.
  public static let asf = InputFormat("asf", "a Windows Media film", .video, "asf wmv") {
    $0.starts([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
  }
}
