import Glibc

/// A red pupil: a round spot of red pixels, with surroundings that are not red.
struct RedSpot {
  /// The centre and the largest distance of a red pixel from it, in pixels of the view.
  let centre: SIMD2<Double>
  let reach: Double

  /// An ellipse in which a pupil is looked for, in pixels of the view, and the radii that it may
  /// have.
  struct Window {
    let centre: SIMD2<Double>
    /// The vectors from the centre to the ends of the half axes.
    let right: SIMD2<Double>
    let down: SIMD2<Double>
    let radii: ClosedRange<Double>

    /// The square of the distance from the centre, relative to the edge of the ellipse.
    fileprivate func distance(_ x: Int, _ y: Int) -> Double {
      let way = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - centre
      let area = right.x * down.y - right.y * down.x
      let u = (way.x * down.y - way.y * down.x) / area
      let v = (right.x * way.y - right.y * way.x) / area
      return u * u + v * v
    }
  }

  /// The minimum number of pixels of a spot.
  private static let leastPixels = 4
  /// The differences between a pupil and other red spots.
  struct Demands {
    /// The minimum ratio of the axes of a pupil, 0…1.
    let roundness: Double
    /// The minimum ratio of the median redness of a pupil to that of its surroundings.
    let contrast: Double
  }

  /// The minimum fraction of the circle around a spot that is red; a reflection of the flash is not.
  private static let leastFill = 0.35
  /// The maximum fraction of red pixels around a spot.
  private static let mostAround = 0.25

  /// The red spots in a window.
  struct Spots {
    /// The red pupils, the largest first.
    var pupils: [RedSpot] = []
    /// True if a red spot, at least of the size of a pupil, is too long to be one.
    var hasLongSpot = false
  }

  /// True if the spot's circle meets that of another one.
  func overlaps(_ other: RedSpot) -> Bool {
    let way = other.centre - centre
    return (way * way).sum().squareRoot() < reach + other.reach
  }

  /// Finds the red pupils in a window.
  ///
  /// A spot that touches the edge of the window is no pupil. `redness` returns the redness of
  /// display-encoded colours; a pixel is red if its redness exceeds `limit`.
  static func spots(
    in window: Window, of view: PhotoView, redderThan limit: Double, demands: Demands,
    _ redness: (ColourMatrix.Vector) -> Double
  ) -> Spots {
    let reach = SIMD2(
      abs(window.right.x) + abs(window.down.x), abs(window.right.y) + abs(window.down.y))
    let left = max(0, Int((window.centre.x - reach.x).rounded(.down)))
    let top = max(0, Int((window.centre.y - reach.y).rounded(.down)))
    let right = min(view.size.width, Int((window.centre.x + reach.x).rounded(.up)))
    let bottom = min(view.size.height, Int((window.centre.y + reach.y).rounded(.up)))
    guard right > left, bottom > top else { return Spots() }
    let (width, height) = (right - left, bottom - top)
    var values = [Double](repeating: 0, count: width * height)
    var isInside = [Bool](repeating: false, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = view.pixels[(top + y) * view.size.width + left + x]
        isInside[y * width + x] = window.distance(left + x, top + y) <= 1
        values[y * width + x] = redness(ColourMatrix.Vector(pixel))
      }
    }
    let pixels = RedPixels(
      width: width, height: height, redness: values, isRed: values.map { $0 > limit },
      isInside: isInside, demands: demands)
    var found = Spots()
    for spot in pixels.spots.sorted(by: { $0.count > $1.count }) {
      guard spot.count >= leastPixels else { break }
      let shape = RedPixels.Shape(spot, width)
      guard shape.edge >= window.radii.lowerBound else { continue }
      if shape.roundness < demands.roundness {
        found.hasLongSpot = true
      } else if shape.edge <= window.radii.upperBound && pixels.isPupil(spot, shape) {
        let centre = shape.centre + SIMD2(Double(left) + 0.5, Double(top) + 0.5)
        found.pupils.append(RedSpot(centre: centre, reach: shape.edge))
      }
    }
    return found
  }

  /// The pixels of the rectangle around a window, rows from the top.
  private struct RedPixels {
    let width: Int
    let height: Int
    let redness: [Double]
    let isRed: [Bool]
    let isInside: [Bool]
    let demands: Demands

    /// The connected areas of red pixels, without those that touch the window's edge; each is a
    /// list of indices.
    var spots: [[Int]] {
      var seen = [Bool](repeating: false, count: isRed.count)
      var found: [[Int]] = []
      for start in isRed.indices where isRed[start] && isInside[start] && !seen[start] {
        var spot = [start]
        var isWhole = true
        seen[start] = true
        var next = 0
        while next < spot.count {
          let (x, y) = (spot[next] % width, spot[next] / width)
          next += 1
          for (u, v) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            guard u >= 0, v >= 0, u < width, v < height else {
              isWhole = false
              continue
            }
            let place = v * width + u
            if !isRed[place] || seen[place] { continue }
            if isInside[place] {
              seen[place] = true
              spot.append(place)
            } else {
              isWhole = false
            }
          }
        }
        if isWhole { found.append(spot) }
      }
      return found
    }

    /// The place and the shape of a spot.
    struct Shape {
      let centre: SIMD2<Double>
      /// The ratio of the axes, 0…1.
      let roundness: Double
      /// The radius of the circle that reaches the farthest pixel.
      let edge: Double

      init(_ spot: [Int], _ width: Int) {
        let places = spot.map { SIMD2(Double($0 % width), Double($0 / width)) }
        let count = Double(spot.count)
        let middle = places.reduce(.zero, +) / count
        // A pixel is a square, whose own variance is 1/12.
        var (xx, yy, xy) = (1.0 / 12, 1.0 / 12, 0.0)
        for place in places {
          let way = place - middle
          xx += way.x * way.x / count
          yy += way.y * way.y / count
          xy += way.x * way.y / count
        }
        let half = ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
        let (long, short) = ((xx + yy) / 2 + half, (xx + yy) / 2 - half)
        centre = middle
        roundness = (max(0, short) / long).squareRoot()
        let reach =
          places.map { way in
            let way = way - middle
            return (way * way).sum().squareRoot()
          }.max() ?? 0
        edge = reach + 0.5
      }
    }

    /// True if a round spot fills its circle, and what is around it is less red.
    func isPupil(_ spot: [Int], _ shape: Shape) -> Bool {
      let edge = shape.edge
      guard Double(spot.count) >= RedSpot.leastFill * .pi * edge * edge else { return false }
      var around: [Int] = []
      let own = Set(spot)
      let most = 1.6 * edge + 1
      func near(_ middle: Double, _ end: Int) -> Range<Int> {
        max(0, Int(middle - most))..<min(end, Int(middle + most) + 1)
      }
      for y in near(shape.centre.y, height) {
        for x in near(shape.centre.x, width) where !own.contains(y * width + x) {
          let way = SIMD2(Double(x), Double(y)) - shape.centre
          let distance = (way * way).sum().squareRoot()
          guard distance > edge, distance <= most else { continue }
          around.append(y * width + x)
        }
      }
      let red = around.count { isRed[$0] }
      return Double(red) <= RedSpot.mostAround * Double(around.count)
        && median(spot) >= demands.contrast * median(around)
    }

    /// The median redness of pixels; 0 if there are none.
    private func median(_ pixels: [Int]) -> Double {
      let values = pixels.map { redness[$0] }.sorted()
      return values.isEmpty ? 0 : values[values.count / 2]
    }
  }
}
