extension PhotoView {
  /// The fraction of the pixels that may be brighter than `white`: light sources and reflections.
  private static let brighterPart = 0.001
  /// The largest value of `white`, display-encoded; about 25 times the linear light of white.
  private static let mostWhite = 4.0
  /// The luma above which a pixel counts as brighter than white.
  ///
  /// This limit is slightly above 1, because resampling may exceed 1 a little.
  private static let noLight: Float = 1.005

  /// The display-encoded luma of the brightest light, 1…4: 1 if no more than a thousandth of the
  /// visible pixels is brighter than white.
  var white: Double {
    let visible = visible
    let bright = visible.lazy.map { 0.2126 * $0.x + 0.7152 * $0.y + 0.0722 * $0.z }
      .filter { $0 > Self.noLight }.sorted(by: >)
    let rank = Int(Self.brighterPart * Double(visible.count))
    return rank < bright.count ? min(Self.mostWhite, Double(bright[rank])) : 1
  }

  /// The same view after a change of its colours.
  func graded(_ grade: Grade) -> PhotoView {
    let changed = pixels.map { pixel in
      SIMD3<Float>(grade(SIMD3<Double>(pixel)))
    }
    return PhotoView(
      size: size, full: full, pixels: changed, alpha: alpha, focal: focal, faces: faces)
  }
}
