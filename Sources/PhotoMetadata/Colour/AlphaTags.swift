/// What a file says of its alpha channel.
public enum AlphaTags {
  /// Whether colours are multiplied by it: libvips 8.14 leaves them so.
  public static func isPremultiplied(_ source: ByteSource) -> Bool {
    JXLFile(source)?.codestreamHead?.isPremultiplied ?? false
  }

  /// Whether colours of a TIFF file were multiplied by alpha: libvips 8.14 undoes it, and takes alpha of
  /// floats for one of 255.
  public static func wasMultiplied(_ source: ByteSource) -> Bool {
    TIFFFile(source)?.isMultipliedByAlpha ?? false
  }

  /// Whether an OpenEXR file has no alpha, where libvips finds an opaque one.
  public static func isMadeUp(_ source: ByteSource) -> Bool {
    EXRFile(source)?.channels.map { !$0.contains("A") } ?? false
  }
}
