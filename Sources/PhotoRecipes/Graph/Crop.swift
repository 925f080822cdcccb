import Notation

/// The part of the photo that `crop` keeps.
public enum Crop: Sendable, Hashable, CustomStringConvertible {
  /// The edges from a recipe. A missing position is set by gravity, a missing length is the whole
  /// edge.
  case edges(Edges, Gravity, dpi: Double)
  /// The largest rectangle of an aspect ratio.
  case ratio(Ratio, Gravity)
  /// The largest rectangle with the aspect ratio of a box.
  case covering(width: Length, height: Length, Gravity, dpi: Double)
  case pixels(Rectangle)

  /// The distances of a rectangle from the edges of an image, and the rectangle's own lengths.
  ///
  /// Along each edge at most two of the three values are set.
  public struct Edges: Sendable, Hashable {
    public var left: Length?
    public var top: Length?
    public var right: Length?
    public var bottom: Length?
    public var width: Length?
    public var height: Length?

    public init() {}
  }

  /// The rectangle that is kept from an image of `size`.
  public func rectangle(in size: Size) -> Rectangle {
    switch self {
    case .pixels(let rectangle): return rectangle
    case .ratio(let ratio, let gravity):
      return .placed(Self.largest(Size(ratio.width, ratio.height), in: size), in: size, gravity)
    case .covering(let width, let height, let gravity, let dpi):
      let box = Size(
        max(1, width.pixels(of: size.width, dpi: dpi)),
        max(1, height.pixels(of: size.height, dpi: dpi)))
      return .placed(Self.largest(box, in: size), in: size, gravity)
    case .edges(let edges, let gravity, let dpi):
      let (fromLeft, across) = Self.span(
        edges.left, edges.right, edges.width, of: size.width, gravity.fractions.x, dpi)
      let (fromTop, down) = Self.span(
        edges.top, edges.bottom, edges.height, of: size.height, gravity.fractions.y, dpi)
      return Rectangle(left: fromLeft, top: fromTop, size: Size(across, down))
    }
  }

  /// The largest rectangle inside `size` with the aspect ratio of `box`.
  private static func largest(_ box: Size, in size: Size) -> Size {
    let factor = min(
      Double(size.width) / Double(box.width), Double(size.height) / Double(box.height))
    let scaled = box.scaled(by: factor)
    return Size(min(size.width, scaled.width), min(size.height, scaled.height))
  }

  /// The start and the length in pixels along one edge, limited to the edge.
  private static func span(
    _ start: Length?, _ end: Length?, _ length: Length?, of edge: Int, _ gravity: Double,
    _ dpi: Double
  ) -> (Int, Int) {
    func pixels(_ length: Length?) -> Int? { length?.pixels(of: edge, dpi: dpi) }
    let after = pixels(end) ?? 0
    let wanted = pixels(length) ?? edge - after - (pixels(start) ?? 0)
    guard let start = pixels(start) ?? (end == nil ? nil : max(0, edge - after - wanted)) else {
      let kept = min(max(1, wanted), edge)
      return (Int((Double(edge - kept) * gravity).rounded(.down)), kept)
    }
    let first = min(start, edge - 1)
    return (first, min(max(1, wanted), edge - first))
  }

  public var description: String {
    switch self {
    case .pixels(let rectangle): return "\(rectangle)"
    case .ratio(let ratio, let gravity): return "\(ratio.width):\(ratio.height) \(gravity.rawValue)"
    case .covering(let width, let height, let gravity, _):
      return "\(width)×\(height) \(gravity.rawValue)"
    case .edges(let edges, let gravity, _):
      let named = [
        ("left", edges.left), ("top", edges.top), ("right", edges.right),
        ("bottom", edges.bottom), ("width", edges.width), ("height", edges.height),
      ]
      let given = named.compactMap { name, length in
        length?.json.map { "\(name) \($0.string ?? $0.compactText)" }
      }
      return (given + [gravity.rawValue]).joined(separator: " ")
    }
  }
}
