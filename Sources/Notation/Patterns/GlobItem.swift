/// One place of a compiled pattern, which has no braces any more.
enum GlobItem: Sendable, Equatable {
  static let slash = UInt32(UInt8(ascii: "/"))

  /// This character.
  case unit(UInt32)
  /// `?`
  case one
  case set([ClosedRange<UInt32>], negated: Bool)
  /// `*`
  case name
  /// `**/`: may be left out with the item after it, which is always `insideFolders`.
  case folders
  case insideFolders
  /// `**` after a `/` at the end: at least one character; the item after it is always `rest`.
  case something
  case rest

  /// Reports if a path that continues with `unit` may stay at this item, or advance to the next.
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
