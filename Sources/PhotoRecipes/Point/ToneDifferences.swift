import Glibc

/// A base by a local Laplacian filter of one scale: the differences between a pixel and its
/// surroundings are removed, except large differences.
///
/// At a place with the luma Y, the base is `Y + mean of D(Y′ − Y)` over the luma Y′ of the
/// surroundings, with `D(d) = d e^(−d² / 2 s²)`. Differences well below s are removed, so the base
/// is the mean of the surroundings; differences well above s, such as those across edges, change
/// nothing. The mean has the weights of three box means of `radius`, nearly a Gaussian with the
/// standard deviation of 0.027 of the longer edge.
///
/// The range s changes from `edges` to `textures` by a smooth step over `spread` of the ratio that
/// `DetailWindows` defines: texture is detail up to a greater contrast than a single edge.
///
/// - Source: S. Paris, S. W. Hasinoff, J. Kautz, "Local Laplacian Filters", ACM TOG 30 (2011); M.
///   Aubry, S. Paris, S. W. Hasinoff, J. Kautz, F. Durand, "Fast Local Laplacian Filters: Theory
///   and Applications", ACM TOG 33 (2014), section 4, for the filter of one scale and its
///   remapping.
struct ToneDifferences: Sendable, Hashable {
  /// The radius of each of the box means, as a fraction of the longer edge.
  static let radius = 3.0 / 128
  static let windows = DetailWindows(radius: 1.0 / 32, smallRadius: 3.0 / 256)

  /// The range s beside single edges.
  let edges: Double
  /// The range s in texture.
  let textures: Double
  /// The range of the ratio that both textures and single edges can have.
  let spread: ClosedRange<Double>

  /// The part D of a difference that is removed, for the range `s`.
  static func removed(_ difference: Double, _ s: Double) -> Double {
    difference * exp(-difference * difference / (2 * s * s))
  }
}
