extension LocalBase {
  /// Computes a map with the bands a and b: the base is `a × luma + b`.
  public func map(of view: PhotoView) -> MapValues {
    let luma = view.luma
    let (wide, small) = (view.radius(radius), view.radius(smallRadius))
    let mean = BoxMean(size: view.size, radius: wide, weights: view.alpha)
    let means = mean(luma)
    let variances = Self.variances(of: luma, mean, means)
    let smallVariances = Self.variances(
      of: luma, BoxMean(size: view.size, radius: small, weights: view.alpha))
    let widerVariances = Self.variances(
      of: luma, BoxMean(size: view.size, radius: wide + small, weights: view.alpha))
    let textures = mean(smallVariances)
    var slopes = means
    var offsets = means
    for i in means.indices {
      let variance = Double(variances[i])
      let spread = Double(textures[i]) / (max(variance, Double(widerVariances[i])) + 1e-9)
      let tolerance = tolerance(spread)
      let slope = variance * variance / (variance * variance + tolerance * tolerance)
      slopes[i] = Float(slope)
      offsets[i] = Float((1 - slope) * Double(means[i]))
    }
    (slopes, offsets) = (mean(slopes), mean(offsets))
    var values = [Float](repeating: 0, count: 2 * slopes.count)
    for i in slopes.indices {
      let part = Float(detail(Double(smallVariances[i])))
      values[2 * i] = 1 - part * (1 - slopes[i])
      values[2 * i + 1] = part * offsets[i]
    }
    return MapValues(size: view.size, bands: 2, values: values)
  }

  /// The variance t (see `LocalBase`) for a window with the ratio r of the variances in small and
  /// large windows.
  private func tolerance(_ r: Double) -> Double {
    let way = (r - spread.lowerBound) / (spread.upperBound - spread.lowerBound)
    return step + (texture - step) * way.smoothstep
  }

  /// The fraction of a difference from the base that is detail and not noise; `variance` is the
  /// variance in the small window.
  private func detail(_ variance: Double) -> Double {
    guard let noise else { return 1 }
    return variance * variance / (variance * variance + noise * noise)
  }

  /// The variance in the window around each pixel.
  private static func variances(
    of plane: [Float], _ mean: BoxMean, _ means: [Float]? = nil
  ) -> [Float] {
    zip(means ?? mean(plane), mean(plane.map { $0 * $0 })).map { max(0, $1 - $0 * $0) }
  }
}
