public import Notation

/// A moment of a film, whose frame is rendered as a photo.
public enum FilmMoment: SettingValue, Hashable {
  /// The time in seconds from the start of the film.
  case seconds(Double)
  /// The time as a fraction of the film's duration, 0…1.
  case fraction(Double)

  static let key = "frame"
  static let expectation = #"a time such as "3.5s", or a part of the film such as "25%""#
  /// The longest time, in seconds: more than a hundred days.
  private static let longest = 1e7

  static var schema: JSON {
    .object([
      "type": .string("string"),
      "pattern": .string(#"^([0-9]{1,7}(\.[0-9]+)?s|([0-9]{1,2}(\.[0-9]+)?|100(\.0+)?)%)$"#),
    ])
  }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem> {
    guard let text = json.string else {
      return .failure(.wrongType(found: json.summary, expected: expectation))
    }
    let digits = text.dropLast()
    let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    if isPlain, digits.first != ".", digits.last != ".", let number = Double(digits) {
      if text.last == "s" && number <= longest { return .success(.seconds(number)) }
      if text.last == "%" && number <= 100 { return .success(.fraction(number / 100)) }
    }
    return .failure(.malformed(found: "\"\(text)\"", expected: expectation))
  }

  public var json: JSON? {
    switch self {
    case .seconds(let seconds): .string("\(seconds.short)s")
    case .fraction(let fraction): .string("\((100 * fraction).short)%")
    }
  }
}
