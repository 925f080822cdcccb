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

  /// The mean difference between two corresponding samples.
  public func meanDifference(from other: Samples) -> Double {
    guard (width, height, bands) == (other.width, other.height, other.bands) else {
      return .infinity
    }
    var sum = 0
    for (index, value) in values.enumerated() { sum += abs(value - other.values[index]) }
    return Double(sum) / Double(values.count)
  }

  /// The mean CIEDE2000 difference of the colours of two 8-bit pictures.
  public func meanColourDifference(from other: Samples) -> Double {
    func lab(_ photo: Samples, _ start: Int) -> Lab {
      Lab(red: photo.values[start], green: photo.values[start + 1], blue: photo.values[start + 2])
    }
    let starts = stride(from: 0, to: values.count, by: bands)
    let sum = starts.reduce(0.0) { $0 + lab(self, $1).difference(from: lab(other, $1)) }
    return sum / Double(width * height)
  }

  /// The picture reduced to a part of its size; each pixel is the mean of `factor` × `factor`
  /// pixels.
  public func reduced(by factor: Int) -> Samples {
    let area = factor * factor
    var means: [Int] = []
    for y in 0..<height / factor {
      for x in 0..<width / factor {
        for band in 0..<bands {
          var sum = area / 2
          for j in 0..<factor {
            for i in 0..<factor { sum += self[factor * x + i, factor * y + j, band] }
          }
          means.append(sum / area)
        }
      }
    }
    return Samples(
      width: width / factor, height: height / factor, bands: bands, maximum: maximum, values: means)
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
