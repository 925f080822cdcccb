extension PhotoView {
  /// The display-encoded value from which a channel is treated as clipped.
  static let clipped: Float = 0.995

  /// The mean, in linear light, of the visible pixels around a position that are not clipped.
  ///
  /// - Parameters:
  ///   - place: The position in the frame; nil for the centre.
  ///   - radius: The radius as a fraction of the longer edge; the pixel at the position is always
  ///     included.
  /// - Returns: Nil if no pixel there is visible and unclipped.
  func light(around place: Placement.Point?, radius: Double) -> ColourMatrix.Vector? {
    let centre = place ?? Placement.Point(0.5, 0.5)
    let (x, y) = (centre.x * Double(size.width), centre.y * Double(size.height))
    let reach = max(0.71, radius * Double(size.longEdge))
    var (sum, count) = (ColourMatrix.Vector.zero, 0.0)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let index = row * size.width + column
        let pixel = pixels[index]
        guard dx * dx + dy * dy <= reach * reach, pixel.max() < Self.clipped,
          alpha?[index] ?? 1 >= 0.5
        else { continue }
        sum += ColourMatrix.Vector(Double(pixel.x), Double(pixel.y), Double(pixel.z)).decoded
        count += 1
      }
    }
    return count > 0 ? sum / count : nil
  }
}

extension Colour {
  /// The colour as linear light.
  var light: ColourMatrix.Vector { encoded.decoded }
}

extension ColourMatrix.Vector {
  /// Converts display-encoded values to linear light.
  var decoded: Self { Self(Curve.decode(x), Curve.decode(y), Curve.decode(z)) }
}
