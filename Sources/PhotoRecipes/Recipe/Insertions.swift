import Notation

/// Inserts the values of parameters into a recipe, and records the positions of the insertions.
struct Insertions {
  private let shared: Parameters
  /// The parameters in steps and outputs, with a photo's own values.
  private let own: Parameters
  /// The parameters at the present position.
  private var parameters: Parameters
  private var places: [(field: Field, name: String, value: JSON)] = []
  /// The paths of the values into which a parameter could not be inserted.
  private var failed: [JSONPath] = []
  private(set) var diagnostics = Diagnostics()

  init(_ shared: Parameters, inStepsAndOutputs own: Parameters) {
    (self.shared, self.own, parameters) = (shared, own, shared)
  }

  /// The tree with each `"${name}"` replaced: by the parameter's value if it is the whole string,
  /// or by its text within a longer string.
  mutating func insert(into field: Field) -> JSON {
    switch field.json.value {
    case .array:
      var elements: [JSON] = []
      for element in field.elements { elements.append(insert(into: element)) }
      return JSON(.array(elements), at: field.json.location)
    case .object:
      var copy = JSON.Object()
      for (key, location, child) in field.members {
        if field.path.isRoot { parameters = ["filters", "outputs"].contains(key) ? own : shared }
        let isDeclaration = field.path.isRoot && key == "parameters"
        let value = isDeclaration ? child.json : insert(into: child)
        copy.append(JSON.Object.Member(key, value, at: location))
      }
      return JSON(.object(copy), at: field.json.location)
    case .string(let text) where text.contains("${"): return insert(into: text, field)
    case .null, .bool, .number, .string: return field.json
    }
  }

  private mutating func insert(into text: String, _ field: Field) -> JSON {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      let position = text.unicodeScalars.distance(from: text.startIndex, to: start.lowerBound) + 1
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        let problem = Problem.malformed(
          found: field.json.summary, expected: "'${' only as the start of a parameter '${name}'")
        diagnostics.add(problem, at: field, character: position)
        failed.append(field.path)
        return field.json
      }
      let name = String(rest[start.upperBound..<end])
      guard let value = parameters[name], !parameters.invalid.contains(name) else {
        if !parameters.invalid.contains(name) {
          let problem = Problem.unknownParameter(name, known: parameters.names)
          diagnostics.add(problem, at: field, character: position)
        }
        failed.append(field.path)
        return field.json
      }
      places.append((field, name, value))
      if "${\(name)}" == text { return value }
      result += rest[..<start.lowerBound] + (value.string ?? value.compactText)
      rest = rest[rest.index(after: end)...]
    }
    return JSON(.string(result + rest), at: field.json.location)
  }

  /// Moves a diagnostic of an inserted value to the position of the insertion, and adds the value's
  /// origin as a note.
  ///
  /// Returns nil for a diagnostic that only results from a failed insertion, because the failure
  /// itself has been reported.
  func explain(_ diagnostic: Diagnostic) -> Diagnostic? {
    if failed.contains(where: { diagnostic.path.isWithin($0) }) { return nil }
    let involved = places.filter { diagnostic.path.isWithin($0.field.path) }
    guard let first = involved.first else { return diagnostic }
    var diagnostic = diagnostic
    diagnostic.location = first.field.json.location
    let origins = involved.map { _, name, value in
      let place = value.location.map { ", which was set at \($0.description)" } ?? ""
      var origin = "'${\(name)}' is \(value.summary)\(place)"
      if case .wrongType(_, SettingKind.text.expectation) = diagnostic.problem, own.isText(name) {
        origin += "; for a text write --set \(name)='\"\(value.compactText)\"'"
      }
      return origin
    }
    diagnostic.note = origins.joined(separator: "; ")
    return diagnostic
  }
}
