/// A photo's luma, smoothed up to edges: what local tone tells detail from.
///
/// A guided filter by the luma itself, in a reduced photo; the base comes from its coefficients and
/// the luma at full size, so that edges stay as sharp as they are. In each window, with the mean m and
/// the variance v, the base is the line `a × luma + (1 − a) m` with `a = v² / (v² + t²)`: windows
/// whose variance is well above t have an edge and are kept, those well below it are smoothed. Pixels
/// take the mean of the lines of their windows.
///
/// Where a lone step and texture spread as much in a window, the step hardly does within small ones.
/// With r, the mean variance of the small windows in parts of the window's, or of one that is wider by
/// their radius if that is more, t goes from `step` to `texture` by a smooth step of r over `spread`.
///
/// With a noise floor n detail is what rises above it: of the difference from the line,
/// `u² / (u² + n²)` with u the variance in the small window around the pixel. The rest is base.
///
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), equations 5 to 9;
///   tolerances that fall where the variance is large as in Z. Li, J. Zheng, Z. Zhu, W. Yao, S. Wu,
///   "Weighted Guided Image Filtering", IEEE TIP 24 (2015), though there in parts of the whole
///   picture's; spreads of two sizes tell edges in F. Kou, W. Chen, C. Wen, Z. Li, "Gradient Domain
///   Guided Image Filtering", IEEE TIP 24 (2015), though as a product.
public struct LocalBase: Sendable, Hashable {
  public let name: String
  /// The longer edge of the reduced photo.
  public let viewEdge: Int
  /// The radius of the windows, in parts of the longer edge.
  public let radius: Double
  /// The radius of the small windows, in parts of the longer edge.
  public let smallRadius: Double
  /// The variance t of windows with lone steps.
  public let step: Double
  /// The variance t of windows with texture.
  public let texture: Double
  /// The least r of texture among steps, and the most of steps among texture.
  public let spread: ClosedRange<Double>
  /// The variance n that noise has at most; nil where noise counts as detail.
  public private(set) var noise: Double?

  /// For light and shade.
  public static let broad = LocalBase(
    name: "broad base", viewEdge: 512, radius: 1.0 / 32, smallRadius: 3.0 / 256, step: 0.001,
    texture: 0.01, spread: 0.3...0.5)
  /// For local contrast.
  public static let contrast = LocalBase(
    name: "base of local contrast", viewEdge: 512, radius: 1.0 / 32, smallRadius: 3.0 / 256,
    step: 0.0003, texture: 0.03, spread: 0.4...0.6, noise: 1e-4)
  /// For fine structure.
  public static let fine = LocalBase(
    name: "fine base", viewEdge: 1024, radius: 2.0 / 1024, smallRadius: 1.0 / 1024, step: 0.001,
    texture: 0.025, spread: 0.55...0.75, noise: 6e-5)

  /// The same, but that noise is detail too: for what softens it.
  public var countingNoise: LocalBase {
    var base = self
    base.noise = nil
    return base
  }
}

extension LocalBase: CustomStringConvertible {
  public var description: String { noise == nil ? name : "\(name) above noise" }
}
