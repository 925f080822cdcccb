/// Medians over the square of `radius` around each pixel, found by sorting; the edge is repeated.
extension Raster {
  /// The median of each band.
  package func medians(radius: Int) -> Raster {
    mapped { x, y, band in
      let square = square(radius, x, y) { nearest($0, $1, band) }.sorted()
      return square[square.count / 2]
    }
  }

  /// The medians of a picture with premultiplied colours and alpha.
  ///
  /// Each colour channel is the median of the unpremultiplied values, weighted by alpha; the median
  /// of alpha has no weights.
  package func weightedMedians(radius: Int) -> Raster {
    mapped { x, y, band in
      let alphas = square(radius, x, y) { nearest($0, $1, 3) }.sorted()
      let alpha = alphas[alphas.count / 2]
      if band == 3 { return alpha }
      let samples = square(radius, x, y) { i, j -> (colour: Double, weight: Double) in
        let weight = nearest(i, j, 3)
        return (weight > 0 ? nearest(i, j, band) / weight : 0, weight)
      }.filter { $0.weight > 0 }.sorted { $0.colour < $1.colour }
      let total = samples.reduce(0) { $0 + $1.weight }
      var sum = 0.0
      let median = samples.first { sample in
        sum += sample.weight
        return sum >= total / 2
      }
      return (median?.colour ?? 0) * alpha
    }
  }

  /// The values at the pixels of a square, row by row.
  private func square<Value>(
    _ radius: Int, _ x: Int, _ y: Int, _ value: (_ x: Int, _ y: Int) -> Value
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity((2 * radius + 1) * (2 * radius + 1))
    for j in -radius...radius {
      for i in -radius...radius { values.append(value(x + i, y + j)) }
    }
    return values
  }
}
