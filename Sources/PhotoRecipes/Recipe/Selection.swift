public import Notation

/// The conditions by which a recipe selects photos of a library.
public struct Selection: Sendable, Hashable {
  public var include: [Glob] = []
  public var exclude: [Glob] = []
  public var conditions: [Condition] = []

  public init() {}

  /// True if the path, relative to the library's root, is selected; an empty `include` selects all.
  public func matches(path: [UInt8]) -> Bool {
    (include.isEmpty || include.contains { $0.matches(path) })
      && !exclude.contains { $0.matches(path) }
  }

  /// True if the photo's header must be read to decide whether the photo is selected.
  public var needsHeader: Bool { conditions.contains { $0.fact.needsHeader } }

  /// The first condition that `facts` do not meet; nil if all are met.
  public func firstUnmet(by facts: PhotoFacts) -> Condition? {
    conditions.first { !$0.holds(for: facts) }
  }
}

/// The facts about a photo that conditions can test.
public struct PhotoFacts: Sendable, Hashable {
  /// The size of the upright photo in pixels; nil if its header has not been read.
  public var size: Size?
  public var bytes: Int
  public var format: String
  /// The capture time, or else the file's modification time in UTC, as `yyyy-MM-ddTHH:mm:ss`.
  public var date: String
  public var details = PhotoDetails()

  public init(size: Size?, bytes: Int, format: String, date: String) {
    self.size = size
    self.bytes = bytes
    self.format = format
    self.date = date
  }
}

/// One condition of `select.where`, such as `"width": ">=1000"`.
public struct Condition: Sendable, Hashable {
  public enum Fact: String, Sendable, CaseIterable {
    case width, height, longEdge, shortEdge, megapixels, bytes, format, date
    case camera, lens, iso, aperture, focalLength, rating, label, keywords, gps
    case duration, fps, codec

    var needsHeader: Bool { self != .bytes && self != .format }

    /// True if the fact is a text that is compared with patterns.
    var isText: Bool {
      switch self {
      case .camera, .lens, .label, .keywords, .codec: true
      default: false
      }
    }

    /// The JSON Schema of one value with which a recipe compares the fact, such as `">=1000"`.
    var schema: JSON {
      if self == .gps { return .object(["type": .string("boolean")]) }
      let pattern =
        switch self {
        case .format: "^(\(InputCatalog.names.joined(separator: "|")))$"
        case .camera, .lens, .label, .keywords, .codec: "."
        case .date:
          #"^([<>]=?|!?=)? *\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])"#
            + #"(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?)?)? *$"#
        default: #"^([<>]=?|!?=)? *-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)? *$"#
        }
      let text = JSON.object(["type": .string("string"), "pattern": .string(pattern)])
      if self == .format || self == .date || isText { return text }
      return .object(["anyOf": .array([.object(["type": .string("number")]), text])])
    }

    var expectation: String {
      switch self {
      case .format:
        "a format such as \"jpeg\" or \"cr3\", \"raw\" for every raw photo, or an array of formats"
      case .gps: "true or false"
      case .camera, .lens, .label, .keywords, .codec:
        "a pattern such as \"Canon*\" (upper and lower case are equal), or an array of patterns"
      case .date: "a comparison with a date such as \">=2024-01-31\", or an array of comparisons"
      default: "a number, a comparison such as \">=1000\", or an array of comparisons"
      }
    }
  }

  public enum Comparison: String, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case notEqual = "!="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  public enum Bound: Sendable, Hashable {
    case number(Comparison, Double)
    /// A comparison with a prefix of `yyyy-MM-ddTHH:mm:ss`.
    case date(Comparison, String)
    case anyOf([String])
    /// Patterns in lower case, at least one of which must match.
    case matches([Glob])
    case flag(Bool)
  }

  public var fact: Fact
  public var bound: Bound

  func holds(for facts: PhotoFacts) -> Bool {
    switch bound {
    case .anyOf(let formats):
      formats.contains(facts.format)
        || formats.contains(InputFormat.raw.name) && InputFormat.isRaw(named: facts.format)
    case .matches(let patterns):
      texts(in: facts.details).contains { text in
        patterns.contains { $0.matches(Array(text.lowercased().utf8)) }
      }
    case .flag(let wanted): facts.details.hasPosition == wanted
    case .date(let comparison, let date):
      comparison.holds(String(facts.date.prefix(date.count)), date)
    case .number(let comparison, let limit):
      number(in: facts).map { comparison.holds($0, limit) } ?? false
    }
  }

  /// The texts that patterns are compared with; each `/` is replaced, because it has a special
  /// meaning in patterns.
  private func texts(in details: PhotoDetails) -> [String] {
    let texts =
      switch fact {
      case .camera: [details.camera].compactMap { $0 }
      case .lens: [details.lens].compactMap { $0 }
      case .label: [details.label].compactMap { $0 }
      case .codec: [details.codec].compactMap { $0 }
      case .keywords: details.keywords
      default: [String]()
      }
    return texts.map { $0.replacing("/", with: "|") }
  }

  private func number(in facts: PhotoFacts) -> Double? {
    switch fact {
    case .width: facts.size.map { Double($0.width) }
    case .height: facts.size.map { Double($0.height) }
    case .longEdge: facts.size.map { Double($0.longEdge) }
    case .shortEdge: facts.size.map { Double($0.shortEdge) }
    case .megapixels: facts.size.map { Double($0.pixels) / 1e6 }
    case .bytes: Double(facts.bytes)
    case .iso: facts.details.sensitivity
    case .aperture: facts.details.aperture
    case .focalLength: facts.details.focalLength
    // A photo without a rating has 0 stars.
    case .rating: facts.details.rating ?? 0
    case .duration: facts.details.duration
    case .fps: facts.details.frameRate
    case .format, .date, .camera, .lens, .label, .keywords, .gps, .codec: nil
    }
  }
}

extension Condition: CustomStringConvertible {
  public var description: String {
    switch bound {
    case .anyOf(let formats): "\(fact.rawValue) \(formats.joined(separator: " or "))"
    case .matches(let patterns):
      "\(fact.rawValue) \(patterns.map(\.pattern).joined(separator: " or "))"
    case .flag(let wanted): "\(fact.rawValue) \(wanted)"
    case .date(let comparison, let date): "\(fact.rawValue) \(comparison.rawValue) \(date)"
    case .number(let comparison, let limit):
      "\(fact.rawValue) \(comparison.rawValue) \(limit.brief)"
    }
  }
}

extension Condition.Comparison {
  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .atLeast: left >= right
    case .atMost: left <= right
    case .notEqual: left != right
    case .above: left > right
    case .below: left < right
    case .equal: left == right
    }
  }

  /// Splits a text into the comparison operator at its start and the rest, without the spaces around
  /// the rest.
  static func split(_ text: String) -> (Self, String) {
    let sign = allCases.first { text.hasPrefix($0.rawValue) }
    var rest = text.dropFirst(sign?.rawValue.count ?? 0).drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return (sign ?? .equal, String(rest))
  }
}

extension Selection {
  static let keys = ["include", "exclude", "where", "comment"]

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    let expected = "a selection such as {\"include\": [\"**/*.jpg\"]}"
    guard diagnostics.expectObject(field, expected) else { return }
    var reader = ObjectReader(field, "selection", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: Self.keys)
    _ = reader.read("comment", as: .text, String.self)
    include = Self.globs("include", &reader)
    exclude = Self.globs("exclude", &reader)
    guard let facts = field["where"],
      reader.diagnostics.expectObject(facts, "conditions such as {\"width\": \">=1000\"}")
    else { return }
    for (key, location, value) in facts.members {
      guard let fact = Condition.Fact(rawValue: key) else {
        let known = Condition.Fact.allCases.map(\.rawValue)
        reader.diagnostics.add(
          .unknownKey(key, in: "'where'", known: known), at: value.path, location)
        continue
      }
      conditions += Self.conditions(fact, value, &reader.diagnostics)
    }
  }

  private static func globs(_ key: String, _ reader: inout ObjectReader) -> [Glob] {
    let expected = "an array of patterns such as \"**/*.jpg\""
    return reader.elements(key, expected: expected).compactMap { element in
      guard let text = element.json.string else {
        reader.diagnostics.add(
          .wrongType(found: element.json.summary, expected: "a pattern"), at: element)
        return nil
      }
      if let problem = problem(ofPathPattern: text) {
        reader.diagnostics.add(problem, at: element)
        return nil
      }
      do throws(GlobError) { return try Glob(text) } catch {
        let problem = Problem.contradiction(error.message, remedy: error.hint)
        reader.diagnostics.add(problem, at: element, character: error.position)
        return nil
      }
    }
  }

  /// The problem of a pattern with a part that no path has; nil if there is none.
  private static func problem(ofPathPattern pattern: String) -> Problem? {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let useful = parts.filter { !["", ".", ".."].contains($0) }
    if pattern.isEmpty || useful.count == parts.count { return nil }
    let folder = pattern.hasSuffix("/") && !useful.isEmpty ? [Substring("**")] : []
    let better = (useful + folder).joined(separator: "/")
    return .contradiction(
      "the pattern \"\(pattern)\" matches no photo, because paths begin below the library's root"
        + " and have no part '', '.' or '..'",
      remedy: "write \"\(better.isEmpty ? "**" : better)\"")
  }

  private static func conditions(
    _ fact: Condition.Fact, _ field: Field, _ diagnostics: inout Diagnostics
  ) -> [Condition] {
    let fields = field.json.array == nil ? [field] : field.elements
    if fields.isEmpty {
      diagnostics.add(.wrongCount(0, of: "value", expected: "at least one"), at: field)
    }
    let bounds = fields.compactMap { field -> Condition.Bound? in
      do throws(Problem) {
        if let bound = try bound(fact, field.json) { return bound }
        throw .malformed(found: field.json.summary, expected: fact.expectation)
      } catch {
        diagnostics.add(error, at: field)
        return nil
      }
    }
    if fact.isText {
      let patterns = bounds.flatMap { if case .matches(let globs) = $0 { globs } else { [Glob]() } }
      return patterns.isEmpty ? [] : [Condition(fact: fact, bound: .matches(patterns))]
    }
    if fact != .format { return bounds.map { Condition(fact: fact, bound: $0) } }
    let names = bounds.flatMap { if case .anyOf(let names) = $0 { names } else { [String]() } }
    return names.isEmpty ? [] : [Condition(fact: fact, bound: .anyOf(names))]
  }

  /// The value with which a fact is compared; nil if it has another form.
  ///
  /// - Throws: The problem if the value is a date or a time that does not exist.
  private static func bound(
    _ fact: Condition.Fact, _ json: JSON
  ) throws(Problem) -> Condition.Bound? {
    if fact == .gps { return json.bool.map(Condition.Bound.flag) }
    if let number = json.number {
      return fact == .format || fact == .date || fact.isText ? nil : .number(.equal, number)
    }
    guard let text = json.string else { return nil }
    if fact == .format { return InputCatalog.format(named: text).map { .anyOf([$0.name]) } }
    if fact.isText {
      let pattern = text.lowercased().replacing("/", with: "|")
      return (try? Glob(pattern)).map { .matches([$0]) }
    }
    let (comparison, rest) = Condition.Comparison.split(text)
    if fact != .date {
      // Swift also reads words and hexadecimal numbers.
      let isPlain = rest.first != "+" && rest.allSatisfy { "0123456789.eE+-".contains($0) }
      guard isPlain, let number = Double(rest), number.isFinite else { return nil }
      return .number(comparison, number)
    }
    let shape = "0000-00-00T00:00:00".prefix(rest.count)
    let fits =
      [4, 7, 10, 16, 19].contains(rest.count)
      && zip(rest, shape).allSatisfy { $1 == "0" ? ("0"..."9").contains($0) : $0 == $1 }
    guard fits else { return nil }
    if let problem = nonexistence(ofDate: rest) { throw problem }
    return .date(comparison, rest)
  }

  /// The problem of a prefix of `yyyy-MM-ddTHH:mm:ss` whose month, day or time does not exist; nil if
  /// all exist.
  private static func nonexistence(ofDate text: String) -> Problem? {
    func missing(_ what: String, _ remedy: String) -> Problem {
      .contradiction("there is no \(what)", remedy: remedy)
    }
    let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
    guard numbers.count > 1 else { return nil }
    guard 1...12 ~= numbers[1] else {
      return missing("month \(text.prefix(7))", "write a month from 01 to 12")
    }
    guard numbers.count > 2 else { return nil }
    let days = CivilTime.days(in: numbers[1], of: numbers[0])
    guard 1...days ~= numbers[2] else {
      return missing("day \(text.prefix(10))", "\(text.prefix(7)) has \(days) days")
    }
    if zip(numbers[3...], [0...23, 0...59, 0...59]).allSatisfy({ $1 ~= $0 }) { return nil }
    return missing("time \(text.dropFirst(11))", "write a time from 00:00:00 to 23:59:59")
  }
}
