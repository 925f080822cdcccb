public import Notation

/// An error in a path template, or in a path from the template.
///
/// Positions are characters of the template, counted from 1.
public enum PathTemplateError: UserError, Hashable {
  case empty
  /// The template contains neither the photo's name nor the rendition's digest.
  case tellsNoPhotosApart
  case unclosed(position: Int)
  case unopened(position: Int)
  case unknown(String, position: Int, nearest: String?)
  case misplacedRoot(position: Int)
  case misplacedFolder(position: Int)
  case unknownDateField(Character, position: Int)
  case digestLength(String, position: Int)
  /// A colon follows the name of a placeholder that permits no detail after it.
  case noDetail(String, position: Int)
  case absolute(position: Int)
  /// A component of the path is empty, `.` or `..`.
  case emptyPart(String, position: Int)

  /// The placeholder has no value here: `{variant}` in the main stack.
  case noValue(String)
  /// A component of the template or of the resulting path is empty, is `.` or `..`, or contains `/` or NUL.
  case notAName(String)
  case nameTooLong(String, bytes: Int)
  /// The name is reserved for phbatch.
  case reservedName(String)

  /// The position of the error in the template; nil for an error without a position.
  var position: Int? {
    switch self {
    case .unclosed(let position), .unopened(let position), .unknown(_, let position, _),
      .misplacedRoot(let position), .misplacedFolder(let position),
      .unknownDateField(_, let position),
      .digestLength(_, let position), .noDetail(_, let position), .absolute(let position),
      .emptyPart(_, let position):
      position
    case .empty, .tellsNoPhotosApart, .noValue, .notAName, .nameTooLong, .reservedName: nil
    }
  }

  public var message: String {
    switch self {
    case .empty: "the path is empty"
    case .tellsNoPhotosApart: "the path would be the same for all photos"
    case .unclosed(let position): "the '{' at character \(position) is never closed"
    case .unopened(let position): "the '}' at character \(position) has no opening brace"
    case .unknown(let name, let position, _):
      "'{\(name)}' at character \(position) is not a placeholder"
    case .misplacedRoot(let position):
      "the '{root}' at character \(position) must be at the start, before a '/'"
    case .misplacedFolder(let position):
      "the '{folder}' at character \(position) must stand alone between two '/'"
    case .unknownDateField(let letter, let position):
      "'\(letter)' at character \(position) is not a field of a date"
    case .digestLength(let text, let position):
      "'\(text)' at character \(position) is not a valid number of digits"
    case .noDetail(let name, let position):
      "'{\(name)}' cannot have a ':' (at character \(position))"
    case .absolute(let position):
      "the '/' at character \(position) would lead out of the output folder"
    case .emptyPart("..", let position):
      "the '..' at character \(position) would lead out of the output folder"
    case .emptyPart("", let position):
      "a name before or after a '/' is missing at character \(position)"
    case .emptyPart(let part, let position):
      "the part '\(part)' at character \(position) is not a name"
    case .noValue(let name): "'{\(name)}' has no value here"
    case .notAName(let name): "the path contains the part '\(name)', which is not a name"
    case .nameTooLong(let name, let bytes): "the name '\(name)' has \(bytes) bytes"
    case .reservedName(let name): "the name '\(name)' is reserved for phbatch"
    }
  }

  public var hint: String {
    switch self {
    case .empty: "remove it to use '{stem}.{output}.{ext}'"
    case .tellsNoPhotosApart: "put {stem}, {name} or {digest:16} into the path"
    case .unclosed, .unopened: "write a pair of braces around a placeholder"
    case .unknown(_, _, let nearest):
      nearest.map { "use '{\($0)}'" }
        ?? "use one of: \((PathPiece.placeholders.map(\.text) + ["root"]).joined(separator: ", "))"
    case .misplacedRoot: "begin the path with '{root}/'"
    case .misplacedFolder: "write '{folder}/', at the start or after a '/'"
    case .unknownDateField:
      "use \(DateFormat.fields.map(\.text).joined(separator: ", "))"
    case .digestLength: "use 1 to 64"
    case .noDetail: "remove the ':'; only {date:…} and {digest:…} can have one"
    case .absolute: "begin with '{root}/' for the output folder"
    case .emptyPart("..", _):
      "begin with '{root}/' for the output folder, and continue with folders below it"
    case .emptyPart, .notAName:
      "give every part between '/' a name other than '.' and '..', without NUL characters"
    case .noValue("variant"): "give the recipe a variant, or remove '{variant}' from the path"
    case .noValue: "remove the placeholder from the path"
    case .nameTooLong: "use a shorter path, or rename the original; file systems allow 255 bytes"
    case .reservedName: "use a name that neither begins with '.phbatch' nor ends in '.phbatch.json'"
    }
  }
}
