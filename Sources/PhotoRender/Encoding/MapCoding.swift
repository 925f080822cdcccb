import PhotoRecipes
import Vips

/// The coding of the picture of a rendition's gain map, matte or depth map, which equals the coding
/// of the rendition.
enum MapCoding: Sendable {
  case jpeg, hevc, av1, jxl

  /// The coding for an output's format; nil if the format cannot store further pictures.
  init?(_ format: any OutputFormat) {
    switch format {
    case is JPEGFormat: self = .jpeg
    case is HEICFormat: self = .hevc
    case is AVIFFormat: self = .av1
    case is JXLFormat: self = .jxl
    default: return nil
    }
  }

  /// The memory in bytes of the encoder for each sample of a map.
  var bytesPerSample: Int {
    switch self {
    case .jpeg: 8
    case .hevc: 34
    case .av1: 60
    case .jxl: 60
    }
  }

  /// The largest size within this size in which a map is encoded.
  ///
  /// x265 encodes even edges of at least 64 pixels; libheif stores other sizes as cropped grids. So
  /// shorter edges become 64 pixels.
  func size(for size: Size) -> Size {
    guard self == .hevc else { return size }
    func even(_ edge: Int) -> Int { max(64, edge / 2 * 2) }
    return Size(even(size.width), even(size.height))
  }

  /// The file of a picture with 8-bit samples, without metadata.
  func encoded(_ picture: Image, quality: Int = 90) throws(VipsError) -> [UInt8] {
    let target = Target()
    switch self {
    case .jpeg:
      try picture.save(
        to: target, as: "jpegsave_target",
        ["Q": .integer(quality), "strip": .flag(true), "subsample-mode": .choice("off")])
    case .hevc, .av1:
      try picture.save(
        to: target, as: "phbatch_heifsave",
        [
          "compression": .choice(self == .av1 ? "av1" : "hevc"), "Q": .integer(quality),
          "effort": .integer(4), "chroma": .text("444"), "bitdepth": .integer(8),
        ])
    case .jxl:
      try picture.save(to: target, as: "jxlsave_target", ["distance": .number(0.5)])
    }
    return target.bytes()
  }
}
