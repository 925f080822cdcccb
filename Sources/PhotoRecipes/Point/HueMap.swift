import Glibc

/// Changes OKLab colours depending on their hue, and keeps them nearly within the gamut.
///
/// Each point's change is full at its hue and fades as `½ + ½ cos` to 0 at the neighbouring points;
/// the weights add up to 1 everywhere. Greys have no hue and do not change.
public struct HueMap: Sendable, Hashable {
  public struct Point: Sendable, Hashable {
    /// The hue in OKLab, 0…360 degrees.
    public var hue: Double
    /// The shift of the hue in degrees.
    public var shift = 0.0
    /// The factor by which chroma is multiplied.
    public var chroma = 1.0
    /// The change of lightness per unit of chroma; it is reduced near white and black.
    public var lightness = 0.0

    public init(hue: Double, shift: Double = 0, chroma: Double = 1, lightness: Double = 0) {
      self.hue = hue
      self.shift = shift
      self.chroma = chroma
      self.lightness = lightness
    }
  }

  /// The points in order of hue; at least two.
  public let points: [Point]

  public let gamut: Gamut

  public init(_ points: [Point], _ gamut: Gamut = .sRGB) {
    self.points = points.sorted { $0.hue < $1.hue }
    self.gamut = gamut
  }

  func within(_ gamut: Gamut) -> HueMap { HueMap(points, gamut) }

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

  /// Applies the change to an OKLab colour.
  ///
  /// The lightness moves by `d r / (|d| + r)`, where d is the requested change and r the distance
  /// to white or black.
  public func callAsFunction(_ lab: ColourMatrix.Vector) -> ColourMatrix.Vector {
    let change = self[atan2(lab.z, lab.y) * 180 / .pi]
    let step = change.lightness * hypot(lab.y, lab.z)
    let room = max(0, step > 0 ? 1 - lab.x : lab.x)
    let lightness = step == 0 ? lab.x : lab.x + step * room / (abs(step) + room)
    let (c, s) = (cos(change.shift * .pi / 180), sin(change.shift * .pi / 180))
    let turned = ColourMatrix.Vector(lightness, lab.y * c - lab.z * s, lab.y * s + lab.z * c)
    let factor = Self.factor(
      change.chroma, from: gamut.purity(of: lab), to: gamut.purity(of: turned))
    return turned * ColourMatrix.Vector(1, factor, factor)
  }

  /// The factor by which chroma is multiplied: `wanted`, or less if a pure colour would become
  /// purer.
  ///
  /// `old` is the purity before all changes, and `new` the purity after the changes of hue and
  /// lightness. The factor is `wanted / (1 + G p²)`, with p the lesser of `old` and 1, and G the
  /// relative increase of purity that `wanted` would cause. The factor is at most the factor that
  /// leads to the edge of the gamut.
  private static func factor(_ wanted: Double, from old: Double, to new: Double) -> Double {
    let growth = wanted * (new + 0.001) / (old + 0.001) - 1
    if growth <= 0 { return wanted }
    let inside = min(1, old)
    return wanted / max(1 + growth * inside * inside, wanted * new / max(1, old))
  }
}

extension HueMap: CustomStringConvertible {
  public var description: String {
    points.map {
      "\($0.hue.short)°: +\($0.shift.short)° ×\($0.chroma.short) +\($0.lightness.short)"
    }.joined(separator: ", ") + "\(gamut)"
  }
}
