import Notation
import PhotoRecipes

/// A value that differs between the recipe's file and the edit.
struct RecipeDifference: Hashable {
  /// The value's name: `step.setting`, the path of another value, or that of a list of steps or
  /// outputs, whose names are then compared.
  let name: String
  /// The values as JSON text; nil if a version does not have it.
  let onDisk: String?
  let mine: String?

  /// The differences between two texts of a recipe; none if one of them is not JSON.
  static func all(onDisk: [UInt8], mine: [UInt8]) -> [RecipeDifference] {
    guard let (theirs, their) = values(onDisk), let (names, own) = values(mine) else { return [] }
    return (names + theirs.filter { own[$0] == nil })
      .filter { !isSame(their[$0], own[$0]) }
      .map {
        RecipeDifference(name: $0, onDisk: their[$0]?.spacedText, mine: own[$0]?.spacedText)
      }
  }

  private static func isSame(_ one: JSON?, _ other: JSON?) -> Bool {
    // As lengths, `1.0` and `1` differ; other spellings of a number do not matter.
    if let number = one?.number, number == other?.number, number != 1 { return true }
    return one == other
  }

  private static func values(_ text: [UInt8]) -> (names: [String], values: [String: JSON])? {
    let parsed = JSONParser.parse(SourceText(name: "recipe", bytes: text))
    guard let json = parsed.json else { return nil }
    let found = values(json, "")
    return (found.map(\.name), Dictionary(found.map { ($0.name, $0.value) }) { first, _ in first })
  }

  private static func values(_ json: JSON, _ path: String) -> [(name: String, value: JSON)] {
    func inner(_ name: String, _ value: JSON) -> [(name: String, value: JSON)] {
      values(value, path.isEmpty || path == "filters" ? name : "\(path).\(name)")
    }
    switch json.value {
    case .object(let object) where !object.members.isEmpty:
      return object.members.flatMap { inner($0.key, $0.value) }
    case .array(let entries):
      let named = entries.compactMap { entry in
        (entry.stepID ?? entry["name"]?.string).map { ($0, entry) }
      }
      if entries.isEmpty || named.count < entries.count { return [(path, json)] }
      return [(path, .array(named.map { .string($0.0) }))] + named.flatMap(inner)
    default: return [(path, json)]
    }
  }
}
