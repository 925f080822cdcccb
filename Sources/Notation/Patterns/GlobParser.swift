/// Parses a pattern and expands its braces: `a{b,c}` becomes `ab` and `ac`.
struct GlobParser {
  private static let depthLimit = 64

  /// A part of an alternative as written; `compile` later distinguishes `*` from `**`.
  private enum Token {
    case unit(UInt32)
    case one
    case stars(Int)
    case set([ClosedRange<UInt32>], negated: Bool)

    var isSlash: Bool {
      guard case .unit(let unit) = self else { return false }
      return unit == GlobItem.slash
    }

    /// The number of comparisons of the token with a character, which is its share of the limit.
    var length: Int {
      if case .set(let ranges, _) = self { max(1, ranges.count) } else { 1 }
    }
  }

  /// The alternatives of a part of the pattern.
  private struct Alternatives {
    /// The maximum length of all alternatives together.
    private static let limit = 20_000

    private(set) var all: [[Token]]
    /// The length of all tokens, and one for each alternative.
    private(set) var length: Int

    /// No alternatives.
    static var none: Self { Self(all: [], length: 0) }
    /// One alternative without tokens.
    static var empty: Self { Self(all: [[]], length: 1) }

    private var isEmpty: Bool { length == 1 }

    private func check() throws(GlobError) {
      if length > Self.limit { throw .tooLong(limit: Self.limit) }
    }

    /// Appends a token to each alternative.
    mutating func append(_ token: Token) throws(GlobError) {
      length += all.count * token.length
      try check()
      for index in all.indices { all[index].append(token) }
    }

    /// Continues each alternative with each of `tails`.
    ///
    /// Only two or more tails copy the alternatives. Their number then doubles at least, so the
    /// limit ends that soon.
    mutating func append(_ tails: Self) throws(GlobError) {
      if tails.isEmpty { return }
      length = tails.all.count * length + all.count * (tails.length - tails.all.count)
      try check()
      guard tails.all.count > 1 else {
        for index in all.indices { all[index] += tails.all[0] }
        return
      }
      all = all.flatMap { head in tails.all.map { head + $0 } }
    }

    mutating func add(_ others: Self) throws(GlobError) {
      length += others.length
      try check()
      all += others.all
    }
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The positions of the open braces.
  private var braces: [Int] = []

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// Parses the pattern; returns its alternatives and their total length.
  mutating func alternatives() throws(GlobError) -> (items: [[GlobItem]], length: Int) {
    let plain = try sequence()
    guard index == scalars.count else { throw .unopened("}", position: index + 1) }
    return (plain.all.map(Self.compile), plain.length)
  }

  /// Parses up to the end, or up to the `,` or `}` of the enclosing braces; returns the
  /// alternatives.
  private mutating func sequence() throws(GlobError) -> Alternatives {
    var plain = Alternatives.empty
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == "}" || (scalar == "," && !braces.isEmpty) { break }
      let start = index
      index += 1
      switch scalar {
      case "*":
        while index < scalars.count, scalars[index] == "*" { index += 1 }
        try plain.append(.stars(index - start))
      case "?": try plain.append(.one)
      case "[": try plain.append(try set(from: start))
      case "{": try plain.append(try group(from: start))
      case "\\":
        guard index < scalars.count else { throw .danglingBackslash(position: start + 1) }
        try plain.append(.unit(scalars[index].value))
        index += 1
      default: try plain.append(.unit(scalar.value))
      }
    }
    return plain
  }

  private mutating func group(from start: Int) throws(GlobError) -> Alternatives {
    guard braces.count < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    braces.append(start)
    defer { braces.removeLast() }
    var plain = Alternatives.none
    while true {
      try plain.add(try sequence())
      guard index < scalars.count else { throw .unclosed("{", position: start + 1) }
      index += 1
      if scalars[index - 1] == "}" { return plain }
    }
  }

  private mutating func set(from start: Int) throws(GlobError) -> Token {
    var ranges: [ClosedRange<UInt32>] = []
    let negated = index < scalars.count && (scalars[index] == "!" || scalars[index] == "^")
    if negated { index += 1 }
    let first = index
    while index < scalars.count {
      if scalars[index] == "]", index > first {
        index += 1
        return .set(ranges, negated: negated)
      }
      if let known = characterClass() {
        ranges += known
        continue
      }
      let position = index + 1
      let low = try member()
      var high = low
      if index + 1 < scalars.count, scalars[index] == "-", scalars[index + 1] != "]" {
        index += 1
        high = try member()
      }
      guard low <= high else {
        throw .reversedRange(Character(low), Character(high), position: position)
      }
      ranges.append(low.value...high.value)
    }
    throw .unclosed("[", position: start + 1)
  }

  /// Parses a class such as `[:alpha:]` within a set; nil if no known class begins here.
  private mutating func characterClass() -> [ClosedRange<UInt32>]? {
    let rest = scalars[index...]
    guard rest.starts(with: "[:".unicodeScalars),
      let end = rest.prefix(Self.longestClass).firstIndex(of: "]")
    else { return nil }
    let text = rest[...end].reduce(into: "") { $0.unicodeScalars.append($1) }
    guard let ranges = Self.classes[text] else { return nil }
    index = end + 1
    return ranges.map { $0.lowerBound.value...$0.upperBound.value }
  }

  private static let longestClass = "[:xdigit:]".count

  /// The classes of POSIX in ASCII, as in Git.
  private static let classes: [String: [ClosedRange<Unicode.Scalar>]] = [
    "[:alnum:]": ["0"..."9", "A"..."Z", "a"..."z"], "[:alpha:]": ["A"..."Z", "a"..."z"],
    "[:blank:]": [" "..." ", "\t"..."\t"], "[:cntrl:]": ["\0"..."\u{1F}", "\u{7F}"..."\u{7F}"],
    "[:digit:]": ["0"..."9"], "[:graph:]": ["!"..."~"], "[:lower:]": ["a"..."z"],
    "[:print:]": [" "..."~"], "[:punct:]": ["!"..."/", ":"..."@", "["..."`", "{"..."~"],
    "[:space:]": [" "..." ", "\t"..."\r"], "[:upper:]": ["A"..."Z"],
    "[:xdigit:]": ["0"..."9", "A"..."F", "a"..."f"],
  ]

  private mutating func member() throws(GlobError) -> Unicode.Scalar {
    if scalars[index] == "\\" { index += 1 }
    guard index < scalars.count else { throw .danglingBackslash(position: index) }
    defer { index += 1 }
    return scalars[index]
  }

  /// Compiles an alternative.
  ///
  /// `**` matches folders only if it is a whole part of the path; elsewhere it is the same as `*`.
  private static func compile(_ tokens: [Token]) -> [GlobItem] {
    var items: [GlobItem] = []
    var index = 0
    while index < tokens.count {
      let startsPart = index == 0 || tokens[index - 1].isSlash
      let isLast = index + 1 == tokens.count
      switch tokens[index] {
      case .stars(2...) where startsPart && isLast:
        items += index == 0 ? [.rest] : [.something, .rest]
      case .stars(2...) where startsPart && tokens[index + 1].isSlash:
        items += [.folders, .insideFolders]
        index += 1
      case .stars: items.append(.name)
      case .unit(let unit): items.append(.unit(unit))
      case .one: items.append(.one)
      case .set(let ranges, let negated): items.append(.set(ranges, negated: negated))
      }
      index += 1
    }
    return items
  }
}
