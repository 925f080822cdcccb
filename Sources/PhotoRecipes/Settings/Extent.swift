public import Notation

/// The radius of a blur or the size of a grain: in pixels, or as a part of the frame.
public enum Extent: SettingValue {
  case pixels(Double)
  /// A percentage of the frame's longer edge.
  case percent(Double)

  /// The range of percentages.
  static let percentages = 0.0...10
  static let pattern = #"^([0-9](\.[0-9]{1,4})?|10(\.0{1,4})?)%$"#

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Extent, Problem> {
    guard case .extent(let range) = kind else { return wrongType(json, kind) }
    if let number = json.number {
      return range.contains(number) ? .success(.pixels(number)) : outOfRange(json, kind)
    }
    guard let text = json.string else { return wrongType(json, kind) }
    guard let percent = percentage(text) else { return malformed(json, kind) }
    return percentages.contains(percent) ? .success(.percent(percent)) : outOfRange(json, kind)
  }

  /// The number before `%`, with at most four decimals; nil if the text is anything else.
  private static func percentage(_ text: String) -> Double? {
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard text.last == "%", areDigits, parts.count <= 2, parts[0] == "0" || parts[0].first != "0",
      parts.count == 1 || parts[1].count <= 4
    else { return nil }
    return Double(text.dropLast())
  }

  public var json: JSON? {
    switch self {
    case .pixels(let pixels): .number(pixels)
    case .percent(let percent): .string("\(percent.brief)%")
    }
  }

  /// The extent in pixels of a frame with this longer edge; a percentage is limited to `range`.
  func pixels(of edge: Int, in range: ClosedRange<Double>) -> Double {
    switch self {
    case .pixels(let pixels): pixels
    case .percent(let percent):
      min(range.upperBound, max(range.lowerBound, percent / 100 * Double(edge)))
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

extension Extent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pixels(let pixels): pixels.short
    case .percent(let percent): "\(percent.brief)%"
    }
  }
}
