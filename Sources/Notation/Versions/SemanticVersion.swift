/// A version `major.minor.patch[-pre.release]`; build metadata is ignored.
///
/// - Source: Semantic Versioning 2.0.0.
public struct SemanticVersion: Sendable, Hashable {
  public var major: Int
  public var minor: Int
  public var patch: Int
  public var prerelease: [String] = []

  private static let longestNumber = 9

  /// The regular expression of a version, without anchors.
  package static let pattern: String = {
    let number = #"(0|[1-9][0-9]{0,8})"#
    let part = #"(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"#
    let build = #"[0-9A-Za-z-]+"#
    return
      #"\#(number)\.\#(number)\.\#(number)(-\#(part)(\.\#(part))*)?(\+\#(build)(\.\#(build))*)?"#
  }()

  package init(major: Int, minor: Int, patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  public init?(_ text: String) {
    if let numbers = Self.plain(text) {
      (major, minor, patch) = (numbers.x, numbers.y, numbers.z)
      return
    }
    let withBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let halves = withBuild[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = Self.parts(halves[0]).compactMap(Self.number)
    guard numbers.count == 3, Self.parts(halves[0]).count == 3 else { return nil }
    (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
    if halves.count == 2 {
      prerelease = Self.parts(halves[1]).map(String.init)
      guard prerelease.allSatisfy({ Self.isIdentifier($0) && !Self.hasLeadingZero($0) }) else {
        return nil
      }
    }
    if withBuild.count == 2, !Self.parts(withBuild[1]).allSatisfy(Self.isIdentifier) { return nil }
  }

  /// A fast path for versions of three numbers only, because sidecars contain many; nil for other
  /// texts.
  private static func plain(_ text: String) -> SIMD3<Int>? {
    var numbers = SIMD3<Int>()
    var (place, digits) = (0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard digits > 0, place < 2 else { return nil }
        (place, digits) = (place + 1, 0)
        continue
      }
      let digit = Int(byte) - Int(UInt8(ascii: "0"))
      guard (0...9).contains(digit), digits < longestNumber, digits == 0 || numbers[place] > 0
      else { return nil }
      numbers[place] = 10 * numbers[place] + digit
      digits += 1
    }
    return place == 2 && digits > 0 ? numbers : nil
  }

  private static func parts(_ text: Substring) -> [Substring] {
    text.split(separator: ".", omittingEmptySubsequences: false)
  }

  private static func number(_ digits: Substring) -> Int? {
    let fits = isNumber(digits) && digits.count <= longestNumber && !hasLeadingZero(digits)
    return fits ? Int(digits) : nil
  }

  private static func isIdentifier(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  fileprivate static func isNumber(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) }
  }

  private static func hasLeadingZero(_ text: some StringProtocol) -> Bool {
    isNumber(text) && text.count > 1 && text.first == "0"
  }
}

extension SemanticVersion: Comparable, CustomStringConvertible {
  public var description: String {
    "\(major).\(minor).\(patch)\(prerelease.isEmpty ? "" : "-" + prerelease.joined(separator: "."))"
  }

  public static func < (a: Self, b: Self) -> Bool {
    let (left, right) = ([a.major, a.minor, a.patch], [b.major, b.minor, b.patch])
    if left != right { return left.lexicographicallyPrecedes(right) }
    if a.prerelease.isEmpty || b.prerelease.isEmpty {
      return !a.prerelease.isEmpty && b.prerelease.isEmpty
    }
    return a.prerelease.lexicographicallyPrecedes(b.prerelease) { left, right in
      let (isNumber, isOther) = (Self.isNumber(left), Self.isNumber(right))
      if isNumber != isOther { return isNumber }
      if isNumber && left.utf8.count != right.utf8.count {
        return left.utf8.count < right.utf8.count
      }
      return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
  }

  /// The lowest version with these numbers: `major.minor.patch-0`.
  ///
  /// Every version with lower numbers precedes it, with or without a prerelease.
  package static func start(_ major: Int, _ minor: Int, _ patch: Int) -> Self {
    var version = SemanticVersion(major: major, minor: minor, patch: patch)
    version.prerelease = ["0"]
    return version
  }

  /// The next higher version.
  package var successor: Self {
    if prerelease.isEmpty { return .start(major, minor, patch + 1) }
    var next = self
    next.prerelease.append("0")
    return next
  }
}
