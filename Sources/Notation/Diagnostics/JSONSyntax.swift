/// The reason why a text is not JSON.
public enum JSONSyntax: Sendable, Hashable {
  case notUTF8
  case empty
  case unexpectedEnd(in: String)
  case unexpected(String, expected: String)
  case trailing
  case trailingComma
  case notANumber(String)
  /// A number beyond the range of a double.
  case hugeNumber(String)
  case comment
  case badEscape
  /// Half of a character that is written as two escape sequences.
  case loneSurrogate
  case controlCharacter
  /// A line break inside a string.
  case lineBreak
  /// More than `limit` combining marks in a row in a string.
  case tooManyMarks(limit: Int)
  case tooDeep(limit: Int)

  public var message: String {
    switch self {
    case .notUTF8: "the text is not UTF-8"
    case .empty: "the file is empty"
    case .unexpectedEnd(let place): "the text ends inside \(place)"
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .trailing: "there is more text after the end of the document"
    case .trailingComma: "a value is missing after the comma"
    case .notANumber(let text): "'\(text)' is not a JSON number"
    case .hugeNumber(let text): "the number '\(text)' is too large"
    case .comment: "JSON does not allow comments"
    case .badEscape: "this is not a JSON escape sequence"
    case .loneSurrogate: "the other half of this surrogate pair is missing"
    case .controlCharacter: "a string contains a control character"
    case .lineBreak: "the string that begins here has no closing quotation mark on its line"
    case .tooManyMarks(let limit):
      "the string that begins here has more than \(limit) combining marks in a row"
    case .tooDeep(let limit): "the document is nested more than \(limit) levels deep"
    }
  }

  public var hint: String {
    switch self {
    case .notUTF8: "save the file as UTF-8"
    case .empty: "'phbatch init' writes an example recipe"
    case .unexpectedEnd: "the file may be cut off; add the missing quotation mark or bracket"
    case .unexpected(_, let expected): "put \(expected) here"
    case .trailing: "remove the text after the closing brace"
    case .trailingComma: "remove the comma"
    case .notANumber:
      "write a number such as 0.5 or -12; JSON has no NaN, Infinity or leading zeros"
    case .hugeNumber: "write a number below 1e308"
    case .comment: "use the key \"comment\""
    case .badEscape: #"use \" \\ \/ \b \f \n \r \t or \u followed by four hexadecimal digits"#
    case .loneSurrogate:
      #"write both halves, such as \ud83d\ude00, or the character itself"#
    case .controlCharacter: #"write it as an escape sequence, such as \t"#
    case .lineBreak: #"close it with '"'; write a line break within a string as \n"#
    case .tooManyMarks: "remove some of the marks"
    case .tooDeep: "nest fewer objects and arrays"
    }
  }
}
