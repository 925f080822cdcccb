import Notation

/// Parses a path template.
struct PathTemplateParser {
  /// The template as scalars.
  ///
  /// If the template were split into characters, a `/` with a combining mark would not be
  /// recognised.
  private let characters: [Unicode.Scalar]
  private var index = 0
  private(set) var isRooted = false

  init(_ text: String) { characters = Array(text.unicodeScalars) }

  mutating func pieces() throws(PathTemplateError) -> [PathPiece] {
    var pieces: [PathPiece] = []
    while index < characters.count {
      let start = index
      switch characters[index] {
      case "{":
        guard let end = characters[index...].firstIndex(of: "}") else {
          throw .unclosed(position: start + 1)
        }
        index = end + 1
        let name = Self.text(characters[(start + 1)..<end])
        if name == "root" {
          try takeRoot(at: start)
        } else {
          let piece = try Self.piece(name, at: start + 2)
          if piece == .folder { try checkFolder(from: start) }
          pieces.append(piece)
        }
      case "}": throw .unopened(position: start + 1)
      default:
        while index < characters.count, characters[index] != "{", characters[index] != "}" {
          index += 1
        }
        pieces.append(.literal(Array(Self.text(characters[start..<index]).utf8)))
      }
    }
    try checkParts()
    return pieces
  }

  private static func text(_ characters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(characters))
  }

  private mutating func takeRoot(at start: Int) throws(PathTemplateError) {
    guard start == 0, index < characters.count, characters[index] == "/" else {
      throw .misplacedRoot(position: start + 1)
    }
    index += 1
    isRooted = true
  }

  /// Throws unless `{folder}`, which ends at the current position, is followed by a `/`, and is at
  /// the start or after a `/`.
  private func checkFolder(from start: Int) throws(PathTemplateError) {
    let begins = start == 0 || characters[start - 1] == "/"
    guard begins, index < characters.count, characters[index] == "/" else {
      throw .misplacedFolder(position: start + 1)
    }
  }

  /// Parses the text between two braces; `position` is the position of the first character.
  private static func piece(
    _ text: String, at position: Int
  ) throws(PathTemplateError) -> PathPiece {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let known = PathPiece.placeholders.first(where: { $0.text == name }) else {
      let names = PathPiece.placeholders.map(\.text) + ["root"]
      throw .unknown(name, position: position, nearest: Spelling.nearest(to: name, among: names))
    }
    guard parts.count == 2 else { return known.piece }
    let detailPosition = position + name.count + 1
    switch known.piece {
    case .date:
      do throws(DateFormat.UnknownField) { return .date(try DateFormat(parts[1])) } catch {
        throw .unknownDateField(error.letter, position: detailPosition + error.offset)
      }
    case .digest:
      guard let count = Int(parts[1]), (1...64).contains(count) else {
        throw .digestLength(String(parts[1]), position: detailPosition)
      }
      return .digest(count)
    default: throw .noDetail(name, position: detailPosition - 1)
    }
  }

  /// Checks that the template is relative and that no component is empty, `.`, `..`, or never a
  /// valid name because of its literal text.
  private func checkParts() throws(PathTemplateError) {
    let start = isRooted ? "{root}/".count : 0
    guard characters.count > start else { throw .empty }
    guard characters[start] != "/" else { throw .absolute(position: start + 1) }
    var position = start
    for part in Self.parts(characters[start...]) {
      let text = Self.text(part)
      if ["", ".", ".."].contains(text) { throw .emptyPart(text, position: position + 1) }
      if text.unicodeScalars.contains("\0") { throw .notAName(text) }
      if PathTemplate.isReserved(text) { throw .reservedName(text) }
      position += part.count + 1
    }
  }

  /// Splits at each `/` outside braces.
  private static func parts(
    _ characters: ArraySlice<Unicode.Scalar>
  ) -> [ArraySlice<Unicode.Scalar>] {
    var isInside = false
    return characters.split(omittingEmptySubsequences: false) { character in
      if character == "{" { isInside = true }
      if character == "}" { isInside = false }
      return character == "/" && !isInside
    }
  }
}
