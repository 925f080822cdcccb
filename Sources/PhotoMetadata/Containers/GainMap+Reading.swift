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

  /// The facts about a gain map that determine the memory for rendering it.
  public struct Outline: Sendable, Hashable {
    /// The size of the picture's file in bytes.
    public let bytes: Int
    /// The number of pixels; nil if it is unknown.
    public let pixels: Int?
    public let bands: Int
    /// True if the whole picture is decoded before its first row is available.
    public let isInterlaced: Bool
    /// True for a JPEG file, which is decoded row by row.
    public let isJPEG: Bool

    /// Reads the outline of a file's gain map; only the start of its picture is read.
    public init?(of source: ByteSource) {
      let found: Outline? =
        switch ContainerFormat(of: source) {
        case .jpeg: JPEGFile(source).gainMapOutline
        case .heif: HEIFFile(source)?.gainMapOutline
        case .jxl: JXLFile(source)?.gainMapOutline
        case .png, .webp, .tiff, .gif, nil: nil
        }
      guard let found else { return nil }
      self = found
    }

    init(bytes: Int, pixels: Int?, bands: Int, isInterlaced: Bool, isJPEG: Bool = false) {
      self.bytes = bytes
      self.pixels = pixels
      self.bands = bands
      self.isInterlaced = isInterlaced
      self.isJPEG = isJPEG
    }
  }
}
