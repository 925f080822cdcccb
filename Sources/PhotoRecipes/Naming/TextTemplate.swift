public import Notation

/// Text with placeholders for facts about a photo: `{stem}, {date:yyyy}`.
///
/// | placeholder | value |
/// |---|---|
/// | `{stem}` | the original's name without its extension |
/// | `{name}` | the original's name with its extension |
/// | `{date}`, `{date:dd.MM.yyyy}` | when the photo was taken; `yyyy MM dd HH mm ss` |
/// | `{title}`, `{description}`, `{artist}`, `{creator}`, `{copyright}` | texts of the photo's metadata |
/// | `{camera}`, `{lens}`, `{rating}`, `{keywords}` | texts of the photo's metadata |
/// | `{focalLength}`, `{aperture}`, `{shutter}` | `35 mm`, `f/2.8`, `1/250 s` |
/// | `{iso}`, `{sensitivity}` | `200`, `ISO 200` |
/// | `{recipe}` | the last part of the recipe's identifier |
/// | `{variant}` | the name of the recipe's variant |
///
/// `{{` and `}}` stand for braces. A placeholder for an unknown fact becomes empty, and the
/// separator between it and its neighbour is removed: `{camera} · {lens}` without a lens is the
/// camera alone.
public struct TextTemplate: SettingValue {
  enum Piece: Sendable, Hashable {
    case literal(String)
    case value(String)
    case date(DateFormat)
  }

  static let placeholders = [
    "stem", "name", "date", "title", "description", "artist", "creator", "copyright", "camera",
    "lens", "focalLength", "aperture", "shutter", "iso", "sensitivity", "rating", "keywords",
    "recipe", "variant",
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

  /// Parses the text between two braces; `position` is the position of the first character.
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
    var result = ""
    // The separator that precedes the next placeholder; it is added only if a placeholder with a
    // value follows.
    var separator: String?
    var isEmptySoFar = true
    for (index, piece) in pieces.enumerated() {
      if case .literal(let text) = piece {
        if isSeparator(at: index) {
          separator = text
        } else {
          result += text
          (separator, isEmptySoFar) = (nil, true)
        }
        continue
      }
      let value = value(of: piece, values)
      if value.allSatisfy(\.isWhitespace) { continue }
      if let separator, !isEmptySoFar { result += separator }
      result += change(value)
      (separator, isEmptySoFar) = (nil, false)
    }
    return result
  }

  private func value(of piece: Piece, _ values: [String: String]) -> String {
    switch piece {
    case .literal(let text): text
    case .value(let name): values[name] ?? ""
    case .date(let format):
      values["date"].flatMap { CivilTime($0) }
        .map { String(decoding: format.bytes($0), as: UTF8.self) } ?? ""
    }
  }

  /// True if the literal is between two placeholders and has only spaces and punctuation; brackets
  /// and quotes are not separators.
  private func isSeparator(at index: Int) -> Bool {
    guard index > 0, index + 1 < pieces.count, case .literal(let text) = pieces[index] else {
      return false
    }
    if case .literal = pieces[index - 1] { return false }
    if case .literal = pieces[index + 1] { return false }
    return text.allSatisfy { $0.isWhitespace || Self.separators.contains($0) }
  }

  private static let separators: Set<Character> = Set(",;:.·•|/\\–—-+&_×~")

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
