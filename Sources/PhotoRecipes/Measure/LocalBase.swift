/// A photo's luma, smoothed up to edges: what local tone tells detail from.
///
/// The luma guides its own smoothing, by an edge-aware guided filter. The coefficients come from a
/// reduced photo, and the base from them and the luma at full size, so that edges stay as sharp as
/// they are.
public struct LocalBase: Sendable, Hashable {
  /// The longer edge of the reduced photo.
  public let viewEdge: Int
  /// The radius of the windows, in parts of the longer edge.
  public let radius: Double
  /// Differences of luma well below the square root of it are detail, those well above are edges.
  public let epsilon: Double
  /// The radius of the small windows that tell steps from texture, in parts of the longer edge.
  public let textureRadius: Double?

  /// For light and shade, and for local contrast.
  public static let broad = LocalBase(
    viewEdge: 512, radius: 1.0 / 32, epsilon: 0.01, textureRadius: 3.0 / 256)
  /// For fine structure.
  public static let fine = LocalBase(
    viewEdge: 1024, radius: 2.0 / 1024, epsilon: 0.0025, textureRadius: nil)

  /// A map with the bands a and b: the base is `a × luma + b`.
  public func map(of view: PhotoView) -> MapValues {
    let luma = view.luma
    let filter = GuidedFilter(
      radius: view.radius(radius), epsilon: epsilon, isEdgeAware: true,
      textureRadius: textureRadius.map(view.radius))
    return filter.coefficients(of: luma, guide: luma, weights: view.alpha, size: view.size)
  }
}

extension LocalBase: CustomStringConvertible {
  public var description: String { self == .fine ? "fine base" : "broad base" }
}
