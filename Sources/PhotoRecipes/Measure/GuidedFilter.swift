/// Smooths a plane up to the edges of a guide: in each window it is the line of the guide that fits
/// it best, `a × guide + b`, and each pixel takes the mean of the lines of its windows.
///
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), equations 5
///   to 9; K. He, J. Sun, "Fast Guided Filter", arXiv:1505.00996, for lines found in reduced planes.
struct GuidedFilter {
  /// Windows have 2 × radius + 1 pixels each way.
  var radius: Int
  /// Added to the variance of the guide; above 0.
  var epsilon: Double
  /// Whether what is added is `epsilon² / variance`: less in windows with an edge, so that no halo
  /// lies along it, and more in flat ones.
  ///
  /// - Source: Z. Li, J. Zheng, Z. Zhu, W. Yao, S. Wu, "Weighted Guided Image Filtering", IEEE TIP 24
  ///   (2015), whose weight of a window is its variance too, though in parts of the whole picture's.
  var isEdgeAware = false
  /// The radius of small windows that tell a lone step from texture; nil: all is texture.
  ///
  /// Where both spread as much in a window, a step hardly does within small ones. With r, their mean
  /// variance in parts of the window's, `epsilon` is × `0.1 + 0.9 s`, s being a smooth step of r from
  /// 0.3 to 0.5. Only where edges are kept.
  ///
  /// - Source: spreads of two sizes tell edges in F. Kou, W. Chen, C. Wen, Z. Li, "Gradient Domain
  ///   Guided Image Filtering", IEEE TIP 24 (2015), though as a product.
  var textureRadius: Int?

  /// The means of the lines, a map with the bands a and b.
  ///
  /// Pixels count by their weights, 0…1.
  func coefficients(
    of plane: [Float], guide: [Float], weights: [Float]?, size: Size
  ) -> MapValues {
    let mean = BoxMean(size: size, radius: radius, weights: weights)
    let guideMean = mean(guide)
    let square = mean(guide.map { $0 * $0 })
    let isSelf = plane == guide
    let planeMean = isSelf ? guideMean : mean(plane)
    let product = isSelf ? square : mean(zip(plane, guide).map { $0 * $1 })
    let texture = textureRadius.map { radius in
      mean(Self.variance(of: guide, BoxMean(size: size, radius: radius, weights: weights)))
    }
    var a = guideMean
    var b = guideMean
    for i in a.indices {
      let (m, p) = (Double(guideMean[i]), Double(planeMean[i]))
      let variance = max(0, Double(square[i]) - m * m)
      let covariance = isSelf ? variance : Double(product[i]) - m * p
      let slope = covariance * gain(variance, texture: texture.map { Double($0[i]) })
      a[i] = Float(slope)
      b[i] = Float(p - slope * m)
    }
    let (meanA, meanB) = (mean(a), mean(b))
    var values = [Float](repeating: 0, count: 2 * a.count)
    for i in a.indices { (values[2 * i], values[2 * i + 1]) = (meanA[i], meanB[i]) }
    return MapValues(size: size, bands: 2, values: values)
  }

  /// The variance in the window around each pixel.
  private static func variance(of plane: [Float], _ mean: BoxMean) -> [Float] {
    zip(mean(plane), mean(plane.map { $0 * $0 })).map { max(0, $1 - $0 * $0) }
  }

  /// The slope for each unit of covariance, from the variance of the window and the mean one of the
  /// small windows in it.
  private func gain(_ variance: Double, texture: Double?) -> Double {
    if !isEdgeAware { return 1 / (variance + epsilon) }
    var tolerance = epsilon
    if let texture {
      let place = min(1, max(0, (texture / (variance + 1e-9) - 0.3) / 0.2))
      tolerance *= 0.1 + 0.9 * place * place * (3 - 2 * place)
    }
    return variance / (variance * variance + tolerance * tolerance)
  }
}
