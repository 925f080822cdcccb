import Foundation

extension Raster {
  /// The value of the pixel at (x, y), or of the nearest pixel if (x, y) is outside the image.
  package func nearest(_ x: Int, _ y: Int, _ band: Int) -> Double {
    value(min(max(x, 0), width - 1), min(max(y, 0), height - 1), band)
  }

  /// The value at a point, interpolated linearly between the four pixels around it.
  package func between(_ x: Double, _ y: Double, _ band: Int) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    func pixel(_ right: Int, _ down: Int) -> Double {
      nearest(Int(left) + right, Int(top) + down, band)
    }
    let (right, down) = (x - left, y - top)
    return (pixel(0, 0) * (1 - right) + pixel(1, 0) * right) * (1 - down)
      + (pixel(0, 1) * (1 - right) + pixel(1, 1) * right) * down
  }

  /// Returns a raster of the same size, with each value computed from its position.
  package func mapped(_ value: (_ x: Int, _ y: Int, _ band: Int) -> Double) -> Raster {
    Raster(width, height, bands: bands, value)
  }

  /// The mean over squares with sides of `2 × radius + 1` pixels; the edge is repeated.
  ///
  /// The outermost pixels of a fractional radius are weighted by the fraction.
  package func averaged(radius: Double) -> Raster {
    let reach = Int(radius.rounded(.up))
    let line = (-reach...reach).map { min(1, radius + 1 - Double(abs($0))) }
    let total = line.reduce(0, +)
    return mapped { x, y, band in
      var sum = 0.0
      for j in -reach...reach {
        for i in -reach...reach {
          sum += line[reach + j] * line[reach + i] * nearest(x + i, y + j, band)
        }
      }
      return sum / (total * total)
    }
  }

  /// The image extended by `margin` pixels on every side; the edge is repeated.
  package func padded(by margin: Int) -> Raster {
    Raster(width + 2 * margin, height + 2 * margin, bands: bands) { x, y, band in
      nearest(x - margin, y - margin, band)
    }
  }

  /// The image without `margin` pixels on every side.
  package func trimmed(by margin: Int) -> Raster {
    Raster(width - 2 * margin, height - 2 * margin, bands: bands) { x, y, band in
      value(x + margin, y + margin, band)
    }
  }
}

/// The smoothstep: 0 up to `low`, 1 from `high` on, 3t² − 2t³ between them.
package func smoothStep(_ low: Double, _ high: Double, _ x: Double) -> Double {
  let t = min(max((x - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}
