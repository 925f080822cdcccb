public import FileStructure
public import PhotoRecipes

extension AuxiliaryData {
  /// Reads the mattes and the depth map of a JPEG, HEIC or AVIF file, one of each kind; empty for
  /// other files.
  public static func all(
    _ kinds: Set<AuxiliaryPicture> = Set(AuxiliaryPicture.allCases), in source: ByteSource
  ) -> [AuxiliaryData] {
    switch ContainerFormat(of: source) {
    case .jpeg: JPEGFile(source).auxiliaries(kinds)
    case .heif: HEIFFile(source)?.auxiliaries(kinds) ?? []
    case .png, .webp, .tiff, .jxl, .gif, nil: []
    }
  }

  /// Reads the picture of one kind; nil if the file has none.
  public init?(_ kind: AuxiliaryPicture, in source: ByteSource) {
    guard let found = Self.all([kind], in: source).first else { return nil }
    self = found
  }
}

extension DepthRange {
  /// The meaning of the samples of the depth map of a HEIC or AVIF file; nil if near positions are
  /// bright in it.
  public init?(in source: ByteSource) {
    guard case .heif = ContainerFormat(of: source), let range = HEIFFile(source)?.depthRange else {
      return nil
    }
    self = range
  }
}
