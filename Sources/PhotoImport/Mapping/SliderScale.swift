/// The factor from another program's slider to a filter's setting.
struct SliderScale: Hashable {
  var above: Double
  /// For numbers below 0.
  var below: Double

  init(_ above: Double, below: Double? = nil) {
    (self.above, self.below) = (above, below ?? above)
  }

  /// For `contrast`, whose S has the number 8 above 0 and 5 below: so that what a slider takes away
  /// undoes what it gives.
  static func contrast(_ above: Double) -> Self { Self(above, below: above * 8 / 5) }

  func callAsFunction(_ value: Double) -> Double { value * (value < 0 ? below : above) }
}

extension SliderScale: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  init(floatLiteral value: Double) { self.init(value) }

  init(integerLiteral value: Int) { self.init(Double(value)) }
}
