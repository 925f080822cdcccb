import Notation

/// One change that a user makes, as the page sends it.
struct Edit: Sendable {
  enum Operation: Sendable {
    /// Sets a setting, given as `step.setting`; nil removes the setting, so that an earlier value
    /// applies.
    ///
    /// For a photo, a JSON null replaces the recipe's value by the filter's default.
    case set(key: String, JSON?)
    case add(step: JSON, place: Int)
    case remove(step: String)
    case move(step: String, place: Int)
  }

  var operations: [Operation]
  /// The photos whose own settings change; nil if the recipe changes.
  var photos: [Int]?
  /// The name of the change for undo, such as `Stops`.
  var label: String

  /// Decodes a change; nil if it is malformed.
  init?(_ json: JSON) {
    label = String((json["label"]?.string ?? "Change").prefix(80))
    photos = nil
    if let list = json["photos"]?.array {
      let numbers = list.compactMap { $0.string.flatMap(PhotoID.number) }
      guard numbers.count == list.count, !numbers.isEmpty else { return nil }
      photos = numbers
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

extension Edit.Operation {
  fileprivate init?(_ json: JSON) {
    if let key = json["set"]?.string ?? json["unset"]?.string {
      guard key.split(separator: ".", omittingEmptySubsequences: false).count >= 2,
        !key.split(separator: ".", omittingEmptySubsequences: false).contains("")
      else { return nil }
      guard json["set"] == nil || json["value"] != nil else { return nil }
      self = .set(key: key, json["set"] == nil ? nil : json["value"])
    } else if let step = json["add"], step["filter"]?.string != nil {
      self = .add(step: step, place: json["place"]?.integer ?? .max)
    } else if let id = json["remove"]?.string {
      self = .remove(step: id)
    } else if let id = json["move"]?.string, let place = json["place"]?.integer {
      self = .move(step: id, place: place)
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
}
