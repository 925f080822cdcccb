/// A length as a recipe gives it: pixels, a part of the frame, or centimetres on paper.
public enum Length: SettingValue {
  case pixels(Int)
  /// A part of the frame's matching edge, 0…1.
  case fraction(Double)
  case centimetres(Double)

  static let pattern = #"^[0-9]+(\.[0-9]+)?(%|px|cm|mm|in)$"#

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Length, Problem> {
    switch json.value {
    case .number(let text): number(text, json, kind)
    case .string(let text): Length(text).map(Result.success) ?? malformed(json, kind)
    case .null, .bool, .array, .object: wrongType(json, kind)
    }
  }

  /// A whole number is pixels; one with a point is a part, 0…1.
  private static func number(
    _ text: String, _ json: JSON, _ kind: SettingKind
  ) -> Result<Length, Problem> {
    if let pixels = Int(text) {
      return (0...1_000_000).contains(pixels) ? .success(.pixels(pixels)) : outOfRange(json, kind)
    }
    guard let part = Double(text), (0...1).contains(part) else { return outOfRange(json, kind) }
    return .success(.fraction(part))
  }

  public var json: JSON? {
    switch self {
    case .pixels(let pixels): .integer(pixels)
    case .fraction(let part): .string("\((part * 100).brief)%")
    case .centimetres(let length): .string("\(length.brief)cm")
    }
  }

  /// The length in pixels, rounded.
  ///
  /// - Parameters:
  ///   - edge: The frame's edge that a part refers to, in pixels.
  ///   - dpi: Pixels an inch, for lengths on paper.
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
  /// `50%`, `120px`, `3cm`, `30mm` or `2in`.
  init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(digits), value.isFinite, digits.first != "." else { return nil }
    switch text.dropFirst(digits.count) {
    case "%" where value <= 100: self = .fraction(value / 100)
    case "px": self = .pixels(Int(min(value, 1_000_000).rounded()))
    case "cm": self = .centimetres(value)
    case "mm": self = .centimetres(value / 10)
    case "in": self = .centimetres(value * 2.54)
    default: return nil
    }
  }
}
