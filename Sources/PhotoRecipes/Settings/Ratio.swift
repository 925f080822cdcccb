public import Notation

/// A ratio of width to height, as `3:2`; both are 1…9999.
public struct Ratio: SettingValue {
  public var width: Int
  public var height: Int

  static let pattern = "^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$"

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Ratio, Problem> {
    guard let text = json.string else { return wrongType(json, kind) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard parts.count == 2, let width = parts[0], let height = parts[1] else {
      return malformed(json, kind)
    }
    return .success(Ratio(width: width, height: height))
  }

  private static func number(_ digits: Substring) -> Int? {
    let isPlain = digits.first != "0" && digits.allSatisfy { ("0"..."9").contains($0) }
    return isPlain && digits.count <= 4 ? Int(digits) : nil
  }

  public var json: JSON? { .string("\(width):\(height)") }
}
