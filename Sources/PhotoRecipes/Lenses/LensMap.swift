import Glibc

/// The map from positions in the photo that a perfect lens would have taken to positions in the
/// photo, both in pixels, for each channel.
///
/// A position is moved along the line through the centre of the lens:
///
/// - r: the distance of the position from the centre, multiplied by `unit`.
/// - s: the new distance of the green channel, `r × (d₀ + d₁ r + … + d₄ r⁴)`.
/// - The new distance of the red channel is `s × (f₀ + f₁ s + f₂ s²)`. The blue channel has other
///   coefficients in the same formula.
public struct LensMap: Sendable, Hashable {
  public typealias Point = SIMD2<Double>

  /// A frame outside which nothing is shown, in the pixels of the corrected photo.
  public struct Frame: Sendable, Hashable {
    public var low: Point
    public var high: Point
  }

  public enum Channel: Int, Sendable, CaseIterable {
    case red, green, blue
  }

  public var centre: Point
  /// The radius units of one pixel, horizontally and vertically.
  public var unit: Point
  /// The coefficients d₀ to d₄.
  public var distortion = [1.0, 0, 0, 0, 0]
  /// The coefficients f₀ to f₂ of red and of blue.
  public var red = [1.0, 0, 0]
  public var blue = [1.0, 0, 0]
  public var frame: Frame?

  public init(centre: Point, unit: Point) { (self.centre, self.unit) = (centre, unit) }

  /// True if the channels are at different positions.
  public var splitsColours: Bool { red != [1, 0, 0] || blue != [1, 0, 0] }

  public var isIdentity: Bool { distortion == [1, 0, 0, 0, 0] && !splitsColours }

  public func callAsFunction(_ point: Point, _ channel: Channel = .green) -> Point {
    let way = (point - centre) * unit
    let r = (way * way).sum().squareRoot()
    var factor = Self.polynomial(distortion, r)
    switch channel {
    case .green: break
    case .red: factor *= Self.polynomial(red, r * factor)
    case .blue: factor *= Self.polynomial(blue, r * factor)
    }
    return centre + (point - centre) * factor
  }

  private static func polynomial(_ coefficients: [Double], _ r: Double) -> Double {
    coefficients.reversed().reduce(0) { $0 * r + $1 }
  }

  /// The channels with separate positions: all channels if they differ, otherwise only green.
  private var channels: [Channel] { splitsColours ? Channel.allCases : [.green] }

  /// The same map for an image that is scaled by `factor`, horizontally and vertically.
  func scaled(by factor: Point) -> LensMap {
    var map = self
    map.centre = centre * factor
    map.unit = unit / factor
    map.frame = frame.map { Frame(low: $0.low * factor, high: $0.high * factor) }
    return map
  }

  /// The same map in the pixels of a part of the photo that was cropped, turned, flipped or scaled;
  /// `place` maps its pixels to pixels of the photo.
  ///
  /// Nil if the part was changed in another way.
  func seen(through place: Homography) -> LensMap? {
    let (a, b, c) = (place.rows[0], place.rows[1], place.rows[2])
    let isTurned = a.x == 0 && b.y == 0
    guard isTurned || (a.y == 0 && b.x == 0), c.x == 0, c.y == 0, c.z != 0 else { return nil }
    var map = self
    map.centre = place.inverse(centre)
    let scale = isTurned ? Point(b.x, a.y) : Point(a.x, b.y)
    let across = isTurned ? Point(unit.y, unit.x) : unit
    map.unit = across * Point(abs(scale.x), abs(scale.y)) / abs(c.z)
    return map
  }

  /// The least magnification about the centre that moves every position in a frame of `size` into
  /// the photo, for every channel.
  ///
  /// The photo has the same size.
  func fillingScale(_ size: Size) -> Double {
    let extent = Point(Double(size.width), Double(size.height))
    let steps = 32
    let edge = (0...steps).flatMap { step -> [Point] in
      let t = Double(step) / Double(steps)
      return [
        Point(t * extent.x, 0), Point(t * extent.x, extent.y), Point(0, t * extent.y),
        Point(extent.x, t * extent.y),
      ]
    }
    func fits(_ scale: Double) -> Bool {
      edge.allSatisfy { point in
        let corrected = centre + (point - centre) / scale
        return channels.allSatisfy { channel in
          let place = self(corrected, channel)
          return place.x >= -1e-9 && place.y >= -1e-9 && place.x <= extent.x + 1e-9
            && place.y <= extent.y + 1e-9
        }
      }
    }
    var (low, high) = (Self.scales.lowerBound, Self.scales.upperBound)
    if fits(low) { return low }
    if !fits(high) { return high }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if fits(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// The range of automatic magnifications.
  private static let scales = 0.5...3.0

  /// The map as numbers for the kernel: centre, unit, the coefficients, and the frame if there is
  /// one.
  public var numbers: [Double] {
    let map = [centre.x, centre.y, unit.x, unit.y] + distortion + red + blue
    return map + (frame.map { [$0.low.x, $0.low.y, $0.high.x, $0.high.y] } ?? [])
  }

  /// Creates the map with these numbers; nil if their count is wrong.
  public init?(_ numbers: [Double]) {
    guard numbers.count == 15 || numbers.count == 19 else { return nil }
    self.init(centre: [numbers[0], numbers[1]], unit: [numbers[2], numbers[3]])
    distortion = Array(numbers[4..<9])
    (red, blue) = (Array(numbers[9..<12]), Array(numbers[12..<15]))
    if numbers.count == 19 {
      frame = Frame(low: [numbers[15], numbers[16]], high: [numbers[17], numbers[18]])
    }
  }
}

extension LensMap: CustomStringConvertible {
  public var description: String {
    func list(_ numbers: [Double]) -> String {
      numbers.map { (($0 * 1e7).rounded() / 1e7 + 0).brief }.joined(separator: " ")
    }
    let text = "lens at \(list([centre.x, centre.y])) distortion \(list(distortion))"
    return splitsColours ? "\(text) red \(list(red)) blue \(list(blue))" : text
  }
}
