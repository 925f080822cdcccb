import PhotoRecipes

/// A picture of one band whose values are interpolated between the centres of its pixels.
struct Plane {
  let size: Size
  /// The value of a pixel, by its index.
  let level: (Int) -> Float

  /// The value at a position, 0…1 from the left and from the top; outside the picture, the value at
  /// the nearest edge.
  private subscript(place: Homography.Point) -> Float {
    let (left, right, across) = Self.neighbours(place.x, size.width)
    let (top, low, down) = Self.neighbours(place.y, size.height)
    func level(_ x: Int, _ y: Int) -> Float { self.level(y * size.width + x) }
    let upper = level(left, top) + across * (level(right, top) - level(left, top))
    let lower = level(left, low) + across * (level(right, low) - level(left, low))
    return upper + down * (lower - upper)
  }

  /// The values at the centres of the pixels of a frame; `place` maps positions in the frame to
  /// positions in the picture, both 0…1.
  func seen(at frame: Size, through place: Homography) -> [Float] {
    (0..<frame.pixels).map { self[place(frame.centre(ofPixel: $0))] }
  }

  private static func neighbours(_ place: Double, _ count: Int) -> (Int, Int, Float) {
    let inside = place > 0 ? min(place, 1) : 0
    let position = min(max(0, inside * Double(count) - 0.5), Double(count - 1))
    let first = Int(position)
    return (first, min(first + 1, count - 1), Float(position - Double(first)))
  }

  /// The size at which a frame has at least the resolution of a picture along its edges.
  ///
  /// `place` maps positions in the frame to positions in the picture, both 0…1. No edge of the
  /// frame exceeds `longestEdge`, in pixels, even if the resolution is then lower.
  static func size(of place: Homography, in picture: Size, longestEdge: Double) -> Size {
    let scale = Homography.Point(Double(picture.width), Double(picture.height))
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { place(.init($0, $1)) * scale }
    func length(_ a: Int, _ b: Int) -> Double {
      let way = corners[b] - corners[a]
      return (way * way).sum().squareRoot()
    }
    func pixels(_ a: Double, _ b: Double) -> Int {
      let most = max(a, b)
      return most.isFinite ? Int(min(max(1, (most - 1e-6).rounded(.up)), longestEdge)) : 1
    }
    return Size(pixels(length(0, 1), length(3, 2)), pixels(length(0, 3), length(1, 2)))
  }
}

extension Size {
  /// The position, 0…1, of the centre of a pixel, which is given by its index.
  func centre(ofPixel index: Int) -> Homography.Point {
    let (y, x) = index.quotientAndRemainder(dividingBy: width)
    return Homography.Point((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
  }
}
