/// Comparisons of pictures.
extension Samples {
  /// The largest difference between two corresponding samples; colours of pixels with an alpha
  /// below `alpha` are ignored.
  public func difference(from other: Samples, alpha: Int) -> Int {
    guard (width, height, bands) == (other.width, other.height, other.bands) else { return .max }
    var worst = 0
    for (index, value) in values.enumerated() {
      if bands == 4 && values[index / 4 * 4 + 3] < alpha && index % 4 < 3 { continue }
      worst = max(worst, abs(value - other.values[index]))
    }
    return worst
  }

  /// The largest difference from an opaque picture in the colours of pixels with an alpha of at
  /// least `alpha`.
  public func colourDifference(from opaque: Samples, alpha: Int) -> Int {
    guard (width, height) == (opaque.width, opaque.height), bands == 4, opaque.bands == 3 else {
      return .max
    }
    var worst = 0
    for pixel in 0..<width * height where values[4 * pixel + 3] >= alpha {
      for band in 0..<3 {
        worst = max(worst, abs(values[4 * pixel + band] - opaque.values[3 * pixel + band]))
      }
    }
    return worst
  }

  /// The mean of the first `bands` channels of the pixels at some positions (x, y).
  public func mean(at places: [(Int, Int)], bands: Int) -> Double {
    let sum = places.reduce(0) { sum, place in
      let start = (place.1 * width + place.0) * self.bands
      return sum + values[start..<start + bands].reduce(0, +)
    }
    return Double(sum) / Double(places.count * bands)
  }

  /// The largest difference between two of a pixel's first three channels.
  public var colourfulness: Int {
    stride(from: 0, to: values.count, by: bands).reduce(0) { worst, start in
      let pixel = values[start..<start + 3]
      return max(worst, (pixel.max() ?? 0) - (pixel.min() ?? 0))
    }
  }

  /// One channel as a picture of its own.
  public func channel(_ number: Int) -> Samples {
    let values = stride(from: number, to: self.values.count, by: bands).map { self.values[$0] }
    return Samples(width: width, height: height, bands: 1, maximum: maximum, values: values)
  }
}
