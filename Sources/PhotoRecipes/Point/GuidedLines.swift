/// A base that a guided filter computes from the luma; the guide is the luma itself.
///
/// - m, v: the mean and the variance of the luma in a window.
/// - t: the tolerance. It changes from `step` to `texture` by a smoothstep over `spread` of the
///   ratio that `DetailWindows` defines.
/// - a: the slope `v² / (v² + t²)`. A window with a variance well above t contains an edge, and
///   does not change; a window with a variance well below t is smoothed.
/// - Base: the line `a × luma + (1 − a) m` in each window. Each pixel gets the mean of the lines of
///   all windows around it.
///
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), equations 5 to
///   9. Tolerances that decrease with the variance: Z. Li, J. Zheng, Z. Zhu, W. Yao, S. Wu,
///   "Weighted Guided Image Filtering", IEEE TIP 24 (2015), but there relative to the whole
///   picture.
struct GuidedLines: Sendable, Hashable {
  let windows: DetailWindows
  /// The value of t for windows that contain a single edge.
  let step: Double
  /// The value of t for windows that contain texture.
  let texture: Double
  /// The range of the ratio that both textures and single edges can have: from the lowest ratio of
  /// textures to the highest of single edges.
  let spread: ClosedRange<Double>
}

/// Two sizes of windows that distinguish texture from single edges.
///
/// Both can have the same variance in a window, but a single edge has little variance in most small
/// windows. The ratio is the mean variance of the small windows, divided by the variance of the
/// window; the divisor is the variance of a window that is wider by the small radius, if this
/// variance is greater.
///
/// - Source: F. Kou, W. Chen, C. Wen, Z. Li, "Gradient Domain Guided Image Filtering", IEEE TIP 24
///   (2015), but there as a product.
struct DetailWindows: Sendable, Hashable {
  /// The radius of the windows, as a fraction of the longer edge.
  let radius: Double
  /// The radius of the small windows, as a fraction of the longer edge.
  let smallRadius: Double
}
