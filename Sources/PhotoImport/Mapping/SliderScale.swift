/// The factor by which another program's slider value is multiplied to get a filter's setting.
struct SliderScale: Hashable {
  var above: Double
  /// The factor for values below 0.
  var below: Double

  init(_ above: Double, below: Double? = nil) {
    (self.above, self.below) = (above, below ?? above)
  }

  /// The scale for `contrast`.
  ///
  /// The S-curve of the filter `contrast` has the constant 8 for values above 0 and the constant 5
  /// for values below 0. The factor 8/5 makes opposite slider values undo each other.
  static func contrast(_ above: Double) -> Self { Self(above, below: above * 8 / 5) }

  func callAsFunction(_ value: Double) -> Double { value * (value < 0 ? below : above) }
}

extension SliderScale: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  init(floatLiteral value: Double) { self.init(value) }

  init(integerLiteral value: Int) { self.init(Double(value)) }
}
