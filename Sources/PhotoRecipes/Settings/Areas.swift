public import Notation

/// Rectangles in a frame, each `[left, top, width, height]` as fractions of its edges.
public struct Areas: SettingValue {
  public struct Area: Sendable, Hashable {
    public var left: Double
    public var top: Double
    public var width: Double
    public var height: Double

    /// True if the rectangle is within the frame; sums of decimal fractions may be slightly above 1.
    var isInside: Bool { left + width <= 1 + 1e-9 && top + height <= 1 + 1e-9 }
  }

  static let counts = 1...100
  static let range = 0.0...1

  public var areas: [Area]

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Areas, Problem> {
    guard let items = json.array else { return wrongType(json, kind) }
    guard counts.contains(items.count) else { return malformed(json, kind) }
    var areas: [Area] = []
    for item in items {
      guard let numbers = item.array?.map(\.number) else { return wrongType(item, kind) }
      let values = numbers.compactMap(\.self)
      guard values.count == numbers.count else { return wrongType(item, kind) }
      guard values.count == 4 else { return malformed(item, kind) }
      guard values.allSatisfy(range.contains) else { return outOfRange(item, kind) }
      areas.append(Area(left: values[0], top: values[1], width: values[2], height: values[3]))
    }
    return .success(Areas(areas: areas))
  }

  public var json: JSON? {
    .array(areas.map { .array([$0.left, $0.top, $0.width, $0.height].map(JSON.number)) })
  }
}
