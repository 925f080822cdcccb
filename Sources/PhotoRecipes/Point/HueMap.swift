import Foundation

/// Changes of OKLab colours by their hue.
///
/// Each point's change is full at its hue and fades to the next points' over the way between, as
/// `½ + ½ cos`; together they are 1 everywhere. Greys have no hue, and stay.
public struct HueMap: Sendable, Hashable {
  public struct Point: Sendable, Hashable {
    /// Degrees in OKLab, 0…360.
    public var hue: Double
    /// Degrees added to the hue.
    public var shift = 0.0
    /// The chroma is multiplied by it.
    public var chroma = 1.0
    /// Added to the lightness for each unit of chroma.
    public var lightness = 0.0

    public init(hue: Double, shift: Double = 0, chroma: Double = 1, lightness: Double = 0) {
      self.hue = hue
      self.shift = shift
      self.chroma = chroma
      self.lightness = lightness
    }
  }

  /// By rising hue; at least two.
  public let points: [Point]

  public init(_ points: [Point]) { self.points = points.sorted { $0.hue < $1.hue } }

  /// The change at a hue in degrees.
  public subscript(hue: Double) -> Point {
    let turned = hue - 360 * (hue / 360).rounded(.down)
    let next = points.firstIndex { $0.hue > turned } ?? 0
    let (a, b) = (points[(next + points.count - 1) % points.count], points[next])
    let width = b.hue - a.hue + (b.hue > a.hue ? 0 : 360)
    let way = turned - a.hue + (turned >= a.hue ? 0 : 360)
    let part = 0.5 - 0.5 * cos(.pi * way / width)
    func mixed(_ path: KeyPath<Point, Double>) -> Double {
      a[keyPath: path] + (b[keyPath: path] - a[keyPath: path]) * part
    }
    return Point(
      hue: turned, shift: mixed(\.shift), chroma: mixed(\.chroma), lightness: mixed(\.lightness))
  }

  /// The changed OKLab colour.
  public func callAsFunction(_ lab: ColourMatrix.Vector) -> ColourMatrix.Vector {
    let chroma = hypot(lab.y, lab.z)
    let change = self[atan2(lab.z, lab.y) * 180 / .pi]
    let (c, s) = (cos(change.shift * .pi / 180), sin(change.shift * .pi / 180))
    return ColourMatrix.Vector(
      lab.x + change.lightness * chroma, change.chroma * (lab.y * c - lab.z * s),
      change.chroma * (lab.y * s + lab.z * c))
  }
}

extension HueMap: CustomStringConvertible {
  public var description: String {
    points.map {
      "\($0.hue.short)°: +\($0.shift.short)° ×\($0.chroma.short) +\($0.lightness.short)"
    }.joined(separator: ", ")
  }
}
