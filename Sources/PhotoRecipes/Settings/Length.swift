public import Notation

/// A length in a recipe: pixels, a fraction of the frame, or centimetres on paper.
public enum Length: SettingValue {
  case pixels(Int)
  /// A fraction of the frame's matching edge, 0…1.
  case fraction(Double)
  case centimetres(Double)

  /// The maximum length in pixels.
  static let longest = 1_000_000
  /// The range of lengths in centimetres; a length below the range would be printed with an
  /// exponent.
  private static let onPaper = 0.001...100_000
  static let pattern = #"^[0-9]+(\.[0-9]+)?(%|px|cm|mm|in)$"#

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Length, Problem> {
    switch json.value {
    case .number(let text): number(text, json, kind)
    case .string(let text): Length(text).map(Result.success) ?? malformed(json, kind)
    case .null, .bool, .array, .object: wrongType(json, kind)
    }
  }

  /// Reads a number: an integer is pixels, and 0.0 to 1.0 with a decimal point is a fraction.
  private static func number(
    _ text: String, _ json: JSON, _ kind: SettingKind
  ) -> Result<Length, Problem> {
    if Int(text) == nil, let part = json.number, (0...1).contains(part) {
      return .success(.fraction(part))
    }
    guard let pixels = json.integer, (0...longest).contains(pixels) else {
      return outOfRange(json, kind)
    }
    return .success(.pixels(pixels))
  }

  public var json: JSON? {
    switch self {
    case .pixels(let pixels): .integer(pixels)
    case .fraction(let part): Self.percent(part)
    case .centimetres(let length): .string("\(length.brief)cm")
    }
  }

  /// The fraction as a percentage such as `"50%"`, or as a number if reading this percentage would
  /// give a different fraction.
  private static func percent(_ part: Double) -> JSON {
    let exact = part * 100
    let texts = [(exact * 1e9).rounded() / 1e9, exact].map { "\($0.brief)%" }
    return texts.first { Length($0) == .fraction(part) }.map { .string($0) } ?? .number(part)
  }

  /// The length in pixels, rounded.
  ///
  /// A fraction refers to the frame's `edge`, in pixels; a length on paper has `dpi` pixels per
  /// inch.
  public func pixels(of edge: Int, dpi: Double) -> Int {
    switch self {
    case .pixels(let pixels): pixels
    case .fraction(let part): Int((part * Double(edge)).rounded())
    case .centimetres(let length): Int((length / 2.54 * dpi).rounded())
    }
  }
}

extension Length: CustomStringConvertible {
  public var description: String { json?.string ?? json?.compactText ?? "" }
}

extension Length {
  /// Parses `50%`, `120px`, `3cm`, `30mm` or `2in`; nil if the text is invalid.
  init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(digits), digits.first != ".", digits.last != "." else { return nil }
    switch text.dropFirst(digits.count) {
    case "%" where value <= 100: self = .fraction(value / 100)
    case "px" where value <= Double(Self.longest): self = .pixels(Int(value.rounded()))
    case "cm": self.init(onPaper: value)
    case "mm": self.init(onPaper: value / 10)
    case "in": self.init(onPaper: value * 2.54)
    default: return nil
    }
  }

  private init?(onPaper length: Double) {
    guard length == 0 || Self.onPaper.contains(length) else { return nil }
    self = .centimetres(length)
  }
}
