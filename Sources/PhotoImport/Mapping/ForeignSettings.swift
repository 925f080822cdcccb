import PhotoRecipes

/// The settings in another program's file, by their names.
///
/// A setting is removed when it is read; the settings that remain at the end are reported as
/// dropped.
struct ForeignSettings {
  private(set) var rest: [String: String]
  /// The settings with a value that could not be read as the expected number or switch.
  private(set) var unread: [(name: String, value: String)] = []

  init(_ values: [String: String]) { rest = values }

  /// Returns the value of a setting, and removes the setting.
  mutating func take(_ name: String) -> String? { rest.removeValue(forKey: name) }

  /// Returns a number, and removes the setting; nil if there is none or the number is not finite.
  mutating func number(_ name: String) -> Double? {
    read(name) { text in Double(text).flatMap { $0.isFinite ? $0 : nil } }
  }

  mutating func flag(_ name: String) -> Bool {
    let values = ["true": true, "1": true, "false": false, "0": false]
    return read(name) { values[$0.lowercased()] } ?? false
  }

  /// Returns the numbers of a list such as `3;0;0;1;1;`, and removes the setting.
  mutating func numbers(_ name: String) -> [Double]? {
    read(name) { text in
      let parts = text.split(separator: ";")
      let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
      return numbers.count == parts.count ? numbers : nil
    }
  }

  /// Returns the converted value; a text that cannot be converted is added to `unread`.
  private mutating func read<Value>(_ name: String, _ value: (String) -> Value?) -> Value? {
    guard let text = take(name), !text.isEmpty else { return nil }
    let value = value(text)
    if value == nil { unread.append((name, text)) }
    return value
  }

  mutating func ignore(where isIgnored: (String) -> Bool) {
    rest = rest.filter { !isIgnored($0.key) }
  }

  /// Multiplies a number by a scale to get a setting of a filter, adds the filter, and adds a note.
  ///
  /// The number counts from `standard`, the value without effect, which is ignored.
  mutating func scale<F: Filter>(
    _ name: String, by scale: SliderScale, from standard: Double = 0, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>, into draft: inout RecipeDraft, _ reason: String
  ) {
    let written = rest[name] ?? ""
    guard let value = number(name), value != standard else { return }
    let held = draft.add(type) { $0[keyPath: path] = scale(value - standard) }
    draft.approximate(name, written, F.name, reason + held)
  }
}

extension String {
  /// True if the value of another program's setting has no effect: zero, false, empty or the like.
  var isNeutralSetting: Bool {
    if isEmpty || ["false", "none", "default"].contains(lowercased()) { return true }
    return Double(self) == 0
  }
}

extension CurvePoints {
  /// Creates a curve from the points of another program; nil if they are invalid, or a straight
  /// line that has no effect.
  ///
  /// Values above `most` are limited to it.
  init?(_ pairs: [(x: Double, y: Double)], upTo most: Double = 1) {
    var points: [Point] = []
    for (x, y) in pairs where x.isFinite && y.isFinite && x > points.last?.x ?? -1 {
      func part(_ value: Double) -> Double {
        (min(max(value, 0), most) * 10_000).rounded() / 10_000
      }
      let point = Point(x: part(x), y: part(y))
      if point.x > points.last?.x ?? -1 { points.append(point) }
    }
    guard points.count >= 2, points.contains(where: { $0.x != $0.y }) else { return nil }
    self.init(points: points)
  }
}
