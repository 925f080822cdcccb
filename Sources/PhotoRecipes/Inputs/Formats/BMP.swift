extension InputFormat {
  /// A Windows bitmap.
  ///
  /// - Source: Microsoft, BITMAPFILEHEADER.
  public static let bmp = InputFormat("bmp", "a Windows bitmap", .picture, "bmp dib", isWeak: true)
  { $0.starts("BM") }
}
