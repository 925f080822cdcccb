public import Notation

/// A position in the frame, as fractions from its left and upper edge: `[0.5, 0.5]` is the centre.
///
/// The position may be outside the frame: each value is −1…2.
public struct MaskPoint: SettingValue {
  static let range = -1.0...2.0

  var point: Placement.Point

  init(_ point: Placement.Point) { self.point = point }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<MaskPoint, Problem> {
    guard let pair = json.array, pair.count == 2, let x = pair[0].number, let y = pair[1].number
    else { return wrongType(json, kind) }
    guard range.contains(x), range.contains(y) else {
      return .failure(.outOfRange(found: json.compactText, expected: kind.expectation))
    }
    return .success(MaskPoint(Placement.Point(x, y)))
  }

  var value: JSON { .array([.number(point.x), .number(point.y)]) }
  public var json: JSON? { value }
}

/// The corners of a polygon whose edges do not cross each other.
///
/// Edges may touch or coincide: by the even–odd rule, an area that they enclose twice is outside.
public struct Outline: SettingValue {
  static let corners = 3...256

  public var points: [Placement.Point]

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Outline, Problem> {
    guard let elements = json.array else { return wrongType(json, kind) }
    var counts = corners
    if case .corners = kind { counts = 4...4 }
    guard counts.contains(elements.count) else {
      return .failure(.wrongCount(elements.count, of: "point", expected: kind.expectation))
    }
    var points: [Placement.Point] = []
    for element in elements {
      switch MaskPoint.read(element, as: .position) {
      case .success(let point): points.append(point.point)
      case .failure(let problem): return .failure(problem)
      }
    }
    let outline = Outline(points: points)
    // The order of four corners is checked by the filter that uses them.
    if case .corners = kind { return .success(outline) }
    if outline.isEmpty {
      return .failure(
        .contradiction("the polygon has no area", remedy: "use corners that enclose an area"))
    }
    if let (a, b) = outline.crossing {
      return .failure(
        .contradiction(
          "the polygon crosses itself: the edge after point \(a + 1) crosses the edge after point"
            + " \(b + 1)",
          remedy: "split it into two polygons, and combine them with 'add'"))
    }
    return .success(outline)
  }

  public var json: JSON? { .array(points.map { MaskPoint($0).value }) }

  /// True if all corners are on a straight line.
  private var isEmpty: Bool {
    guard let first = points.first else { return true }
    let away = points.map { Placement.Point($0.x - first.x, $0.y - first.y) }
    guard let other = away.first(where: { $0.x != 0 || $0.y != 0 }) else { return true }
    return away.allSatisfy { abs($0.x * other.y - $0.y * other.x) < 1e-12 }
  }

  /// The first two edges that cross, each by the index of its first corner; nil if no edges cross.
  private var crossing: (Int, Int)? {
    for a in points.indices {
      for b in points.indices.dropFirst(a + 1) where meets(a, b) { return (a, b) }
    }
    return nil
  }

  /// True if two edges cross; adjacent edges, which share a corner, are ignored.
  private func meets(_ a: Int, _ b: Int) -> Bool {
    let count = points.count
    if (a + 1) % count == b || (b + 1) % count == a { return false }
    let (p, q) = (points[a], points[(a + 1) % count])
    let (r, s) = (points[b], points[(b + 1) % count])
    func side(_ u: Placement.Point, _ v: Placement.Point, _ w: Placement.Point) -> Double {
      (v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x)
    }
    return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0
  }
}
