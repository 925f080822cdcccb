public import Notation

/// The look `camera` as fitted to one photo: a rising curve for each channel, and a saturation.
///
/// The numbers are rounded to five decimal places, so that the numbers in a sidecar give the same
/// picture.
public struct FittedLook: Sendable, Hashable {
  /// The knots of the curve: display-encoded values of the scene's light, and of the picture.
  ///
  /// The curve is defined from 0, the first knot, to the last knot, which is above white.
  public let knots: [SIMD2<Double>]
  /// The factor of the distance of each channel from the luma.
  public let saturation: Double

  init(knots: [SIMD2<Double>], saturation: Double) {
    self.knots = knots.map { SIMD2(Self.rounded($0.x), Self.rounded($0.y)) }
    self.saturation = Self.rounded(saturation)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1e5).rounded() / 1e5 }

  /// The curve's value for a display-encoded value of at least 0.
  func value(at x: Double) -> Double {
    var low = 0
    var high = knots.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if knots[middle].x <= x { low = middle } else { high = middle }
    }
    let (a, b) = (knots[low], knots[low + 1])
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
  }

  /// The look as a program.
  func program(_ use: LookUse = LookUse()) -> PointProgram {
    let count = 512
    let reach = knots[knots.count - 1].x
    let samples = (0...count).map { value(at: Double($0) / Double(count) * reach) }
    return LookTone(samples: samples, reach: reach).program(use, saturation: saturation)
  }
}

extension FittedLook {
  /// The look in a sidecar.
  ///
  /// The curve is one text with the two coordinates of each knot, knot after knot.
  public var json: JSON {
    let numbers = knots.flatMap { [$0.x, $0.y] }
    return .object([
      "curve": .string(numbers.map { JSON.number($0).compactText }.joined(separator: " ")),
      "saturation": .number(saturation),
    ])
  }

  /// Reads a look; nil if the JSON is not a fitted look: at least two knots that start at 0 and
  /// rise, and a saturation of 0…4.
  public init?(_ json: JSON) {
    guard let text = json["curve"]?.string, let saturation = json["saturation"]?.number,
      (0...4).contains(saturation)
    else { return nil }
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count >= 4, numbers.count <= 1_000, numbers.count % 2 == 0,
      numbers.allSatisfy({ (0...1_000).contains($0) })
    else { return nil }
    let knots = stride(from: 0, to: numbers.count, by: 2).map {
      SIMD2(numbers[$0], numbers[$0 + 1])
    }
    let rises = zip(knots, knots.dropFirst()).allSatisfy { $0.x < $1.x && $0.y <= $1.y }
    guard knots[0] == .zero, rises else { return nil }
    self.init(knots: knots, saturation: saturation)
  }
}

extension FittedLook: CustomStringConvertible {
  /// The picture's values for some values of the scene, in percent, and the saturation.
  public var description: String {
    let tones = [0.1, 0.25, 0.5, 0.75, 1].map { x in
      "\(Int((x * 100).rounded()))→\(Int((value(at: x) * 100).rounded()))"
    }
    return "tones \(tones.joined(separator: " ")) %, saturation × \(saturation.short)"
  }
}
