import PhotoRecipes

extension CurvePoints {
  /// Creates a curve from the text in a RawTherapee profile: the curve's kind, then x and y of each
  /// point.
  ///
  /// Curves of kinds 1 and 4 pass through their points. A curve of kind 3 is a quadratic B-spline
  /// that has the points as control points; the spline is sampled at a few positions.
  init?(profile text: String) {
    guard let (kind, points) = Self.profile(text) else { return nil }
    self.init(kind == 3 ? Self.pulled(by: points) : points)
  }

  /// The kind and the points of a curve that has points; nil for other text.
  static func profile(
    _ text: String
  ) -> (kind: Double, points: [(x: Double, y: Double)])? {
    let parts = text.split(separator: ";")
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == parts.count, numbers.count < 200, let kind = numbers.first,
      [1, 3, 4].contains(kind), numbers.count >= 3
    else { return nil }
    let points = stride(from: 1, to: numbers.count - 1, by: 2).map { index in
      (x: numbers[index], y: numbers[index + 1])
    }
    return (kind, points)
  }

  /// Returns points on the quadratic Bézier arcs that the control points define.
  ///
  /// Two consecutive arcs join halfway between two neighbouring inner control points.
  private static func pulled(by points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    guard points.count > 2 else { return points }
    func middle(_ index: Int) -> (x: Double, y: Double) {
      let (a, b) = (points[index], points[index + 1])
      return ((a.x + b.x) / 2, (a.y + b.y) / 2)
    }
    var curve = [points[0]]
    for index in 1..<points.count - 1 {
      let start = index == 1 ? points[0] : middle(index - 1)
      let end = index == points.count - 2 ? points[index + 1] : middle(index)
      for t in [0.25, 0.5, 0.75, 1] {
        let weights = (a: (1 - t) * (1 - t), b: 2 * t * (1 - t), c: t * t)
        curve.append(
          (
            x: weights.a * start.x + weights.b * points[index].x + weights.c * end.x,
            y: weights.a * start.y + weights.b * points[index].y + weights.c * end.y
          ))
      }
    }
    return curve
  }
}

extension String {
  /// True if the text is a curve of a profile that has no effect.
  var isNeutralCurve: Bool {
    let parts = split(separator: ";")
    guard let kind = parts.first else { return true }
    if kind == "0" { return true }
    return CurvePoints.profile(self) != nil && CurvePoints(profile: self) == nil
  }
}
