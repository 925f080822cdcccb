public import Notation

/// A display-encoded sRGB colour with alpha, components 0…255.
public struct Colour: SettingValue {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  public var alpha: UInt8 = 255

  public static let white = Colour(red: 255, green: 255, blue: 255)
  public static let black = Colour(red: 0, green: 0, blue: 0)
  public static let clear = Colour(red: 255, green: 255, blue: 255, alpha: 0)
  static let pattern = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Colour, Problem> {
    guard let text = json.string else { return wrongType(json, kind) }
    guard let colour = Colour(text) else { return malformed(json, kind) }
    return .success(colour)
  }

  public var json: JSON? {
    let components = [red, green, blue] + (alpha == 255 ? [] : [alpha])
    return .string("#" + components.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }
}

extension Colour {
  /// Parses `#rgb`, `#rrggbb` or `#rrggbbaa`; nil if the text is invalid.
  public init?(_ text: String) {
    guard text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
    var digits = Array(text.dropFirst())
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    guard digits.count == 6 || digits.count == 8 else { return nil }
    let components = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    guard components.count == digits.count / 2 else { return nil }
    self.init(
      red: components[0], green: components[1], blue: components[2],
      alpha: components.count == 4 ? components[3] : 255)
  }
}
