import Notation

/// The parameters that a recipe declares, with their values.
struct Parameters {
  fileprivate struct Parameter {
    /// The declared default.
    let standard: JSON
    var value: JSON
    var range: ClosedRange<Double>?
    var choices: [JSON]?
  }

  private var parameters: [(name: String, parameter: Parameter)] = []
  /// The names of parameters with an error in their declaration; errors where these parameters are
  /// used are not reported.
  private(set) var invalid: Set<String> = []

  static let keys = ["default", "min", "max", "choices", "summary"]

  init(_ field: Field?, _ diagnostics: inout Diagnostics) {
    let expected = "parameters such as {\"edge\": {\"default\": 1600}}"
    guard let field, diagnostics.expectObject(field, expected) else { return }
    for (name, location, declaration) in field.members {
      if !Identifier.isPlain(name) {
        let problem = Problem.malformed(found: "\"\(name)\"", expected: Identifier.expectation)
        diagnostics.add(problem, at: declaration.path, location)
      }
      let before = diagnostics
      if let parameter = Self.parameter(declaration, &diagnostics) {
        parameters.append((name, parameter))
      }
      if diagnostics != before { invalid.insert(name) }
    }
  }

  private static func parameter(
    _ field: Field, _ diagnostics: inout Diagnostics
  ) -> Parameter? {
    guard diagnostics.expectObject(field, "a parameter such as {\"default\": 1600}") else {
      return nil
    }
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
    let choices = reader.elements("choices", expected: "an array of values").map(\.json)
    if field["choices"]?.json.array?.isEmpty == true {
      reader.report(
        .contradiction("'choices' is empty", remedy: "remove 'choices'"), "choices")
    }
    let parameter = Parameter(
      standard: value.json, value: value.json, range: range,
      choices: choices.isEmpty ? nil : choices)
    if let problem = parameter.problem(with: value.json) {
      reader.diagnostics.add(problem, at: value)
    }
    return parameter
  }

  var names: [String] { parameters.map(\.name) }

  /// Sets a parameter from the command line, or from a photo's own settings; null gives it its
  /// default.
  ///
  /// - Returns: False if there is no parameter with that name.
  mutating func assign(_ assignment: Assignment, _ diagnostics: inout Diagnostics) -> Bool {
    guard let index = parameters.firstIndex(where: { $0.name == assignment.key }) else {
      return false
    }
    if assignment.value == .null {
      parameters[index].parameter.value = parameters[index].parameter.standard
      return true
    }
    if let problem = parameters[index].parameter.problem(with: assignment.value) {
      let path = JSONPath.root.key("parameters").key(assignment.key)
      diagnostics.add(problem, at: path, assignment.location)
      invalid.insert(assignment.key)
    }
    parameters[index].parameter.value = assignment.value
    return true
  }

  /// The value of a parameter; nil if there is no such parameter.
  subscript(name: String) -> JSON? { parameters.first { $0.name == name }?.parameter.value }

  /// True if the declared default of a parameter is a text.
  func isText(_ name: String) -> Bool {
    parameters.first { $0.name == name }?.parameter.standard.string != nil
  }
}

extension Parameters.Parameter {
  fileprivate func problem(with value: JSON) -> Problem? {
    if let choices, !choices.contains(value) {
      return .unknownChoice(
        value.string ?? value.compactText, choices: choices.map { $0.string ?? $0.compactText })
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
