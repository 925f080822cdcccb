import Glibc
import PhotoRecipes
import Synchronization

/// The last curve of a program, approximated by a polynomial; used if the result is then rounded to
/// 8 bits.
///
/// Below the toe the curve is a straight line through black. Above the toe it is a polynomial of
/// the square root or the fourth root of light, because tone curves are close to one of them.
struct ClosingCurve: Sendable {
  private static let degree = 6
  /// The largest input value; larger values are clipped.
  private static let top = 1.1
  /// The maximum error allowed: a tenth of an 8-bit level.
  private static let allowed = 0.1 / 255

  private let isFourth: Bool
  private let toe: Double
  private let slope: Double
  private let factors: [Double]

  /// The polynomial for the last instruction of a program; nil if the instruction is not one curve
  /// for all channels, or no polynomial is close enough.
  static func known(for instruction: PointProgram.Instruction) -> ClosingCurve? {
    guard case .channels(let red, let green, let blue) = instruction, red == green, red == blue,
      red.count == 1, let curve = red.first, let toe = toe(of: curve)
    else { return nil }
    if let known = made.withLock({ $0[curve] }) { return known }
    let closing = [false, true].lazy.map { ClosingCurve(curve, toe: toe, isFourth: $0) }
      .first { $0.isClose(to: curve) }
    made.withLock { made in
      if made.count >= most { made = [:] }
      made[curve] = .some(closing)
    }
    return closing
  }

  private static let most = 64
  /// The polynomials that this process has created, each only once; nil if no polynomial is close
  /// enough.
  private static let made = Mutex<[Curve: ClosingCurve?]>([:])

  /// The input value below which an encoding curve is a straight line; nil for other curves.
  private static func toe(of curve: Curve) -> Double? {
    switch curve {
    case .encode: 0.0031308
    case .parametric(_, _, _, _, let d, _, _): d < top / 2 ? max(0, d) : nil
    case .power: 0
    default: nil
    }
  }

  private init(_ curve: Curve, toe: Double, isFourth: Bool) {
    func root(_ x: Double) -> Double { isFourth ? x.squareRoot().squareRoot() : x.squareRoot() }
    let (first, last) = (root(toe), root(Self.top))
    factors = Polynomial.interpolating(from: first, to: last, degree: Self.degree) {
      curve(pow($0, isFourth ? 4 : 2))
    }
    let dark = toe > 0 ? toe / 2 : 1e-6
    self.isFourth = isFourth
    self.toe = toe
    slope = curve(dark) / dark
  }

  /// The payload of the `close` instruction.
  var words: [Double] { [isFourth ? 1 : 0, toe, slope, Self.top] + factors }

  func callAsFunction(_ x: Double) -> Double {
    if x < toe { return slope * x }
    let root = min(x, Self.top).squareRoot()
    let power = isFourth ? root.squareRoot() : root
    return factors.reversed().reduce(0) { $0 * power + $1 }
  }

  private func isClose(to curve: Curve) -> Bool {
    guard slope.isFinite, factors.allSatisfy(\.isFinite), self(Self.top) > 1 + 1 / 255.0 else {
      return false
    }
    return (0...1024).allSatisfy { step in
      let root = Double(step) / 1024
      let x = Self.top * pow(root, 4)
      return abs(self(x) - curve(x)) <= Self.allowed
    }
  }
}
