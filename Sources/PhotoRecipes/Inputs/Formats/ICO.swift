extension InputFormat {
  /// An icon.
  ///
  /// - Source: Microsoft, "Icons", 1995.
  public static let ico = InputFormat("ico", "an icon", .picture, "ico cur", isWeak: true) {
    // A count of pictures follows; Targa files, which may begin so, have zeros there.
    ($0.starts([0, 0, 1, 0]) || $0.starts([0, 0, 2, 0]))
      && $0.bytes.dropFirst(4).prefix(2).contains { $0 > 0 }
  }
}
