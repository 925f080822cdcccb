import Glibc

/// Polynomials that approximate functions.
enum Polynomial {
  /// The coefficients, the constant first, of the polynomial that equals a function at the
  /// Chebyshev points of an interval; these points keep the error between them small.
  static func interpolating(
    from first: Double, to last: Double, degree: Int, _ function: (Double) -> Double
  ) -> [Double] {
    let points = (0...degree).map { index in
      let angle = (Double(index) + 0.5) / Double(degree + 1) * .pi
      return (first + last) / 2 - (last - first) / 2 * cos(angle)
    }
    // Newton's divided differences, the coefficients of the interpolating polynomial.
    var differences = points.map(function)
    for order in 1...degree {
      for index in (order...degree).reversed() {
        differences[index] =
          (differences[index] - differences[index - 1]) / (points[index] - points[index - order])
      }
    }
    var factors = [differences[degree]]
    for index in (0..<degree).reversed() {
      // Multiplies the polynomial by (x − point) and adds the difference (Horner's scheme).
      factors = zip([0] + factors, factors + [0]).map { $0 - points[index] * $1 }
      factors[0] += differences[index]
    }
    return factors
  }
}
