/// The base of a photo: its luma, smoothed except at edges.
///
/// Local tone filters treat the difference from the base as detail.
///
/// The base is computed by a guided filter with the luma as its own guide, in a reduced photo. The
/// filter's coefficients are applied to the luma at full size, so that edges stay sharp. In each
/// window, with the mean m and the variance v, the base is the line `a × luma + (1 − a) m` with `a
/// = v² / (v² + t²)`. A window with a variance well above t contains an edge and is kept; one with
/// a variance well below t is smoothed. Each pixel gets the mean of the lines of all windows around
/// it.
///
/// A single edge and texture can have the same variance in a window, but a single edge has little
/// variance in most small windows. Let r be the mean variance of the small windows, divided by the
/// variance of the window; the divisor is the variance of a window that is wider by the small
/// radius, if this variance is greater. Then t changes from `step` to `texture` by a smooth step of
/// r over `spread`.
///
/// With a noise variance n, only differences above the noise are detail: the fraction `u² / (u² +
/// n²)` of the difference from the line, where u is the variance in the small window around the
/// pixel. The rest belongs to the base.
///
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), equations 5 to
///   9. Tolerances that decrease with the variance: Z. Li, J. Zheng, Z. Zhu, W. Yao, S. Wu,
///   "Weighted Guided Image Filtering", IEEE TIP 24 (2015), but there relative to the whole
///   picture. Variances at two sizes to detect edges: F. Kou, W. Chen, C. Wen, Z. Li, "Gradient
///   Domain Guided Image Filtering", IEEE TIP 24 (2015), but there as a product.
public struct LocalBase: Sendable, Hashable {
  public let name: String
  /// The longer edge of the reduced photo, in pixels.
  public let viewEdge: Int
  /// The radius of the windows, as a fraction of the longer edge.
  public let radius: Double
  /// The radius of the small windows, as a fraction of the longer edge.
  public let smallRadius: Double
  /// The value of t for windows that contain a single edge.
  public let step: Double
  /// The value of t for windows that contain texture.
  public let texture: Double
  /// The range of r that both textures and single edges can have: from the lowest r of textures to
  /// the highest r of single edges.
  public let spread: ClosedRange<Double>
  /// The maximum variance n of noise; nil if noise is treated as detail.
  public private(set) var noise: Double?

  /// The base for the filters that brighten or darken shadows and highlights.
  public static let broad = LocalBase(
    name: "broad base", viewEdge: 512, radius: 1.0 / 32, smallRadius: 3.0 / 256, step: 0.001,
    texture: 0.01, spread: 0.3...0.5)
  /// The base for local contrast.
  public static let contrast = LocalBase(
    name: "base of local contrast", viewEdge: 512, radius: 1.0 / 32, smallRadius: 3.0 / 256,
    step: 0.0003, texture: 0.03, spread: 0.4...0.6, noise: 1e-4)
  /// The base for fine structure.
  public static let fine = LocalBase(
    name: "fine base", viewEdge: 1024, radius: 2.0 / 1024, smallRadius: 1.0 / 1024, step: 0.001,
    texture: 0.025, spread: 0.55...0.75, noise: 6e-5)

  /// The same base with noise treated as detail, for filters that soften.
  public var countingNoise: LocalBase {
    var base = self
    base.noise = nil
    return base
  }
}

extension LocalBase: CustomStringConvertible {
  public var description: String { noise == nil ? name : "\(name) above noise" }
}
