/// The correction of a lens's vignetting: a gain of linear light that depends on the distance from
/// the centre of the lens.
///
/// `gain = 1 ÷ (1 + k₁ r² + k₂ r⁴ + k₃ r⁶)`, at most `mostGain`.
/// - Source: P. d'Angelo, "Radiometric Alignment and Vignetting Calibration" (2007).
public struct LensFalloff: Sendable, Hashable {
  /// The largest gain, which real lenses do not reach.
  package static let mostGain = 16.0

  /// The factors k₁ to k₃.
  public var factors: SIMD3<Double>
  /// The centre of the lens in the frame, 0…1 from the left and from the top.
  public var centre: Placement.Point
  /// The distance r from one edge of the frame to the opposite edge, horizontally and vertically.
  public var reach: Placement.Point
  public var placement = Placement.whole

  public init(_ factors: SIMD3<Double>, centre: Placement.Point, reach: Placement.Point) {
    self.factors = factors
    self.centre = centre
    self.reach = reach
  }

  /// The gain at a point of the frame.
  public func callAsFunction(_ point: Placement.Point) -> Double {
    let way = (point - centre) * reach
    let square = (way * way).sum()
    let light = 1 + square * (factors.x + square * (factors.y + square * factors.z))
    return 1 / max(light, 1 / Self.mostGain)
  }

  /// The largest gain in the corners of the frame and at its centre.
  var largestGain: Double {
    [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)].map { self(Placement.Point($0, $1)) }.max()
      ?? 1
  }
}

extension LensFalloff: CustomStringConvertible {
  public var description: String {
    let numbers = [factors.x, factors.y, factors.z].map(\.short).joined(separator: " ")
    return "÷ (1 + \(numbers) by r²)\(placement)"
  }
}
