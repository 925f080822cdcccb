/// Width to height, as `3:2`; both 1…10,000.
public struct Ratio: SettingValue {
  public var width: Int
  public var height: Int

  static let pattern = "^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$"

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Ratio, Problem> {
    guard let text = json.string else { return wrongType(json, kind) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...10_000).contains(width), (1...10_000).contains(height)
    else { return malformed(json, kind) }
    return .success(Ratio(width: width, height: height))
  }

  public var json: JSON? { .string("\(width):\(height)") }
}
