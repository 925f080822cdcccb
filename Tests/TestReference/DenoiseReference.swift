import Foundation

/// The cosine-patch denoiser in double precision, implemented from the description in denoise.c and
/// patches.h.
///
/// Each transform is computed as a direct sum.
package enum DenoiseReference {
  package static func cleaned(
    _ input: Raster, luma: Double, chroma: Double, detail: Double
  ) -> Raster {
    // Also at a quarter of the resolution, the padded size is a whole number of pixels and of
    // patches.
    let margin = 64
    let padded = Raster(
      (input.width + 7) / 8 * 8 + 2 * margin, (input.height + 7) / 8 * 8 + 2 * margin,
      bands: input.bands
    ) { x, y, band in input.nearest(x - margin, y - margin, band) }
    let level = 0.1 * (3.3 - 2 * detail)
    var planes = opponents(padded)
    if luma > 0 {
      let base = halved(planes[0])
      let better = patched(base, threshold: luma * level / 2)
      let (old, new) = (doubled(base), doubled(better))
      let whole = planes[0].mapped { x, y, _ in
        planes[0].value(x, y, 0) - old.value(x, y, 0) + new.value(x, y, 0)
      }
      planes[0] = patched(whole, threshold: luma * level)
    }
    for c in 1...2 where chroma > 0 {
      let threshold = chroma * level
      let plane = planes[c]
      let base = halved(plane)
      let coarse = halved(base)
      let (old, new) = (doubled(coarse), doubled(patched(coarse, threshold: threshold / 4)))
      let fine = base.mapped { x, y, _ in
        base.value(x, y, 0) - old.value(x, y, 0) + new.value(x, y, 0)
      }
      let (below, above) = (doubled(base), doubled(patched(fine, threshold: threshold / 2)))
      planes[c] = plane.mapped { x, y, _ in
        let rest = plane.value(x, y, 0) - below.value(x, y, 0)
        let kept = abs(rest) > threshold ? 1 - threshold * threshold / (rest * rest) : 0
        return above.value(x, y, 0) + kept * rest
      }
    }
    return input.mapped { x, y, band in
      let (light, first, second) = (
        planes[0].value(x + margin, y + margin, 0), planes[1].value(x + margin, y + margin, 0),
        planes[2].value(x + margin, y + margin, 0)
      )
      switch band {
      case 0: return light / 3.squareRoot() + first / 2.squareRoot() + second / 6.squareRoot()
      case 1: return light / 3.squareRoot() - 2 * second / 6.squareRoot()
      case 2: return light / 3.squareRoot() - first / 2.squareRoot() + second / 6.squareRoot()
      default: return input.value(x, y, band)
      }
    }
  }

  private static func opponents(_ image: Raster) -> [Raster] {
    let axes = [[1.0, 1, 1], [1, 0, -1], [1, -2, 1]]
    return axes.map { axis in
      let length = axis.map { $0 * $0 }.reduce(0, +).squareRoot()
      return Raster(image.width, image.height, bands: 1) { x, y, _ in
        (0..<3).map { axis[$0] * image.value(x, y, $0) }.reduce(0, +) / length
      }
    }
  }

  private static func halved(_ plane: Raster) -> Raster {
    Raster(plane.width / 2, plane.height / 2, bands: 1) { x, y, _ in
      (plane.value(2 * x, 2 * y, 0) + plane.value(2 * x + 1, 2 * y, 0)
        + plane.value(2 * x, 2 * y + 1, 0) + plane.value(2 * x + 1, 2 * y + 1, 0)) / 4
    }
  }

  /// The plane at twice the resolution, interpolated linearly between the centres of pixels.
  private static func doubled(_ plane: Raster) -> Raster {
    Raster(2 * plane.width, 2 * plane.height, bands: 1) { x, y, _ in
      let (column, row) = (x / 2 + (x % 2 == 0 ? -1 : 1), y / 2 + (y % 2 == 0 ? -1 : 1))
      return 0.5625 * plane.value(x / 2, y / 2, 0) + 0.1875 * plane.nearest(column, y / 2, 0)
        + 0.1875 * plane.nearest(x / 2, row, 0) + 0.0625 * plane.nearest(column, row, 0)
    }
  }

  /// `basis[u][x]`: the orthonormal cosine transform of 8 samples.
  private static let basis: [[Double]] = (0..<8).map { u in
    let scale = u == 0 ? sqrt(0.125) : 0.5
    return (0..<8).map { x in
      let angle = Double((2 * x + 1) * u) * Double.pi / 16
      return scale * cos(angle)
    }
  }

  private static func product(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    a.map { row in
      (0..<8).map { column in
        var sum = 0.0
        for k in 0..<8 { sum += row[k] * b[k][column] }
        return sum
      }
    }
  }

  private static func patched(_ plane: Raster, threshold: Double) -> Raster {
    let transposed = (0..<8).map { x in (0..<8).map { basis[$0][x] } }
    var sums = plane.values.map { _ in 0.0 }
    var weights = sums
    for top in stride(from: 0, through: plane.height - 8, by: 2) {
      for left in stride(from: 0, through: plane.width - 8, by: 2) {
        let patch = (0..<8).map { y in (0..<8).map { plane.value(left + $0, top + y, 0) } }
        var spectrum = product(product(basis, patch), transposed)
        var kept = 1.0
        for v in 0..<8 {
          for u in 0..<8 where u + v > 0 {
            if abs(spectrum[v][u]) > threshold { kept += 1 } else { spectrum[v][u] = 0 }
          }
        }
        let back = product(product(transposed, spectrum), basis)
        for y in 0..<8 {
          for x in 0..<8 {
            let place = (top + y) * plane.width + left + x
            sums[place] += back[y][x] / kept
            weights[place] += 1 / kept
          }
        }
      }
    }
    return plane.mapped { x, y, _ in
      let place = y * plane.width + x
      return weights[place] > 0 ? sums[place] / weights[place] : plane.values[place]
    }
  }
}
