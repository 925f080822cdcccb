import Foundation

extension Raster {
  /// The raster blurred by a two-dimensional Gaussian in double precision: a direct sum over the
  /// square of radius ⌈3 × sigma⌉ with normalized weights.
  ///
  /// The edge is repeated.
  package func blurred(sigma: Double) -> Raster {
    let radius = Int((3 * sigma).rounded(.up))
    let line = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = line.reduce(0, +)
    return Raster(width, height, bands: bands) { x, y, band in
      var sum = 0.0
      for j in -radius...radius {
        let row = min(max(y + j, 0), height - 1)
        for i in -radius...radius {
          sum +=
            line[radius + j] * line[radius + i] * value(min(max(x + i, 0), width - 1), row, band)
        }
      }
      return sum / (total * total)
    }
  }

  /// The raster with each row blurred by a Gaussian that is cut off at 8 sigma, in double
  /// precision.
  package func blurredAlongRows(sigma: Double) -> Raster {
    let radius = Int((8 * sigma).rounded(.up))
    let line = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = line.reduce(0, +)
    return Raster(width, height, bands: bands) { x, y, band in
      var sum = 0.0
      for i in -radius...radius {
        sum += line[radius + i] * value(min(max(x + i, 0), width - 1), y, band)
      }
      return sum / total
    }
  }

  /// BT.709 luma of the first three bands.
  package var luma: Raster {
    Raster(width, height, bands: 1) { x, y, _ in
      0.2126 * value(x, y, 0) + 0.7152 * value(x, y, 1) + 0.0722 * value(x, y, 2)
    }
  }
}
