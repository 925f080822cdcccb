import Notation

/// One change that a user makes, as the page sends it.
struct Edit: Sendable {
  enum Operation: Sendable {
    /// Sets a setting, given as `step.setting`, or a parameter, given by its name; nil removes the
    /// setting, so that an earlier value applies.
    ///
    /// For a photo, a JSON null replaces the recipe's value by the filter's default. `output` is
    /// the output of the step; nil if the step is shared, or if its id is unique.
    case set(key: String, output: String?, JSON?)
    case add(step: JSON, place: Int)
    case remove(StepName)
    /// Moves a step before another step of its list, or to the end if `next` is nil.
    case move(StepName, before: String?)
  }

  var operations: [Operation]
  /// The photos whose own settings change, as ranges of numbers; nil if the recipe changes.
  var photos: [ClosedRange<Int>]?
  /// The name of the change for undo, such as `Stops`.
  var label: String

  /// Decodes a change; nil if it is malformed.
  init?(_ json: JSON) {
    label = String((json["label"]?.string ?? "Change").prefix(80))
    photos = nil
    if let list = json["photos"]?.array {
      let ranges = list.compactMap(PhotoID.range)
      guard ranges.count == list.count, !ranges.isEmpty else { return nil }
      photos = ranges
    }
    guard let list = json["operations"]?.array, !list.isEmpty, list.count <= 1000 else {
      return nil
    }
    operations = []
    for entry in list {
      guard let operation = Operation(entry) else { return nil }
      operations.append(operation)
    }
  }
}

extension Edit {
  /// The change with the values that the page means.
  func meant(_ edges: WholeEdges) -> Edit {
    var edit = self
    edit.operations = operations.map { operation in
      guard case .set(let key, let output, let value?) = operation else { return operation }
      return .set(key: key, output: output, edges.meant(value, for: key))
    }
    return edit
  }
}

extension Edit.Operation {
  fileprivate init?(_ json: JSON) {
    let output = json["output"]?.string
    if let key = json["set"]?.string ?? json["unset"]?.string {
      guard !key.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
        return nil
      }
      guard json["set"] == nil || json["value"] != nil else { return nil }
      self = .set(key: key, output: output, json["set"] == nil ? nil : json["value"])
    } else if let step = json["add"], step["filter"]?.string != nil {
      self = .add(step: step, place: json["place"]?.integer ?? .max)
    } else if let id = json["remove"]?.string {
      self = .remove(StepName(id, output: output))
    } else if let id = json["move"]?.string, let next = json["before"] {
      guard next == .null || next.string != nil else { return nil }
      self = .move(StepName(id, output: output), before: next.string)
    } else {
      return nil
    }
  }
}

/// The identifiers of photos in the URLs of the page.
enum PhotoID {
  static func text(_ number: Int) -> String { "p\(number)" }

  static func number(_ text: String) -> Int? {
    guard text.first == "p", text.utf8.count <= 12,
      text.dropFirst().utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text.dropFirst())
  }

  /// One photo, such as `"p5"`, or all photos from one to another, such as `["p5", "p9"]`; nil if
  /// the text is malformed.
  static func range(_ json: JSON) -> ClosedRange<Int>? {
    let ends = json.array ?? [json, json]
    let numbers = ends.compactMap { $0.string.flatMap(number) }
    guard ends.count == 2, numbers.count == 2, numbers[0] <= numbers[1] else { return nil }
    return numbers[0]...numbers[1]
  }
}
