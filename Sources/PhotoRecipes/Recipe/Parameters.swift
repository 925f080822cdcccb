/// The parameters that a recipe declares, with their values.
struct Parameters {
  fileprivate struct Parameter {
    var value: JSON
    var range: ClosedRange<Double>?
    var choices: [JSON]?
  }

  private var parameters: [(name: String, parameter: Parameter)] = []

  static let keys = ["default", "min", "max", "choices", "summary"]

  init(_ field: Field?, _ diagnostics: inout Diagnostics) {
    guard let field else { return }
    if field.json.object == nil {
      diagnostics.add(.wrongType(found: field.json.summary, expected: "an object"), at: field)
    }
    for (name, location, declaration) in field.members {
      if !Identifier.isPlain(name) {
        let problem = Problem.malformed(found: "\"\(name)\"", expected: Identifier.expectation)
        diagnostics.add(problem, at: declaration.path, location)
      }
      if let parameter = Self.parameter(declaration, &diagnostics) {
        parameters.append((name, parameter))
      }
    }
  }

  private static func parameter(
    _ field: Field, _ diagnostics: inout Diagnostics
  ) -> Parameter? {
    var reader = ObjectReader(field, "parameter", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: keys)
    _ = reader.read("summary", as: .text, String.self)
    guard let value = field["default"] else {
      reader.diagnostics.add(.missingKey("default", in: "the parameter"), at: field)
      return nil
    }
    let anything = SettingKind.number(.factor, -1e15...1e15)
    let low: Double? = reader.read("min", as: anything)
    let high: Double? = reader.read("max", as: anything)
    if let low, let high, low > high {
      reader.report(.contradiction("'min' is above 'max'", remedy: "swap them"), "min")
      return nil
    }
    let range = low == nil && high == nil ? nil : (low ?? -.infinity)...(high ?? .infinity)
    let parameter = Parameter(
      value: value.json, range: range, choices: field["choices"]?.json.array)
    if let problem = parameter.problem(with: value.json) {
      reader.diagnostics.add(problem, at: value)
    }
    return parameter
  }

  var names: [String] { parameters.map(\.name) }

  /// Sets a parameter from the command line.
  ///
  /// - Returns: False when there is none of that name.
  mutating func assign(_ assignment: Assignment, _ diagnostics: inout Diagnostics) -> Bool {
    guard let index = parameters.firstIndex(where: { $0.name == assignment.key }) else {
      return false
    }
    if let problem = parameters[index].parameter.problem(with: assignment.value) {
      diagnostics.add(problem, at: JSONPath.root.key("parameters"), assignment.location)
    }
    parameters[index].parameter.value = assignment.value
    return true
  }

  /// The tree with each `"${name}"` replaced: by the parameter itself where it is the whole string,
  /// by its text inside a longer one.
  func insert(into field: Field, _ diagnostics: inout Diagnostics) -> JSON {
    switch field.json.value {
    case .array:
      let elements = field.elements.map { insert(into: $0, &diagnostics) }
      return JSON(.array(elements), at: field.json.location)
    case .object(let object):
      var copy = JSON.Object()
      for (member, child) in zip(object.members, field.members) {
        let isDeclaration = field.path.isRoot && member.key == "parameters"
        let value = isDeclaration ? member.value : insert(into: child.field, &diagnostics)
        copy.append(JSON.Object.Member(member.key, value, at: member.keyLocation))
      }
      return JSON(.object(copy), at: field.json.location)
    case .string(let text) where text.contains("${"): return insert(into: text, field, &diagnostics)
    case .null, .bool, .number, .string: return field.json
    }
  }

  private func insert(
    into text: String, _ field: Field, _ diagnostics: inout Diagnostics
  ) -> JSON {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        let expected = "'${name}', or no '${' at all"
        diagnostics.add(.malformed(found: "\"\(text)\"", expected: expected), at: field)
        return field.json
      }
      let name = String(rest[start.upperBound..<end])
      guard let value = parameters.first(where: { $0.name == name })?.parameter.value else {
        diagnostics.add(.unknownParameter(name, known: names), at: field)
        return field.json
      }
      if "${\(name)}" == text { return value }
      result += rest[..<start.lowerBound] + (value.string ?? value.compactText)
      rest = rest[rest.index(after: end)...]
    }
    return JSON(.string(result + rest), at: field.json.location)
  }
}

extension Parameters.Parameter {
  fileprivate func problem(with value: JSON) -> Problem? {
    if let choices, !choices.contains(value) {
      let expected = "one of \(choices.map { $0.string ?? $0.compactText }.joined(separator: ", "))"
      return .outOfRange(found: value.summary, expected: expected)
    }
    guard let range else { return nil }
    guard let number = value.number else {
      return .wrongType(found: value.summary, expected: "a number")
    }
    if range.contains(number) { return nil }
    let bounds = [
      range.lowerBound.isFinite ? "at least \(range.lowerBound.brief)" : nil,
      range.upperBound.isFinite ? "at most \(range.upperBound.brief)" : nil,
    ]
    return .outOfRange(
      found: value.summary, expected: bounds.compactMap { $0 }.joined(separator: ", "))
  }
}
