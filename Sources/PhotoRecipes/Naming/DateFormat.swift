/// The format of a date in a path: `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`, and characters that are
/// neither letters nor digits.
package struct DateFormat: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case year
    case month
    case day
    case hour
    case minute
    case second
    case literal(UInt8)
  }

  static let fields: [(text: String, part: Part)] = [
    ("yyyy", .year), ("MM", .month), ("dd", .day), ("HH", .hour), ("mm", .minute), ("ss", .second),
  ]

  private let parts: [Part]

  /// The first letter or digit that does not belong to a field, and the number of characters before
  /// it.
  struct UnknownField: Error {
    let letter: Character
    let offset: Int
  }

  init(_ format: Substring) throws(UnknownField) {
    var parts: [Part] = []
    var rest = format
    while let first = rest.first {
      if let field = Self.fields.first(where: { rest.hasPrefix($0.text) }) {
        parts.append(field.part)
        rest.removeFirst(field.text.count)
      } else if first.isLetter || first.isNumber {
        throw UnknownField(letter: first, offset: format.count - rest.count)
      } else {
        parts += first.utf8.map(Part.literal)
        rest.removeFirst()
      }
    }
    self.parts = parts
  }

  /// The format of `2026-01-31`.
  static let day = DateFormat(parts: [
    .year, .literal(UInt8(ascii: "-")), .month, .literal(UInt8(ascii: "-")), .day,
  ])

  private init(parts: [Part]) { self.parts = parts }

  package func bytes(_ time: CivilTime) -> [UInt8] {
    parts.flatMap { part -> [UInt8] in
      switch part {
      case .year: Self.digits(time.year, 4)
      case .month: Self.digits(time.month, 2)
      case .day: Self.digits(time.day, 2)
      case .hour: Self.digits(time.hour, 2)
      case .minute: Self.digits(time.minute, 2)
      case .second: Self.digits(time.second, 2)
      case .literal(let byte): [byte]
      }
    }
  }

  private static func digits(_ number: Int, _ count: Int) -> [UInt8] {
    let text = Array(String(max(number, 0)).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(count - text.count, 0)) + text
  }
}
