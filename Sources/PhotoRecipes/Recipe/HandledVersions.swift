public import Notation

/// A range of versions of one recipe, such as `org.example.web@^1.2.0`.
///
/// Another recipe can resume adjustments that were made with these versions.
public struct HandledVersions: Sendable, Hashable {
  public let identifier: String
  public let lowest: SemanticVersion
  /// The upper limit, which is not included.
  public let limit: SemanticVersion
  /// The range as text: as in the recipe, or as derived from the recipe's own version.
  public let text: String

  static let expectation =
    "an identifier with a version, such as \"org.example.web@^1.0.0\", \"…@~1.2.0\" or \"…@1.2.3\""

  /// Parses `identifier@^version` (same major version; same minor version below 1.0), `@~version`
  /// (same minor version) or `@version` (exactly that version); nil if the text is invalid.
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
    switch sign {
    case "^" where version.major > 0: limit = .start(version.major + 1, 0, 0)
    case "^", "~": limit = .start(version.major, version.minor + 1, 0)
    default: limit = version.successor
    }
  }

  /// The pattern of valid texts, without anchors.
  static let pattern =
    "(?=[^@]{1,\(RecipeIdentifier.longest)}@)\(RecipeIdentifier.pattern)@[~^]?\(SemanticVersion.pattern)"

  /// Creates a recipe's default: its own identifier and the same major version (the same minor
  /// version below 1.0).
  public init(identifier: String, compatibleWith version: SemanticVersion) {
    self.identifier = identifier
    let isEarly = version.major == 0
    lowest = .start(version.major, isEarly ? version.minor : 0, 0)
    limit = isEarly ? .start(0, version.minor + 1, 0) : .start(version.major + 1, 0, 0)
    text = "\(identifier)@\(isEarly ? "\(version.major).\(version.minor)" : "\(version.major)").x"
  }

  public func contains(_ identifier: String, _ version: SemanticVersion) -> Bool {
    identifier == self.identifier && version >= lowest && version < limit
  }
}

/// A recipe's name in reverse-DNS form: `org.example.web-gallery`.
public enum RecipeIdentifier {
  static let longest = 200
  /// The pattern as a regular expression without anchors.
  static let pattern = #"[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)+"#
  static let expectation = "a reverse-DNS name such as \"org.example.web-gallery\""

  public static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && text.utf8.count <= longest
      && parts.allSatisfy { part in
        part.first.map { $0 != "-" } ?? false
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      }
  }
}
