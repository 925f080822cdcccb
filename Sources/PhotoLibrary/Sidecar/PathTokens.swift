/// A path template as tokens, which are matched with the bytes of a path.
struct PathTokens: Sendable, Hashable {
  enum Token: Sendable, Hashable {
    case text([UInt8])
    /// The photo's name without its extension.
    case stem
    /// The photo's name.
    case name
    /// One or more decimal digits.
    case number
    /// The bytes of a date, in which each digit matches any digit.
    case date([UInt8])
    case hexadecimal(Int)
  }

  /// True if the photo's name follows from a path; false if only its stem does.
  let giveName: Bool
  /// The number of path components of the tokens.
  let depth: Int
  /// The tokens before the one that gives the photo's name or stem; nil if there is none.
  private let before: [Token]?
  /// The tokens after it, from the last to the first, with their bytes reversed.
  private let after: [Token]

  init(_ tokens: [Token]) {
    // A template may contain a photo's name as well as its stem; the name is used, because it
    // includes the extension.
    let name = tokens.firstIndex(of: .name)
    giveName = name != nil
    depth =
      1
      + tokens.reduce(0) { count, token in
        switch token {
        case .text(let bytes), .date(let bytes): count + bytes.count { $0 == UInt8(ascii: "/") }
        case .stem, .name, .number, .hexadecimal: count
        }
      }
    let index = name ?? tokens.lastIndex(of: .stem)
    before = index.map { Array(tokens[..<$0]) }
    after = index.map { tokens[($0 + 1)...].reversed().map(\.reversed) } ?? []
  }

  /// The names, or the stems, of the photos for which the tokens match a path.
  ///
  /// The search tracks all positions that the tokens can reach, so its time is proportional to the
  /// number of tokens times the length of the path, at most. A search that backtracks would take
  /// exponential time for placeholders that follow one another.
  func photos(for path: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let before, let ends = Self.reached(by: after, in: path.reversed()),
      let starts = Self.reached(by: before, in: path)
    else { return [] }
    var photos: [ArraySlice<UInt8>] = []
    for start in path.indices where starts[start] {
      for end in path.indices[start...] {
        if path[end] == UInt8(ascii: "/") { break }
        if ends[path.count - end - 1] { photos.append(path[start...end]) }
      }
    }
    return photos
  }

  /// The positions of `bytes` at which the tokens can end if they begin at the start; nil if they
  /// do not match.
  private static func reached(by tokens: [Token], in bytes: [UInt8]) -> [Bool]? {
    var reached = [Bool](repeating: false, count: bytes.count + 1)
    reached[0] = true
    for token in tokens {
      reached = token.ends(in: bytes, from: reached)
      if !reached.contains(true) { return nil }
    }
    return reached
  }
}

extension PathTokens.Token {
  /// The token that matches the reversed bytes.
  fileprivate var reversed: Self {
    switch self {
    case .text(let bytes): .text(bytes.reversed())
    case .date(let form): .date(form.reversed())
    case .stem, .name, .number, .hexadecimal: self
    }
  }

  /// The positions at which the token can end, if it begins at one of the positions `starts`.
  fileprivate func ends(in bytes: [UInt8], from starts: [Bool]) -> [Bool] {
    var ends = [Bool](repeating: false, count: starts.count)
    func takeBytes(_ count: Int, _ isMatch: (ArraySlice<UInt8>) -> Bool) {
      guard count <= bytes.count else { return }
      for start in 0...(bytes.count - count) where starts[start] {
        if isMatch(bytes[start..<(start + count)]) { ends[start + count] = true }
      }
    }
    func takeRun(_ isMember: (UInt8) -> Bool) {
      for index in bytes.indices {
        ends[index + 1] = (starts[index] || ends[index]) && isMember(bytes[index])
      }
    }
    switch self {
    case .text(let text): takeBytes(text.count) { $0.elementsEqual(text) }
    case .date(let form): takeBytes(form.count) { $0.elementsEqual(form, by: Self.isForm) }
    case .hexadecimal(let count): takeBytes(count) { $0.allSatisfy(Self.isHexadecimal) }
    case .number: takeRun(Self.isDigit)
    case .stem, .name: takeRun { $0 != UInt8(ascii: "/") }
    }
    return ends
  }

  /// True if a byte matches a byte of a date: both are digits, or they are equal.
  private static func isForm(_ byte: UInt8, of form: UInt8) -> Bool {
    byte == form || (isDigit(form) && isDigit(byte))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
