/// The reduced copy of a photo that a filter measures, display-encoded with sRGB primaries.
public struct PhotoView: Sendable, Hashable {
  public let size: Size
  /// The size, in pixels, of the photo at full size from which this copy was reduced.
  public let full: Size
  /// R, G, B of each pixel, rows from the top; nominally 0…1, unclipped.
  public let pixels: [SIMD3<Float>]
  /// The alpha of each pixel, 0…1; nil for a photo without alpha.
  public let alpha: [Float]?
  /// The photo's focal point in this frame, 0…1 from the left and the top; nil if it is unknown.
  public let focal: Placement.Point?
  /// The faces in this frame; empty if the operation that measures the photo needs none.
  public let faces: [Face]
  /// True if outputs keep light above white.
  public var isHDR = false
  let maps = KnownMaps()

  public init(
    size: Size, full: Size, pixels: [SIMD3<Float>], alpha: [Float]? = nil,
    focal: Placement.Point? = nil, faces: [Face] = []
  ) {
    self.size = size
    self.full = full
    self.pixels = pixels
    self.alpha = alpha
    self.focal = focal
    self.faces = faces
  }

  /// Creates a view from samples: R, G, B and, with four bands, alpha of each pixel.
  public init(
    size: Size, full: Size, samples: [Float], bands: Int, focal: Placement.Point?, faces: [Face]
  ) {
    let starts = stride(from: 0, to: samples.count, by: bands)
    self.init(
      size: size, full: full,
      pixels: starts.map { SIMD3(samples[$0], samples[$0 + 1], samples[$0 + 2]) },
      alpha: bands == 4 ? starts.map { samples[$0 + 3] } : nil, focal: focal, faces: faces)
  }
}

extension PhotoView {
  /// BT.709 luma of the display-encoded values, clamped to 0…1.
  var luma: [Float] { Self.luma(pixels) }

  /// BT.709 luma of the display-encoded values.
  var unclippedLuma: [Float] {
    pixels.map { 0.2126 * $0.x + 0.7152 * $0.y + 0.0722 * $0.z }
  }

  static func luma(_ pixels: [SIMD3<Float>]) -> [Float] {
    pixels.map { min(1, max(0, 0.2126 * $0.x + 0.7152 * $0.y + 0.0722 * $0.z)) }
  }

  /// The pixels that are at least half opaque.
  var visible: [SIMD3<Float>] {
    guard let alpha else { return pixels }
    return zip(pixels, alpha).filter { $1 >= 0.5 }.map { $0.0 }
  }

  /// The same view with black in place of colours that are fully transparent.
  var withoutHiddenColours: PhotoView {
    guard let alpha else { return self }
    return PhotoView(
      size: size, full: full, pixels: zip(pixels, alpha).map { $1 > 0 ? $0 : .zero },
      alpha: alpha, focal: focal, faces: faces)
  }

  /// Converts a fraction of the longer edge to whole pixels, at least 1.
  func radius(_ part: Double) -> Int { max(1, Int((part * Double(size.longEdge)).rounded())) }
}
