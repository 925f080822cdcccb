public import Notation

/// Text with placeholders for facts about a photo: `{stem}, {date:yyyy}`.
///
/// | placeholder | value |
/// |---|---|
/// | `{stem}`, `{name}` | the original's name without its extension, with it |
/// | `{date}`, `{date:dd.MM.yyyy}` | the capture time; `yyyy MM dd HH mm ss` |
/// | `{title}`, `{artist}`, `{creator}`, `{copyright}` | the photo's metadata, or nothing |
/// | `{camera}`, `{lens}`, `{iso}`, `{rating}`, `{keywords}` | the same |
/// | `{recipe}`, `{variant}` | the last part of the recipe's identifier; its variant |
///
/// `{{` and `}}` represent braces.
public struct TextTemplate: SettingValue {
  enum Piece: Sendable, Hashable {
    case literal(String)
    case value(String)
    case date(DateFormat)
  }

  static let placeholders = [
    "stem", "name", "date", "title", "artist", "creator", "copyright", "camera", "lens", "iso",
    "rating", "keywords", "recipe", "variant",
  ]

  /// An example value for every placeholder.
  public static let examples = Dictionary(
    uniqueKeysWithValues: placeholders.map { ($0, $0 == "date" ? "2000-01-01T00:00:00" : "a") })

  public let text: String
  private let pieces: [Piece]

  /// The empty text, for a missing setting.
  public static let empty = TextTemplate()

  private init() { (text, pieces) = ("", []) }

  public init(_ text: String) throws(PathTemplateError) {
    self.text = text
    var pieces: [Piece] = []
    let characters = Array(text)
    var index = 0
    while index < characters.count {
      let (character, start) = (characters[index], index)
      index += 1
      if "{}".contains(character), index < characters.count, characters[index] == character {
        pieces.append(.literal(String(character)))
        index += 1
      } else if character == "}" {
        throw .unopened(position: index)
      } else if character == "{" {
        guard let end = characters[index...].firstIndex(of: "}") else {
          throw .unclosed(position: index)
        }
        pieces.append(try Self.piece(String(characters[index..<end]), at: index + 1))
        index = end + 1
      } else {
        while index < characters.count, !"{}".contains(characters[index]) { index += 1 }
        pieces.append(.literal(String(characters[start..<index])))
      }
    }
    self.pieces = pieces
  }

  /// Parses the text between two braces; `position` is that of its first character.
  private static func piece(_ text: String, at position: Int) throws(PathTemplateError) -> Piece {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard placeholders.contains(name) else {
      let nearest = Spelling.nearest(to: name, among: placeholders)
      throw .unknown(name, position: position, nearest: nearest)
    }
    guard parts.count == 2 else { return name == "date" ? .date(.day) : .value(name) }
    let detail = position + name.count + 1
    guard name == "date" else { throw .noDetail(name, position: detail - 1) }
    do throws(DateFormat.UnknownField) { return .date(try DateFormat(parts[1])) } catch {
      throw .unknownDateField(error.letter, position: detail + error.offset)
    }
  }

  /// The text for a photo; `change` is applied to the placeholders' values.
  ///
  /// The date in `values` is `yyyy-MM-ddTHH:mm:ss`.
  public func filled(
    with values: [String: String], _ change: (String) -> String = { $0 }
  ) -> String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): text
      case .value(let name): change(values[name] ?? "")
      case .date(let format):
        change(
          values["date"].flatMap { CivilTime($0) }
            .map { String(decoding: format.bytes($0), as: UTF8.self) } ?? "")
      }
    }
    .joined()
  }

  /// The text for a photo as Pango markup.
  public func markup(with values: [String: String], isMarkup: Bool) -> String {
    if isMarkup { return filled(with: values, Self.escaped) }
    return Self.escaped(filled(with: values))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<TextTemplate, Problem> {
    guard let text = json.string else { return wrongType(json, kind) }
    if text.utf8.contains(0) { return malformed(json, kind) }
    do throws(PathTemplateError) { return .success(try TextTemplate(text)) } catch {
      return .failure(.contradiction(error.message, remedy: Self.hint(for: error)))
    }
  }

  private static func hint(for error: PathTemplateError) -> String {
    switch error {
    case .unknown(_, _, nil): "use one of: \(placeholders.joined(separator: ", "))"
    case .unopened, .unclosed: "write '{{' or '}}' for a brace"
    default: error.hint
    }
  }

  /// The text as JSON; nil if it is empty.
  public var json: JSON? { text.isEmpty ? nil : .string(text) }
}

extension TextTemplate: CustomStringConvertible {
  public var description: String { text }
}
