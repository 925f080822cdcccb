/// A version `major.minor.patch[-pre.release]`; build metadata counts for nothing.
///
/// - Source: Semantic Versioning 2.0.0.
public struct SemanticVersion: Sendable, Hashable {
  public var major: Int
  public var minor: Int
  public var patch: Int
  public var prerelease: [String] = []

  static let pattern =
    #"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"#

  public init?(_ text: String) {
    let withoutBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let halves = withoutBuild[0].split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3 else { return nil }
    let values = numbers.compactMap(Self.number)
    guard values.count == 3 else { return nil }
    (major, minor, patch) = (values[0], values[1], values[2])
    if halves.count == 2 {
      prerelease = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        .map(String.init)
      let isPlain = prerelease.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      }
      if !isPlain { return nil }
    }
  }

  private static func number(_ digits: Substring) -> Int? {
    let isNumber = !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
    return isNumber && (digits == "0" || digits.first != "0") ? Int(digits) : nil
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
      switch (Int(left), Int(right)) {
      case (let left?, let right?): left < right
      case (nil, nil): left.utf8.lexicographicallyPrecedes(right.utf8)
      case (let left, _): left != nil
      }
    }
  }
}

/// The versions of one recipe whose adjustments another can resume: `org.example.web@^1.2.0`.
public struct HandledVersions: Sendable, Hashable {
  public let identifier: String
  public let lowest: SemanticVersion
  /// The first version that is too high.
  public let limit: SemanticVersion
  /// As written, or as derived.
  public let text: String

  static let expectation =
    "an identifier with a version, such as \"org.example.web@^1.0.0\", \"…@~1.2.0\" or \"…@1.2.3\""

  /// `identifier@^version` (same major; same minor below 1.0), `@~version` (same minor) or
  /// `@version` (that one).
  public init?(_ text: String) {
    guard let at = text.lastIndex(of: "@") else { return nil }
    identifier = String(text[..<at])
    var rest = text[text.index(after: at)...]
    let sign = rest.first.flatMap { "^~".contains($0) ? rest.removeFirst() : nil }
    guard RecipeIdentifier.isValid(identifier), let version = SemanticVersion(String(rest)) else {
      return nil
    }
    self.text = text
    lowest = version
    var limit = version
    limit.prerelease = []
    switch sign {
    case "^" where version.major > 0: (limit.major, limit.minor, limit.patch) = (limit.major + 1, 0, 0)
    case "^", "~": (limit.minor, limit.patch) = (limit.minor + 1, 0)
    default: limit.patch += 1
    }
    self.limit = limit
  }

  /// What a recipe handles unless it says otherwise: its own identifier, at the same major version.
  public init(identifier: String, compatibleWith version: SemanticVersion) {
    self.identifier = identifier
    let isEarly = version.major == 0
    var lowest = version
    (lowest.minor, lowest.patch) = (isEarly ? version.minor : 0, 0)
    var limit = lowest
    (limit.major, limit.minor) = isEarly ? (0, version.minor + 1) : (version.major + 1, 0)
    lowest.prerelease = ["0"]
    limit.prerelease = []
    (self.lowest, self.limit) = (lowest, limit)
    text = "\(identifier)@\(isEarly ? "\(version.major).\(version.minor)" : "\(version.major)").x"
  }

  public func contains(_ identifier: String, _ version: SemanticVersion) -> Bool {
    identifier == self.identifier && version >= lowest && version < limit
  }
}

/// A recipe's name in reverse-DNS form: `org.example.web-gallery`.
public enum RecipeIdentifier {
  static let pattern = "^[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9][A-Za-z0-9-]*)+$"
  static let expectation = "a reverse-DNS name such as \"org.example.web-gallery\""

  public static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && text.utf8.count <= 200
      && parts.allSatisfy { part in
        part.first.map { $0 != "-" } ?? false
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      }
  }
}
