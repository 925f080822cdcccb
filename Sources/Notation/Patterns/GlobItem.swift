/// One item of a compiled pattern, after the expansion of braces.
enum GlobItem: Sendable, Equatable {
  static let slash = UInt32(UInt8(ascii: "/"))

  /// Exactly this character.
  case unit(UInt32)
  /// `?`: one character other than `/`.
  case one
  case set([ClosedRange<UInt32>], negated: Bool)
  /// `*`: any number of characters other than `/`.
  case name
  /// `**/`: any folders, or none. It can be skipped together with the next item, which is always
  /// `insideFolders`.
  case folders
  case insideFolders
  /// `**` after a `/` at the end: at least one character. The next item is always `rest`.
  case something
  case rest

  /// Reports if the next character `unit` of a path can be consumed by staying at this item, or by
  /// advancing to the next item.
  func consume(_ unit: UInt32) -> (stays: Bool, advances: Bool) {
    switch self {
    case .unit(let wanted): (false, unit == wanted)
    case .one: (false, unit != Self.slash)
    case .set(let ranges, let negated):
      (false, unit != Self.slash && ranges.contains { $0.contains(unit) } != negated)
    case .name: (unit != Self.slash, false)
    case .folders: (false, false)
    case .insideFolders: (true, unit == Self.slash)
    case .something: (false, true)
    case .rest: (true, false)
    }
  }
}
