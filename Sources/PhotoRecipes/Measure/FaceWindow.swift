/// Finds the windows along one edge of a photo that keep faces whole.
enum FaceWindow {
  /// The head with its hair and some space, from above the crown to below the chin, in the vertical
  /// coordinate of a face.
  ///
  /// On four detected faces, the hair ends at −1.9 to −2.6.
  private static let head = -2.7...1.4

  /// The range of starts with which a window of `length` keeps faces whole; nil if there are none.
  ///
  /// Positions are fractions of the edge, and a start is 0…1 − `length`. All faces are kept if they
  /// fit, with the whole head or at least the forehead if that fits too. Otherwise, the largest face is
  /// kept, with those others that fit and have the largest areas together. A face that is larger
  /// than the window is in its middle.
  static func starts(
    keeping faces: [Face], length: Double, isAcross: Bool
  ) -> ClosedRange<Double>? {
    let whole = faces.sorted { $0.area > $1.area }
    guard let largest = whole.first else { return nil }
    func span(_ face: Face, _ width: Double, _ height: ClosedRange<Double>) -> ClosedRange<Double> {
      let bounds = face.bounds(width: width, height: height)
      return (isAcross ? bounds.x : bounds.y).clamped(to: 0...1)
    }
    let heads = whole.map { span($0, 1.6, Self.head) }
    let foreheads = whole.map { span($0, 1.6, -1.9...1.4) }
    let plain = whole.map { span($0, 1.1, -1.4...1.1) }
    for spans in [heads, foreheads, plain] {
      let all = hull(spans)
      if all.length <= length { return starts(around: all, length) }
    }
    let first = plain[0]
    if first.length > length {
      let middle = isAcross ? largest.centre.x : largest.centre.y
      let start = min(max(0, middle - length / 2), 1 - length)
      return start...start
    }
    let kept = best(plain, whole.map(\.area), length)
    return starts(around: hull(kept), length)
  }

  private static func starts(
    around kept: ClosedRange<Double>, _ length: Double
  ) -> ClosedRange<Double> {
    let last = max(0, 1 - length)
    let low = min(max(0, kept.upperBound - length), last)
    return low...max(low, min(kept.lowerBound, last))
  }

  /// The spans inside the window of `length` that contains the first span and has the largest sum
  /// of `areas`.
  private static func best(
    _ spans: [ClosedRange<Double>], _ areas: [Double], _ length: Double
  ) -> [ClosedRange<Double>] {
    let starts = spans.flatMap { [$0.lowerBound, $0.upperBound - length] }
    var (most, found) = (0.0, [spans[0]])
    for start in starts {
      let window = (start - 1e-9)...(start + length + 1e-9)
      let inside = spans.indices.filter {
        window.contains(spans[$0].lowerBound) && window.contains(spans[$0].upperBound)
      }
      let sum = inside.reduce(0) { $0 + areas[$1] }
      if inside.first == 0, sum > most { (most, found) = (sum, inside.map { spans[$0] }) }
    }
    return found
  }

  private static func hull(_ spans: [ClosedRange<Double>]) -> ClosedRange<Double> {
    spans.dropFirst().reduce(spans[0]) {
      min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
    }
  }
}

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
