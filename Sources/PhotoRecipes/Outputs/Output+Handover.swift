extension Output {
  /// The format in which another program gets the photo: uncompressed TIFF, 16 bits per channel,
  /// sRGB.
  public static var handover: Output {
    var format = TIFFFormat()
    (format.compression, format.predictor, format.bitDepth) = (.none, .none, .sixteen)
    return Output(name: External.outputName, format: format, keepsGrey: false, metadata: .none)
  }
}
