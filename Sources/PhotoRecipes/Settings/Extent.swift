public import Notation

/// The radius of a blur or the size of a grain: in pixels, or as a part of the frame.
public enum Extent: SettingValue {
  case pixels(Double)
  /// A percentage of the frame's longer edge.
  case percent(Double)

  /// The range of percentages.
  static let percentages = 0.0...10
  static let pattern = #"^([0-9](\.[0-9]+)?|10(\.0+)?)%$"#

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Extent, Problem> {
    guard case .extent(let range) = kind else { return wrongType(json, kind) }
    if let number = json.number {
      return range.contains(number) ? .success(.pixels(number)) : outOfRange(json, kind)
    }
    guard let text = json.string else { return wrongType(json, kind) }
    let digits = text.dropLast()
    guard text.last == "%", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      digits.first != ".", digits.last != ".", let percent = Double(digits)
    else { return malformed(json, kind) }
    return percentages.contains(percent) ? .success(.percent(percent)) : outOfRange(json, kind)
  }

  public var json: JSON? {
    switch self {
    case .pixels(let pixels): .number(pixels)
    case .percent(let percent): .string("\(percent.brief)%")
    }
  }

  /// True if the extent is less than `pixels` if given in pixels, or 0 if given in percent.
  func isBelow(_ pixels: Double) -> Bool {
    switch self {
    case .pixels(let own): own < pixels
    case .percent(let percent): percent == 0
    }
  }
}
