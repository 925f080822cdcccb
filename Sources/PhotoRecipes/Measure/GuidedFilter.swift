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

  /// The means of the lines, a map with the bands a and b.
  ///
  /// Pixels count by their weights, 0…1.
  func coefficients(
    of plane: [Float], guide: [Float], weights: [Float]?, size: Size
  ) -> MapValues {
    let mean = BoxMean(size: size, radius: radius, weights: weights)
    let guideMean = mean(guide)
    let square = mean(guide.map { $0 * $0 })
    let planeMean = mean(plane)
    let product = mean(zip(plane, guide).map { $0 * $1 })
    var a = guideMean
    var b = guideMean
    for i in a.indices {
      let (m, p) = (Double(guideMean[i]), Double(planeMean[i]))
      let variance = max(0, Double(square[i]) - m * m)
      let slope = (Double(product[i]) - m * p) / (variance + epsilon)
      a[i] = Float(slope)
      b[i] = Float(p - slope * m)
    }
    let (meanA, meanB) = (mean(a), mean(b))
    var values = [Float](repeating: 0, count: 2 * a.count)
    for i in a.indices { (values[2 * i], values[2 * i + 1]) = (meanA[i], meanB[i]) }
    return MapValues(size: size, bands: 2, values: values)
  }
}
