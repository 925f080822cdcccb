/// Smooths a plane but keeps the edges of a guide.
///
/// In each window the plane is approximated by the best linear function of the guide, `a × guide +
/// b`; each pixel gets the mean of the functions of all windows around it.
///
/// - Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), equations 5
///   to 9; K. He, J. Sun, "Fast Guided Filter", arXiv:1505.00996, for lines found in reduced
///   planes.
struct GuidedFilter {
  /// The radius in pixels; windows have 2 × radius + 1 pixels in each direction.
  var radius: Int
  /// The value that is added to the variance of the guide; above 0.
  var epsilon: Double

  /// The mean coefficients of the linear functions of all windows around each pixel, as a map with
  /// the bands a and b.
  ///
  /// Pixels are weighted by `weights`, 0…1.
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
