public import FileStructure
import PhotoRecipes

/// The facts about a gain map, matte or depth map in a photo's file that determine the memory for
/// rendering it.
public struct PictureOutline: Sendable, Hashable {
  /// The size of the picture's file in bytes.
  public let bytes: Int
  /// The number of pixels; nil if it is unknown.
  public let pixels: Int?
  public let bands: Int
  /// True if the whole picture is decoded before its first row is available.
  public let isInterlaced: Bool
  /// True for a JPEG file, which is decoded row by row.
  public let isJPEG: Bool

  init(bytes: Int, pixels: Int?, bands: Int, isInterlaced: Bool, isJPEG: Bool = false) {
    self.bytes = bytes
    self.pixels = pixels
    self.bands = bands
    self.isInterlaced = isInterlaced
    self.isJPEG = isJPEG
  }

  /// Reads the outline of a file's gain map; only the start of its picture is read.
  public static func gainMap(of source: ByteSource) -> PictureOutline? {
    switch ContainerFormat(of: source) {
    case .jpeg: JPEGFile(source).gainMapOutline
    case .heif: HEIFFile(source)?.gainMapOutline
    case .jxl: JXLFile(source)?.gainMapOutline
    case .png, .webp, .tiff, .gif, nil: nil
    }
  }

  /// Reads the outlines of a file's mattes and depth map.
  public static func auxiliaries(of source: ByteSource) -> [PictureOutline] {
    switch ContainerFormat(of: source) {
    case .jpeg: JPEGFile(source).auxiliaryOutlines
    case .heif: HEIFFile(source)?.auxiliaryOutlines ?? []
    case .png, .webp, .tiff, .jxl, .gif, nil: []
    }
  }
}

extension JPEGFile {
  /// The number of bytes at the start of a picture that are searched for its frame header.
  private static let headLength = 1 << 18

  /// The outline of a further picture of the file.
  func outline(of picture: Picture) -> PictureOutline {
    let head = source.bytes(at: picture.offset, min(picture.length, Self.headLength))
    let frame = JPEGFile(.bytes(head)).frames.first
    return PictureOutline(
      bytes: picture.length, pixels: frame?.pixels, bands: frame?.components.count ?? 3,
      isInterlaced: frame?.isSequential != true, isJPEG: true)
  }

  fileprivate var auxiliaryOutlines: [PictureOutline] {
    let indexed = otherPictures.filter { [.matte, .depth].contains($0.kind) }
    if indexed.contains(where: { $0.kind == .depth }) { return indexed.map(outline) }
    return indexed.map(outline)
      + (googleDepth.map { depth in
        // The text in the XMP and the decoded bytes exist at the same time.
        let bytes = 3 * depth.picture.count
        let frame = JPEGFile(.bytes(depth.picture)).frames.first
        let size = PNGFile.size(of: depth.picture)
        return [
          PictureOutline(bytes: bytes, pixels: frame?.pixels ?? size, bands: 3, isInterlaced: true)
        ]
      } ?? [])
  }
}

extension PNGFile {
  /// The number of pixels of a PNG file; nil for other files.
  fileprivate static func size(of file: [UInt8]) -> Int? {
    guard file.name(at: 12) == "IHDR", let width = file.number(at: 16, 4, .big),
      let height = file.number(at: 20, 4, .big), width < 1 << 20, height < 1 << 20
    else { return nil }
    return width * height
  }
}
