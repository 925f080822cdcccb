/// A defect of a pattern of file names; positions are characters counted from 1.
public enum GlobError: UserError, Hashable {
  case empty
  case unclosed(Character, position: Int)
  case unopened(Character, position: Int)
  case danglingBackslash(position: Int)
  case reversedRange(Character, Character, position: Int)
  /// The alternatives in the pattern's braces have more than `limit` characters in total.
  case tooLong(limit: Int)
  case tooDeep(limit: Int)

  /// The position of the problem in the pattern; nil for a problem of the whole pattern.
  package var position: Int? {
    switch self {
    case .unclosed(_, let position), .unopened(_, let position),
      .danglingBackslash(let position), .reversedRange(_, _, let position):
      position
    case .empty, .tooLong, .tooDeep: nil
    }
  }

  public var message: String {
    switch self {
    case .empty: "the pattern is empty"
    case .unclosed(let opening, let position):
      "'\(opening)' at character \(position) is never closed"
    case .unopened(let closing, let position):
      "'\(closing)' at character \(position) has no opening bracket"
    case .danglingBackslash(let position): "no character follows the '\\' at character \(position)"
    case .reversedRange(let low, let high, let position):
      "the range '\(low)-\(high)' at character \(position) is empty"
    case .tooLong(let limit): "the pattern expands to more than \(limit) characters"
    case .tooDeep(let limit): "the pattern's braces are nested more than \(limit) levels deep"
    }
  }

  public var hint: String {
    switch self {
    case .empty: "use '**' to match every file"
    case .unclosed(let character, _), .unopened(let character, _):
      "close it, or write '\\\(character)' for a literal character"
    case .danglingBackslash: "write '\\\\' for a backslash"
    case .reversedRange(let low, let high, _): "write '\(high)-\(low)'"
    case .tooLong, .tooDeep: "use fewer or shorter braces"
    }
  }
}
