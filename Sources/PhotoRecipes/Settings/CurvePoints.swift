public import Notation

/// The control points of a tone curve in display-encoded values; 1 is white, and x is strictly
/// increasing.
public struct CurvePoints: SettingValue {
  public struct Point: Sendable, Hashable {
    public var x: Double
    public var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  public var points: [Point]

  /// The straight line without an effect.
  public static let identity = CurvePoints(points: [Point(x: 0, y: 0), Point(x: 1, y: 1)])

  package init(points: [Point]) { self.points = points }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<CurvePoints, Problem> {
    guard let elements = json.array, case .points(let most) = kind else {
      return wrongType(json, kind)
    }
    var points: [Point] = []
    for element in elements {
      guard let pair = element.array, pair.count == 2, let x = pair[0].number,
        let y = pair[1].number
      else { return wrongType(element, kind) }
      guard (0...most).contains(x), (0...most).contains(y) else {
        return .failure(.outOfRange(found: element.compactText, expected: kind.expectation))
      }
      if let before = points.last, x <= before.x {
        return .failure(disorder(element, after: points.count, isSame: x == before.x))
      }
      points.append(Point(x: x, y: y))
    }
    guard points.count >= 2 else {
      let count = points.isEmpty ? "no point" : "only one point"
      return .failure(
        .contradiction(
          "the curve has \(count)", remedy: "give it at least two, such as [[0, 0], [1, 1]]"))
    }
    return .success(CurvePoints(points: points))
  }

  private static func disorder(_ point: JSON, after count: Int, isSame: Bool) -> Problem {
    let text = point.compactText
    return .contradiction(
      isSame
        ? "point \(count + 1) of the curve, \(text), has the same x as the previous point"
        : "point \(count + 1) of the curve, \(text), has a smaller x than the previous point",
      remedy: "sort the points by x, and give each a different x")
  }

  public var json: JSON? { .array(points.map { .array([.number($0.x), .number($0.y)]) }) }
}
