import Notation
import PhotoRecipes

/// The values of a recipe that JavaScript would change: `1.0`, a whole edge, and `1`, one pixel, are
/// the same number there.
///
/// The page gets and sends `"100%"` for a whole edge.
struct WholeEdges {
  /// The keys of lengths: of settings, such as `crop.width`, and the names of parameters that a length
  /// consists of.
  private var lengths: Set<String> = []
  /// The declarations of parameters by their names.
  private let parameters: JSON?

  /// The settings that are lengths, by the names of their filters.
  private static let settings: [String: [String]] = Dictionary(
    uniqueKeysWithValues: Catalog.filters.map { filter in
      let description = FilterDescription(filter)
      return (description.name, description.settings.filter { $0.kind == .length }.map(\.name))
    })
  private static let percent = JSON.string("100%")

  init(_ document: RecipeDocument) {
    parameters = document.tree["parameters"]
    let owners = [document.tree] + (document.tree["outputs"]?.array ?? [])
    for step in owners.flatMap({ $0["filters"]?.array ?? [] }) {
      for setting in Self.settings[step["filter"]?.string ?? ""] ?? [] {
        if let id = step.stepID { lengths.insert("\(id).\(setting)") }
        if let text = step[setting]?.string, text.hasPrefix("${"), text.hasSuffix("}") {
          lengths.insert(String(text.dropFirst(2).dropLast()))
        }
      }
    }
  }

  /// Steps as the page gets them.
  static func stated(_ steps: JSON) -> JSON {
    .array(
      (steps.array ?? []).map { step in
        var object = step.object ?? JSON.Object()
        for setting in settings[step["filter"]?.string ?? ""] ?? [] {
          object[setting] = object[setting].map(stated(length:))
        }
        return .object(object)
      })
  }

  /// Own settings of a photo as the page gets them.
  func stated(_ own: JSON.Object) -> JSON.Object {
    JSON.Object(
      own.members.map { member in
        lengths.contains(member.key)
          ? JSON.Object.Member(member.key, Self.stated(length: member.value)) : member
      })
  }

  /// The value of the parameter `name`, or a list of values, as the page gets it.
  func stated(_ value: JSON, of name: String) -> JSON {
    guard lengths.contains(name) else { return value }
    return value.array.map { .array($0.map(Self.stated(length:))) } ?? Self.stated(length: value)
  }

  private static func stated(length: JSON) -> JSON {
    guard case .number(let text) = length.value, length.number == 1, Int(text) == nil else {
      return length
    }
    return percent
  }

  /// The value that the page means for a setting or a parameter.
  ///
  /// A number stays a number, because the range of a parameter refuses other values; one of the
  /// choices of a parameter keeps its spelling.
  func meant(_ value: JSON, for key: String) -> JSON {
    guard let parameter = parameters?[key] else { return value }
    let isWhole = value == Self.percent && lengths.contains(key)
    if let choices = parameter["choices"]?.array,
      let number = isWhole ? 1 : value.number,
      let choice = choices.first(where: { $0.number == number })
    {
      return choice
    }
    return isWhole && parameter["default"]?.number != nil ? JSON(.number("1.0")) : value
  }
}
