public import Notation

/// A program and its arguments, word by word; they are not interpreted by a shell.
public struct Arguments: SettingValue {
  static let counts = 1...256

  public var words: [String]

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Arguments, Problem> {
    guard let elements = json.array else { return wrongType(json, kind) }
    guard counts.contains(elements.count) else {
      return .failure(
        .wrongCount(elements.count, of: "word", expected: kind.expectation))
    }
    var words: [String] = []
    for element in elements {
      guard let word = element.string else { return wrongType(element, kind) }
      if word.utf8.contains(0) { return malformed(element, kind) }
      words.append(word)
    }
    if words[0].isEmpty { return malformed(elements[0], kind) }
    return .success(Arguments(words: words))
  }

  public var json: JSON? { words.isEmpty ? nil : .array(words.map(JSON.string)) }
}
