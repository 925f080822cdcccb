extension DetailWindows {
  /// Variances in the windows around each pixel of a photo.
  struct Variances {
    let mean: BoxMean
    let means: [Float]
    let variances: [Float]
    let smallVariances: [Float]
    /// The ratio that distinguishes textures from single edges; see `DetailWindows`.
    let spreads: [Double]
  }

  func variances(of luma: [Float], in view: PhotoView) -> Variances {
    let (wide, small) = (view.radius(radius), view.radius(smallRadius))
    func box(_ radius: Int) -> BoxMean {
      BoxMean(size: view.size, radius: radius, weights: view.alpha)
    }
    let squares = luma.map { $0 * $0 }
    func variances(_ mean: BoxMean, _ means: [Float]) -> [Float] {
      zip(means, mean(squares)).map { max(0, $1 - $0 * $0) }
    }
    let (mean, smallMean, widerMean) = (box(wide), box(small), box(wide + small))
    let means = mean(luma)
    let wideVariances = variances(mean, means)
    let smallVariances = variances(smallMean, smallMean(luma))
    let widerVariances = variances(widerMean, widerMean(luma))
    let textures = mean(smallVariances)
    let spreads = textures.indices.map {
      Double(textures[$0]) / (max(Double(wideVariances[$0]), Double(widerVariances[$0])) + 1e-9)
    }
    return Variances(
      mean: mean, means: means, variances: wideVariances, smallVariances: smallVariances,
      spreads: spreads)
  }
}

extension ClosedRange<Double> {
  /// A smooth step from 0 to 1 over the range.
  func step(_ value: Double) -> Double {
    ((value - lowerBound) / (upperBound - lowerBound)).smoothstep
  }
}
