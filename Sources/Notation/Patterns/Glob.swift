/// A pattern of paths such as `**/*.{jpg,JPG}`, matched against the whole path.
///
/// | pattern | matches |
/// |---|---|
/// | `*` | any number of characters other than `/`, also none |
/// | `?` | one character other than `/` |
/// | `[a-z]` | one character in the ranges, other than `/` |
/// | `[[:alpha:]_]` | one character of a POSIX class, which are those of ASCII, or one of the others |
/// | `[!a-z]` | one character outside the ranges, other than `/` |
/// | `**/` | any number of folders, also none |
/// | `/**` at the end | everything below |
/// | `{a,b}` | `a` or `b`, which may contain any of these patterns |
/// | `\*` | the character `*` itself; the same for other characters |
///
/// Matching is case-sensitive. A character is a Unicode scalar; in a part of the path that is not
/// UTF-8, a byte. The time for matching is at most proportional to the length of the path times the
/// length of the pattern with its braces expanded.
public struct Glob: Sendable {
  public let pattern: String
  /// The length of the pattern with its braces expanded, which the time for matching depends on.
  package let length: Int
  private let alternatives: [[GlobItem]]

  public init(_ pattern: String) throws(GlobError) {
    guard !pattern.isEmpty else { throw .empty }
    var parser = GlobParser(pattern)
    (alternatives, length) = try parser.alternatives()
    self.pattern = pattern
  }

  /// True if the pattern matches the whole path; `/` separates the parts of the path.
  public func matches(_ path: some Collection<UInt8>) -> Bool {
    let units = Self.units(of: path)
    return alternatives.contains { Self.matches(units, $0) }
  }

  /// Matches one alternative.
  ///
  /// The loop tracks all items of the pattern that the characters read so far can lead to, so it
  /// never has to backtrack.
  private static func matches(_ units: [UInt32], _ items: [GlobItem]) -> Bool {
    var reached = [Bool](repeating: false, count: items.count + 1)
    reached[0] = true
    skipEmpty(items, &reached)
    var next = reached
    for unit in units {
      for index in next.indices { next[index] = false }
      var alive = false
      for index in items.indices where reached[index] {
        let step = items[index].consume(unit)
        if step.stays { next[index] = true }
        if step.advances { next[index + 1] = true }
        alive = alive || step.stays || step.advances
      }
      guard alive else { return false }
      skipEmpty(items, &next)
      swap(&reached, &next)
    }
    return reached[items.count]
  }

  private static func skipEmpty(_ items: [GlobItem], _ reached: inout [Bool]) {
    for index in items.indices where reached[index] {
      switch items[index] {
      case .name, .rest: reached[index + 1] = true
      case .folders:
        reached[index + 1] = true
        reached[index + 2] = true
      case .unit, .one, .set, .insideFolders, .something: break
      }
    }
  }

  /// The characters of a path as Unicode scalars.
  ///
  /// In a part of the path that is not UTF-8, each byte is one character; bytes from 0x80 become
  /// values above the largest scalar.
  private static func units(of path: some Collection<UInt8>) -> [UInt32] {
    if path.allSatisfy({ $0 < 0x80 }) { return path.map(UInt32.init) }
    var units: [UInt32] = []
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if !units.isEmpty || part.startIndex != path.startIndex { units.append(GlobItem.slash) }
      if let text = String(validating: part, as: UTF8.self) {
        units += text.unicodeScalars.map(\.value)
      } else {
        units += part.map { $0 < 0x80 ? UInt32($0) : 0x11_0000 + UInt32($0) }
      }
    }
    return units
  }
}

extension Glob: Hashable {
  public static func == (left: Glob, right: Glob) -> Bool { left.pattern == right.pattern }
  public func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}

extension Glob: CustomStringConvertible {
  public var description: String { pattern }
}
