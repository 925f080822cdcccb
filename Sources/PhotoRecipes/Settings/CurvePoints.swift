/// The control points of a tone curve, display-encoded, both coordinates 0…1, x strictly rising.
public struct CurvePoints: SettingValue {
  public struct Point: Sendable, Hashable {
    public var x: Double
    public var y: Double
  }

  public var points: [Point]

  /// The straight line that changes nothing.
  public static let identity = CurvePoints(points: [Point(x: 0, y: 0), Point(x: 1, y: 1)])

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<CurvePoints, Problem> {
    guard let elements = json.array else { return wrongType(json, kind) }
    var points: [Point] = []
    for element in elements {
      guard let pair = element.array, pair.count == 2, let x = pair[0].number,
        let y = pair[1].number
      else { return wrongType(element, kind) }
      guard (0...1).contains(x), (0...1).contains(y), x > points.last?.x ?? -1 else {
        return .failure(.outOfRange(found: element.compactText, expected: kind.expectation))
      }
      points.append(Point(x: x, y: y))
    }
    return points.count >= 2 ? .success(CurvePoints(points: points)) : outOfRange(json, kind)
  }

  public var json: JSON? { .array(points.map { .array([.number($0.x), .number($0.y)]) }) }
}
