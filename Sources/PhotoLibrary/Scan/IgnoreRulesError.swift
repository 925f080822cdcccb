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

  public var message: String {
    switch self {
    case .pattern(let error, let place): "\(Self.text(place)): \(error.message)"
    case .notUTF8(let place): "\(Self.text(place)): the line is not UTF-8"
    }
  }

  public var hint: String {
    switch self {
    case .pattern(let error, _): error.hint
    case .notUTF8:
      "save the file as UTF-8; write '?' for characters of file names that are not UTF-8"
    }
  }

  private static func text(_ place: Place) -> String {
    "\(place.folder.appending(IgnoreRules.fileName).displayed):\(place.line)"
  }
}
