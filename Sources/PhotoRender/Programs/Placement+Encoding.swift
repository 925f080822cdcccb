import Glibc
import PhotoRecipes

extension Cover {
  /// The instruction that computes this coverage on an image of `size`, and its payload without the
  /// first number, the index of the coverage.
  func encoded(on size: Size) -> (ProgramEncoder.Opcode, [Double]) {
    let frame = frame(on: size, unit)
    switch shape {
    case .linear(let start, let end):
      let way = (end - start) * unit
      let scale = way / (way * way).sum()
      let first = (scale * (frame.origin - start * unit)).sum()
      return (.coverLinear, [first, (scale * frame.across).sum(), (scale * frame.down).sum()])
    case .radial(let centre, let radii, let angle, let feather):
      let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
      func along(_ v: Placement.Point) -> Placement.Point {
        Placement.Point(v.x * c + v.y * s, v.y * c - v.x * s) / radii
      }
      let plane = Placement(
        origin: along(frame.origin - centre * unit), across: along(frame.across),
        down: along(frame.down))
      return (.coverRadial, plane.rows + [1 - max(feather, 0.0001)])
    case .polygon(let points, let feather):
      let corners = points.map { $0 * unit }.flatMap { [$0.x, $0.y] }
      return (
        .coverPolygon,
        frame.rows + [max(feather, 0.0001), Double(points.count)] + corners
      )
    case .range(let range, let feather):
      return (.coverRange, [range.lowerBound, range.upperBound, max(feather, 0.0001)])
    case .disc(let a, let b, let radius, let feather):
      return (.coverDisc, [a, b, radius, max(feather, 0.0001)])
    case .map(let image):
      return (.coverMap, [Double(image)] + self.frame(on: size, Placement.Point(1, 1)).rows)
    }
  }

  /// The map from pixel coordinates x and y to positions in a frame that is `unit.x` wide and
  /// `unit.y` high.
  private func frame(on size: Size, _ unit: Placement.Point) -> Placement {
    let place = placement
    let across = place.across / Double(size.width) * unit
    let down = place.down / Double(size.height) * unit
    return Placement(
      origin: place.origin * unit + 0.5 * (across + down), across: across, down: down)
  }

  /// The frame's width and height as multiples of the shorter one.
  private var unit: Placement.Point {
    aspect >= 1 ? Placement.Point(aspect, 1) : Placement.Point(1, 1 / aspect)
  }
}

extension Placement {
  /// The coefficients of the frame coordinates u and v, three for each.
  fileprivate var rows: [Double] { [origin.x, across.x, down.x, origin.y, across.y, down.y] }

  /// The map from pixel coordinates x and y of an image of `size` to positions in the frame: two
  /// rows of three coefficients, `u = r0 + r1 x + r2 y` and `v = r3 + r4 x + r5 y`.
  func rows(on size: Size) -> [Double] {
    let across = across / Double(size.width)
    let down = down / Double(size.height)
    let origin = origin + 0.5 * (across + down)
    return [origin.x, across.x, down.x, origin.y, across.y, down.y]
  }
}
