public import Notation
import PhotoRecipes
public import SystemPackage

/// A defect of a `.phbatchignore` file.
public enum IgnoreRulesError: UserError, Hashable {
  public struct Place: Sendable, Hashable {
    public let folder: FilePath
    /// The line number, counted from 1.
    public let line: Int
  }

  case pattern(GlobError, Place)
  case notUTF8(Place)
  /// The rules up to this line, with those of the folders above, have more than `limit` characters
  /// with their braces expanded.
  case tooLong(limit: Int, Place)

  public var message: String {
    switch self {
    case .pattern(let error, let place): "\(Self.text(place)): \(error.message)"
    case .notUTF8(let place): "\(Self.text(place)): the line is not UTF-8"
    case .tooLong(let limit, let place):
      "\(Self.text(place)): the rules expand to more than \(limit) characters"
    }
  }

  public var hint: String {
    switch self {
    case .pattern(let error, _): error.hint
    case .notUTF8:
      "save the file as UTF-8; write '?' for characters of file names that are not UTF-8"
    case .tooLong: "use fewer rules, or fewer braces"
    }
  }

  private static func text(_ place: Place) -> String {
    "\(place.folder.appending(IgnoreRules.fileName).displayed):\(place.line)"
  }
}
