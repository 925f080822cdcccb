/// A photo as a filter sees it to measure it: reduced, display-encoded with sRGB primaries.
public struct PhotoView: Sendable, Hashable {
  public let size: Size
  /// The size of the photo itself at that point of the chain.
  public let full: Size
  /// R, G, B of each pixel, rows from the top; nominally 0…1, unclipped.
  public let pixels: [SIMD3<Float>]
  /// 0…1 of each pixel; nil for a photo without alpha.
  public let alpha: [Float]?

  public init(size: Size, full: Size, pixels: [SIMD3<Float>], alpha: [Float]? = nil) {
    self.size = size
    self.full = full
    self.pixels = pixels
    self.alpha = alpha
  }
}
