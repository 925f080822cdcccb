public import FileStructure

extension GainMap {
  /// Reads the gain map of a JPEG, HEIC, AVIF or JPEG XL file; nil if the file has no gain map that
  /// phbatch can keep.
  public init?(of source: ByteSource) {
    let found: GainMap? =
      switch ContainerFormat(of: source) {
      case .jpeg: JPEGFile(source).gainMap
      case .heif: HEIFFile(source)?.gainMap
      case .jxl: JXLFile(source)?.gainMap
      case .png, .webp, .tiff, .gif, nil: nil
      }
    guard let found else { return nil }
    self = found
  }
}
