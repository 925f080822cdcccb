import Notation
import PhotoRecipes

/// The differences between two versions of a recipe, as sidecars record recipes.
struct RecordDifference {
  private(set) var changes: [Change] = []

  /// The name of the output whose settings are being compared; nil outside of outputs.
  private var output: String?

  struct Change: Sendable, Hashable {
    /// The path of the setting, such as `exposure`, `stops`.
    ///
    /// For a setting of an output, the output's name comes first.
    let place: [String]
    /// The name of the output to which the setting belongs; nil if the setting affects all outputs.
    let output: String?
    /// The change as text: "was 0.5, is now 0.7".
    let change: String

    /// The change with its place: "exposure.stops was 0.5, is now 0.7".
    var text: String { Self.text(place, change) }

    /// The change with its path; if it belongs to `output`, the path does not repeat the output's
    /// name.
    func text(in output: String) -> String {
      output == self.output && place.count > 1 ? Self.text(Array(place.dropFirst()), change) : text
    }

    private static func text(_ place: [String], _ change: String) -> String {
      place.isEmpty ? change : "\(place.joined(separator: ".")) \(change)"
    }

    /// True if the photo's own setting `key`, of the form `step.setting` or `output.setting`, may
    /// have caused the change.
    func concerns(_ key: String) -> Bool {
      let key = key.split(separator: ".").map(String.init)
      return place.starts(with: key) || (output != nil && place.dropFirst().starts(with: key))
    }
  }

  /// Compares two records in sidecars, as `Recipe.record` writes them.
  init(from old: JSON, to new: JSON) { compare(old, new, at: []) }

  private mutating func compare(_ old: JSON?, _ new: JSON?, at place: [String]) {
    if old == new { return }
    switch (old?.value, new?.value) {
    case (.object(let old)?, .object(let new)?):
      let keys = old.keys + new.keys.filter { old[$0] == nil }
      for key in keys where key != "id" && key != "name" && key != "title" {
        compare(old[key], new[key], at: place + [key])
      }
    case (.array(let old)?, .array(let new)?) where Self.isNamed(old) && Self.isNamed(new):
      compareNamed(old, new, at: place)
    default: add(old, new, at: place)
    }
  }

  /// Compares lists of steps or outputs, pairing the elements by name, and notes a changed order.
  private mutating func compareNamed(_ old: [JSON], _ new: [JSON], at place: [String]) {
    let old = Self.named(old)
    let new = Self.named(new)
    let areOutputs = place == ["outputs"]
    defer { if areOutputs { output = nil } }
    // The path leaves out the name of the list: `exposure`, not `filters.exposure`.
    let place =
      place.last.map { ["filters", "outputs"].contains($0) } ?? false
      ? Array(place.dropLast()) : place
    for (name, element) in old {
      if areOutputs { output = name }
      if let other = new.first(where: { $0.name == name }) {
        compare(element, other.element, at: place + [name])
      } else {
        add(place + [name], "was removed")
      }
    }
    for (name, _) in new where !old.contains(where: { $0.name == name }) {
      if areOutputs { output = name }
      add(place + [name], "was added")
    }
    let common = new.map(\.name).filter { name in old.contains { $0.name == name } }
    if common != old.map(\.name).filter(common.contains) {
      if areOutputs { output = nil }
      add([], "the order changed")
    }
  }

  private mutating func add(_ place: [String], _ change: String) {
    changes.append(Change(place: place, output: output, change: change))
  }

  private mutating func add(_ old: JSON?, _ new: JSON?, at place: [String]) {
    switch (old.map(Self.words), new.map(Self.words)) {
    case (let old?, let new?): add(place, "was \(old), is now \(new)")
    case (let old?, nil): add(place, "was \(old), is now the default")
    case (nil, let new?): add(place, "was the default, is now \(new)")
    case (nil, nil): break
    }
  }

  private static func words(_ value: JSON) -> String {
    let text = value.compactText
    return text.count > 60 ? "\(text.prefix(57))…" : text
  }

  private static func isNamed(_ elements: [JSON]) -> Bool {
    elements.allSatisfy { name(of: $0) != nil }
  }

  /// Returns each element with its name; the second element with a name gets the suffix `-2`.
  private static func named(_ elements: [JSON]) -> [(name: String, element: JSON)] {
    var counts: [String: Int] = [:]
    return elements.map { element in
      let name = name(of: element) ?? ""
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      return (count == 1 ? name : "\(name)-\(count)", element)
    }
  }

  private static func name(of element: JSON) -> String? {
    (element["id"] ?? element["name"] ?? element["filter"])?.string
  }
}
