extension InputFormat {
  /// Portable bitmaps, greymaps, pixmaps and float maps.
  ///
  /// - Source: netpbm's format documentation; P. Debevec for the float map.
  public static let ppm = InputFormat(
    "ppm", "a portable pixmap", .picture, "pbm pgm ppm pnm pfm", request: "ppm", isWeak: true
  ) {
    guard $0.bytes.count > 2, $0.starts("P") else { return false }
    return "123456fF".utf8.contains($0.bytes[1])
      && [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "#")].contains($0.bytes[2])
  }
}
