import Notation

/// A number of bytes as readable text: `1.2 MB`, in powers of 1000.
public struct ByteCount: CustomStringConvertible, Sendable {
  private let bytes: Int

  public init(_ bytes: Int) { self.bytes = bytes }

  public var description: String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1000 && unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\(value.fixed(1)) \(units[unit])"
  }

  /// The change from `whole` to `bytes` as text, such as `62 % smaller` or `5 % larger`; nil if
  /// `whole` is 0.
  package static func change(from whole: Int, to bytes: Int) -> String? {
    guard whole > 0 else { return nil }
    let share = Int(100 * (Double(bytes) / Double(whole) - 1))
    return share <= 0 ? "\(-share) % smaller" : "\(share) % larger"
  }
}

extension RunSummary {
  /// The counts as a sentence: `3 rendered (6 renditions, 1.2 MB), 10 up-to-date`.
  public var sentence: String {
    let word = renditions == 1 ? "rendition" : "renditions"
    var parts = Reason.allCases.compactMap { reason -> String? in
      guard let count = counts[reason] else { return nil }
      let made = reason == .rendered && renditions > 0
      return "\(count) \(reason.rawValue)"
        + (made ? " (\(renditions) \(word), \(ByteCount(bytes)))" : "")
    }
    if due > 0 { parts.append("\(due) due") }
    return parts.isEmpty ? NoPhotos.text(absence) : parts.joined(separator: ", ")
  }
}
