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
  case unknownDateField(Character, position: Int)
  case digestLength(String, position: Int)
  /// The text after the colon is not valid for this placeholder.
  case noDetail(String, position: Int)
  case absolute(position: Int)
  /// A component of the path is empty, `.` or `..`.
  case emptyPart(String, position: Int)

  /// The placeholder has no value here: `{variant}` in the main stack.
  case noValue(String)
  /// A component of the resulting path is empty, is `.` or `..`, or contains `/` or NUL.
  case notAName(String)
  case nameTooLong(String, bytes: Int)
  /// The name is reserved for phbatch.
  case reservedName(String)

  /// The position of the error in the template; nil if it has none.
  var position: Int? {
    switch self {
    case .unclosed(let position), .unopened(let position), .unknown(_, let position, _),
      .misplacedRoot(let position), .unknownDateField(_, let position),
      .digestLength(_, let position), .noDetail(_, let position), .absolute(let position),
      .emptyPart(_, let position):
      position
    case .empty, .tellsNoPhotosApart, .noValue, .notAName, .nameTooLong, .reservedName: nil
    }
  }

  public var message: String {
    switch self {
    case .empty: "the path is empty"
    case .tellsNoPhotosApart: "the path does not tell photos apart"
    case .unclosed(let position): "the '{' at \(position) is never closed"
    case .unopened(let position): "the '}' at \(position) closes nothing"
    case .unknown(let name, let position, _): "'{\(name)}' at \(position) is no placeholder"
    case .misplacedRoot(let position):
      "the '{root}' at \(position) is not at the start before a '/'"
    case .unknownDateField(let letter, let position):
      "'\(letter)' at \(position) is no part of a date"
    case .digestLength(let text, let position):
      "'\(text)' at \(position) is no number of digits"
    case .noDetail(let name, let position): "'{\(name)}' takes no ':' (at \(position))"
    case .absolute(let position): "the '/' at \(position) would lead out of the output folder"
    case .emptyPart("..", let position): "the '..' at \(position) would lead out of the folder"
    case .emptyPart("", let position): "there is no name at \(position), before or after a '/'"
    case .emptyPart(let part, let position): "the part '\(part)' at \(position) is no name"
    case .noValue(let name): "'{\(name)}' stands for nothing here"
    case .notAName(let name): "the path has the part '\(name)', which is no name"
    case .nameTooLong(let name, let bytes): "the name '\(name)' has \(bytes) bytes"
    case .reservedName(let name): "the name '\(name)' is one of phbatch's own"
    }
  }

  public var hint: String {
    switch self {
    case .empty: "leave it out for '{stem}.{output}.{ext}'"
    case .tellsNoPhotosApart: "put {stem}, {name} or {digest:16} into it"
    case .unclosed, .unopened: "braces come in pairs, around a placeholder"
    case .unknown(_, _, let nearest):
      nearest.map { "use '{\($0)}'" }
        ?? "use one of: \((PathPiece.placeholders.map(\.text) + ["root"]).joined(separator: ", "))"
    case .misplacedRoot: "begin the path with '{root}/'"
    case .unknownDateField:
      "use \(DateFormat.fields.map(\.text).joined(separator: ", "))"
    case .digestLength: "use 1 to 64"
    case .noDetail: "only {date:…} and {digest:…} do"
    case .absolute: "begin with '{root}/' for the output folder"
    case .emptyPart("..", _): "begin with '{root}/' for the output folder, and go down from there"
    case .emptyPart, .notAName: "every part between '/' needs a name other than '.' and '..'"
    case .noValue("variant"): "give the recipe a variant, or take '{variant}' out of the path"
    case .noValue: "take the placeholder out of the path"
    case .nameTooLong: "file systems allow 255; use a shorter path, or rename the original"
    case .reservedName: "use a name that neither begins with '.phbatch' nor ends in '.phbatch.json'"
    }
  }
}
