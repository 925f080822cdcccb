import Foundation

/// The kernels of a resampler, as functions of the distance, which is measured in samples of the
/// coarser grid.
package enum ResizeKernel: String, CaseIterable {
  case linear, cubic, mitchell, lanczos2, lanczos3

  package var radius: Double {
    switch self {
    case .linear: 1
    case .cubic, .mitchell, .lanczos2: 2
    case .lanczos3: 3
    }
  }

  /// The weight at a distance: `cubic` is Keys' cubic (a = −½), `mitchell` that of Mitchell and
  /// Netravali (B = C = ⅓), and `lanczos2` and `lanczos3` are windowed sincs.
  package func callAsFunction(_ distance: Double) -> Double {
    let x = abs(distance)
    if x >= radius { return 0 }
    switch self {
    case .linear: return 1 - x
    case .cubic:
      return x < 1
        ? 1.5 * pow(x, 3) - 2.5 * pow(x, 2) + 1
        : -0.5 * pow(x, 3) + 2.5 * pow(x, 2) - 4 * x + 2
    case .mitchell:
      return x < 1
        ? (7 * pow(x, 3) - 12 * pow(x, 2) + 16.0 / 3) / 6
        : (-7.0 / 3 * pow(x, 3) + 12 * pow(x, 2) - 20 * x + 32.0 / 3) / 6
    case .lanczos2, .lanczos3: return Self.sinc(x) * Self.sinc(x / radius)
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
}

/// A part of an image that is resized, in fractions of its edges.
package struct ResizePart {
  package var left, top, across, down: Double

  package static let whole = ResizePart(0, 0, 1, 1)

  package init(_ left: Double, _ top: Double, _ across: Double, _ down: Double) {
    (self.left, self.top, self.across, self.down) = (left, top, across, down)
  }
}

extension Raster {
  /// Resizes a part of the raster in double precision.
  ///
  /// Each output sample is the weighted mean of the inputs under the kernel; samples outside the
  /// raster repeat its edge.
  package func resized(
    _ width: Int, _ height: Int, _ kernel: ResizeKernel, of part: ResizePart = .whole
  ) -> Raster {
    let (columns, rows) = (Double(self.width), Double(self.height))
    let across = Self.weights(part.left * columns, part.across * columns, to: width, kernel)
    let down = Self.weights(part.top * rows, part.down * rows, to: height, kernel)
    return Raster(width, height, bands: bands) { x, y, band in
      var sum = 0.0
      var total = 0.0
      for (row, weight) in down[y] {
        let row = min(max(row, 0), self.height - 1)
        for (column, factor) in across[x] {
          sum += weight * factor * value(min(max(column, 0), self.width - 1), row, band)
          total += weight * factor
        }
      }
      return sum / total
    }
  }

  /// The indices of the input samples for each output sample, with their weights.
  private static func weights(
    _ start: Double, _ length: Double, to: Int, _ kernel: ResizeKernel
  ) -> [[(Int, Double)]] {
    let scale = Double(to) / length
    let reach = kernel.radius / min(scale, 1)
    return (0..<to).map { output in
      // Samples are the squares of a grid, so the centre of sample `i` is at `i + 0.5`.
      let centre = start + (Double(output) + 0.5) / scale
      let inputs = Int((centre - reach).rounded(.down)) - 1...Int((centre + reach).rounded(.up))
      return inputs.map { ($0, kernel((Double($0) + 0.5 - centre) * min(scale, 1))) }
        .filter { $0.1 != 0 }
    }
  }

  /// Applies `change` to the colours, which are all bands except alpha.
  package func mapColours(_ change: (_ colour: Double, _ alpha: Double) -> Double) -> Raster {
    let hasAlpha = bands.isMultiple(of: 2)
    return Raster(width, height, bands: bands) { x, y, band in
      let value = value(x, y, band)
      if hasAlpha && band == bands - 1 { return value }
      return change(value, hasAlpha ? self.value(x, y, bands - 1) : 1)
    }
  }

  /// Resizes premultiplied colours; averages linear light if `linear` is true.
  package func resizedAsPixels(
    _ width: Int, _ height: Int, _ kernel: ResizeKernel, of part: ResizePart = .whole,
    linear: Bool = false
  ) -> Raster {
    mapColours { colour, alpha in (linear ? Self.light(colour) : colour) * alpha }
      .resized(width, height, kernel, of: part)
      .mapColours { colour, alpha in
        linear ? Self.code(colour / alpha) : colour / alpha
      }
  }

  /// Converts an sRGB value to linear light; negative values are mirrored.
  ///
  /// Source: IEC 61966-2-1:1999.
  private static func light(_ code: Double) -> Double {
    let size = abs(code)
    let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return code < 0 ? -light : light
  }

  private static func code(_ light: Double) -> Double {
    let size = abs(light)
    let code = size <= 0.0031308 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
    return light < 0 ? -code : code
  }
}
