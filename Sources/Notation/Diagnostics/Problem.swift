/// A defect of a document that a user wrote.
public enum Problem: Error, Hashable {
  case syntax(JSONSyntax)
  case duplicateKey(String)
  case unknownKey(String, in: String, known: [String])
  case missingKey(String, in: String)
  case unknownName(String, kind: String, known: [String])
  case unknownChoice(String, choices: [String])
  case wrongType(found: String, expected: String)
  case outOfRange(found: String, expected: String)
  /// Too many or too few objects of a kind, such as "mask".
  case wrongCount(Int, of: String, expected: String)
  case malformed(found: String, expected: String)
  /// Two objects that must differ are the same.
  case duplicate(String, kind: String)
  case unknownParameter(String, known: [String])
  /// A key without a point that is no parameter; `owners` are the steps and outputs, whose settings
  /// have keys of the form `step.setting`.
  case unknownSetting(String, parameters: [String], owners: [String])
  /// Values that are each valid alone but not together.
  case contradiction(String, remedy: String)
  case cycle([String])
  case missingFile(String)
  case unreadableFile(String, reason: String)

  public var message: String {
    switch self {
    case .syntax(let syntax): syntax.message
    case .duplicateKey(let key): "the key '\(key)' occurs twice in one object"
    case .unknownKey(let key, let place, _): "\(place) has no key '\(key)'"
    case .missingKey(let key, let place): "\(place) lacks the key '\(key)'"
    case .unknownName(let name, let kind, _): "there is no \(kind) '\(name)'"
    case .unknownChoice(let name, let choices):
      "found \"\(name)\", expected one of \(choices.joined(separator: ", "))"
    case .wrongType(let found, let expected): "found \(found), expected \(expected)"
    case .outOfRange(let found, let expected): "\(found) is out of range: expected \(expected)"
    case .wrongCount(let count, let noun, let expected):
      "found \(count.counting(noun)), expected \(expected)"
    case .malformed(let found, let expected): "\(found) cannot be read: expected \(expected)"
    case .duplicate(let name, let kind): "the \(kind) '\(name)' is used twice"
    case .unknownParameter(let name, _), .unknownSetting(let name, _, _):
      "there is no parameter '\(name)'"
    case .contradiction(let what, _): what
    case .cycle(let names):
      "recipes extend one another in a circle: \(names.joined(separator: " → "))"
    case .missingFile(let path): "the file '\(path)' does not exist"
    case .unreadableFile(let path, let reason): "the file '\(path)' cannot be read: \(reason)"
    }
  }

  public var hint: String? {
    switch self {
    case .syntax(let syntax): syntax.hint
    case .duplicateKey: "remove one of the two"
    case .unknownKey(let name, _, let known), .unknownName(let name, _, let known):
      Self.suggestion(for: name, among: known)
    case .unknownParameter(let name, let known):
      known.isEmpty
        ? "declare it under 'parameters'" : Self.suggestion(for: name, among: known)
    case .unknownSetting(let name, let parameters, let owners):
      Self.suggestion(for: name, parameters: parameters, owners: owners)
    case .unknownChoice(let name, let choices):
      Spelling.nearest(to: name, among: choices).map { "did you mean '\($0)'?" }
    case .missingKey(let key, _): "add \"\(key)\""
    case .wrongType, .outOfRange, .wrongCount, .malformed: nil
    case .duplicate(_, let kind): "give each \(kind) a different name"
    case .contradiction(_, let remedy): remedy
    case .cycle: "remove 'extends' from one of them"
    case .missingFile:
      "give the path relative to the folder of the recipe that contains it; in --set, to the current"
        + " folder"
    case .unreadableFile: "check its permissions"
    }
  }

  /// Suggests the nearest known name, or lists all; nil if none is known.
  private static func suggestion(for name: String, among known: [String]) -> String? {
    if known.isEmpty { return nil }
    if let nearest = Spelling.nearest(to: name, among: known) {
      return "did you mean '\(nearest)'?"
    }
    return "use one of: \(list(known))"
  }

  private static func suggestion(
    for name: String, parameters: [String], owners: [String]
  ) -> String {
    if let nearest = Spelling.nearest(to: name, among: parameters) {
      return "did you mean '\(nearest)'?"
    }
    if owners.contains(name) { return "name a setting too, as in \(name).SETTING=VALUE" }
    let first = parameters.isEmpty ? "use" : "use a parameter: \(list(parameters)); or use"
    return "\(first) NAME.SETTING, with the name of a step or output: \(list(owners))"
  }

  private static func list(_ names: [String]) -> String {
    Set(names).sorted().joined(separator: ", ")
  }
}
