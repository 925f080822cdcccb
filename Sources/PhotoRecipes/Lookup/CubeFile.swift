public import Notation

/// A `.cube` file: curves (1D), a cube (3D), or curves and then a cube as in DaVinci Resolve's
/// files.
///
/// - Source: Adobe, Cube LUT Specification 1.0, 2013; the keywords `LUT_1D_INPUT_RANGE` and
///   `LUT_3D_INPUT_RANGE` are DaVinci Resolve's.
public struct CubeFile: Sendable, Hashable {
  /// The maximum size in bytes; even a cube of 256³ points, written with many digits, is smaller.
  public static let longest = 640 << 20
  /// The permitted number of samples of a curve.
  static let curveSizes = 2...65_536

  public private(set) var title: String?
  public private(set) var table: LookupTable

  /// Reads a file.
  ///
  /// - Throws: The first error in the file, with its location.
  public init(_ source: SourceText) throws(InvalidDocument) {
    var reader = CubeReader(source)
    do throws(CubeReader.Flaw) {
      (title, table) = try reader.read()
    } catch {
      // The source is omitted from a message if the file is too long to be a `.cube` file.
      let isShown = source.bytes.count <= Self.longest
      let shown = isShown ? source : SourceText(name: source.name, bytes: [])
      let location = SourceLocation(source: shown, offset: error.offset)
      let problem = Problem.contradiction(error.message, remedy: error.remedy)
      throw InvalidDocument(diagnostics: [Diagnostic(problem, at: .root, location)])
    }
  }
}

/// Reads the lines of a `.cube` file.
private struct CubeReader {
  struct Flaw: Error {
    let message: String
    let remedy: String
    let offset: Int
  }

  private enum Keyword: String, CaseIterable {
    case title = "TITLE"
    case domainMin = "DOMAIN_MIN"
    case domainMax = "DOMAIN_MAX"
    case curveSize = "LUT_1D_SIZE"
    case curveRange = "LUT_1D_INPUT_RANGE"
    case cubeSize = "LUT_3D_SIZE"
    case cubeRange = "LUT_3D_INPUT_RANGE"
  }

  private typealias Vector = ColourMatrix.Vector

  private let source: SourceText
  private var title: String?
  private var numbers: [Keyword: [Double]] = [:]
  /// The offset of each keyword read so far.
  private var places: [Keyword: Int] = [:]
  private var rows: [Float] = []
  /// The number of rows that the sizes require; nil until the first row.
  private var expected: Int?

  init(_ source: SourceText) { self.source = source }

  mutating func read() throws(Flaw) -> (title: String?, LookupTable) {
    let bytes = source.bytes
    if bytes.count > CubeFile.longest {
      throw Flaw(
        message: "the file has more than \(CubeFile.longest >> 20) MB",
        remedy: "use a cube of at most \(ColourCube.edges.upperBound)³ points", offset: 0)
    }
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      try read(words(in: start..<end), start..<end)
      start = end + 1
    }
    let count = try expectedRows(at: bytes.count)
    if rows.count < 3 * count {
      throw Flaw(
        message: "the table ends after \(rows.count / 3) of \(count) rows",
        remedy: "the file is incomplete; copy or download it again", offset: bytes.count)
    }
    return (title, try table())
  }

  /// The ranges of the words in a line.
  private func words(in line: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in line {
      let isSpace = [0x20, 0x09, 0x0D].contains(source.bytes[index])
      if !isSpace && start == nil { start = index }
      if isSpace, let first = start {
        words.append(first..<index)
        start = nil
      }
    }
    if let start { words.append(start..<line.upperBound) }
    return words
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: source.bytes[range], as: UTF8.self)
  }

  private mutating func read(_ words: [Range<Int>], _ line: Range<Int>) throws(Flaw) {
    guard let first = words.first, source.bytes[first.lowerBound] != UInt8(ascii: "#") else {
      return
    }
    let isName = source.bytes[first.lowerBound] & 0xDF
    guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(isName), !isNumberName(first) else {
      return try readRow(words)
    }
    let name = text(first)
    guard let keyword = Keyword(rawValue: name) else {
      let known = Keyword.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: name, among: known)
      throw Flaw(
        message: "'\(name.prefix(40))' is not a keyword of .cube files",
        remedy: nearest.map { "did you mean '\($0)'?" } ?? "remove the line",
        offset: first.lowerBound)
    }
    if expected != nil {
      throw Flaw(
        message: "'\(name)' is after the first row", remedy: "put it before the table",
        offset: first.lowerBound)
    }
    if places.updateValue(first.lowerBound, forKey: keyword) != nil {
      throw Flaw(
        message: "'\(name)' occurs twice", remedy: "keep one of them", offset: first.lowerBound)
    }
    switch keyword {
    case .title:
      let quoted = first.upperBound..<line.upperBound
      title = text(quoted).split(separator: "\"").dropFirst().first.map(String.init)
    case .domainMin, .domainMax: numbers[keyword] = try values(words, 3)
    case .curveRange, .cubeRange: numbers[keyword] = try values(words, 2)
    case .curveSize: numbers[keyword] = try size(words, CubeFile.curveSizes)
    case .cubeSize: numbers[keyword] = try size(words, ColourCube.edges)
    }
  }

  /// True if a word that begins with a letter is a number (`nan`, `inf`).
  private func isNumberName(_ word: Range<Int>) -> Bool {
    ["nan", "inf", "infinity"].contains(text(word).lowercased())
  }

  private func values(_ words: [Range<Int>], _ count: Int) throws(Flaw) -> [Double] {
    var values: [Double] = []
    for word in words.dropFirst() { values.append(try number(word)) }
    if values.count != count {
      throw Flaw(
        message: "'\(text(words[0]))' has \(values.count.counting("number")), not \(count)",
        remedy: "write \(count.counting("number")) after it", offset: words[0].lowerBound)
    }
    return values
  }

  private func size(_ words: [Range<Int>], _ range: ClosedRange<Int>) throws(Flaw) -> [Double] {
    let values = try values(words, 1)
    guard let size = Int(text(words[1])), range.contains(size) else {
      throw Flaw(
        message: "\(text(words[0])) \(text(words[1])) is out of range",
        remedy: "use a whole number from \(range.lowerBound) to \(range.upperBound)",
        offset: words[1].lowerBound)
    }
    return values
  }

  private func number(_ word: Range<Int>) throws(Flaw) -> Double {
    let isPlain = source.bytes[word].allSatisfy { Self.numeric.contains($0) }
    guard isPlain, let value = Double(text(word)), Float(value).isFinite else {
      throw Flaw(
        message: "'\(text(word).prefix(40))' is not a finite number",
        remedy: "write it as 0.5 or 5e-1", offset: word.lowerBound)
    }
    return value
  }

  private static let numeric = Set("0123456789+-.eE".utf8)

  private mutating func readRow(_ words: [Range<Int>]) throws(Flaw) {
    let count = try expectedRows(at: words[0].lowerBound)
    if words.count != 3 {
      throw Flaw(
        message: "a row needs three numbers, but this one has \(words.count)",
        remedy: "write red, green and blue", offset: words[0].lowerBound)
    }
    if rows.count == 3 * count {
      throw Flaw(
        message: "there are more than \(count) rows",
        remedy: "make the size match the number of rows",
        offset: words[0].lowerBound)
    }
    for word in words { rows.append(Float(try number(word))) }
  }

  private var curveSize: Int { Int(numbers[.curveSize]?.first ?? 0) }
  private var cubeSize: Int { Int(numbers[.cubeSize]?.first ?? 0) }

  /// Checks, at the first row, that the header is complete, and returns the number of rows.
  private mutating func expectedRows(at offset: Int) throws(Flaw) -> Int {
    if let expected { return expected }
    if curveSize == 0 && cubeSize == 0 {
      throw Flaw(
        message: source.bytes.isEmpty
          ? "the file is empty" : "neither LUT_1D_SIZE nor LUT_3D_SIZE is before the table",
        remedy: "use a .cube file that was exported by a program such as DaVinci Resolve",
        offset: offset)
    }
    let hasDomain = numbers[.domainMin] != nil || numbers[.domainMax] != nil
    if hasDomain && (numbers[.curveRange] != nil || numbers[.cubeRange] != nil) {
      throw Flaw(
        message: "the file has both a DOMAIN and an INPUT_RANGE", remedy: "keep one of them",
        offset: place(of: [.curveRange, .cubeRange]) ?? offset)
    }
    if hasDomain && curveSize > 0 && cubeSize > 0 {
      throw Flaw(
        message: "a file with curves and a cube cannot have a DOMAIN",
        remedy: "use LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE",
        offset: place(of: [.domainMin, .domainMax]) ?? offset)
    }
    for (keyword, size) in [(Keyword.curveRange, curveSize), (.cubeRange, cubeSize)]
    where numbers[keyword] != nil && size == 0 {
      throw Flaw(
        message: "the size that belongs to \(keyword.rawValue) is missing",
        remedy: "remove the line",
        offset: places[keyword] ?? offset)
    }
    for keyword in [Keyword.curveRange, .cubeRange] {
      let (low, high) = domain(keyword)
      let place = place(of: [keyword, .domainMin, .domainMax]) ?? offset
      if !all(low .< high) {
        throw Flaw(
          message: "the end of the domain is below its start",
          remedy: "give the lower number first",
          offset: place)
      }
      if !all(low + Self.narrowest .<= high) {
        throw Flaw(
          message: "the domain is narrower than \(Self.narrowest)",
          remedy: "export it for values from 0 to 1", offset: place)
      }
    }
    let count = curveSize + cubeSize * cubeSize * cubeSize
    expected = count
    rows.reserveCapacity(3 * count)
    return count
  }

  /// The minimum width of a domain, because a narrower one would lead to excessively large values
  /// when it is stretched over the table.
  private static let narrowest = 1e-6

  /// The greatest offset of any of `keywords` in the file; nil if the file contains none of them.
  private func place(of keywords: [Keyword]) -> Int? {
    keywords.compactMap { places[$0] }.max()
  }

  private func domain(_ range: Keyword) -> (low: Vector, high: Vector) {
    if let range = numbers[range] {
      return (Vector(repeating: range[0]), Vector(repeating: range[1]))
    }
    return (
      numbers[.domainMin].map { Vector($0[0], $0[1], $0[2]) } ?? .zero,
      numbers[.domainMax].map { Vector($0[0], $0[1], $0[2]) } ?? .one
    )
  }

  private func table() throws(Flaw) -> LookupTable {
    var table = LookupTable()
    if curveSize > 0 {
      let (low, high) = domain(.curveRange)
      table.curves = LookupTable.Curves(
        low: low, high: high,
        samples: (0..<3).map { c in (0..<curveSize).map { Double(rows[3 * $0 + c]) } })
    }
    if cubeSize > 0 {
      let (low, high) = domain(.cubeRange)
      table.cube = ColourCube(
        edge: cubeSize, low: low, high: high, values: Array(rows.dropFirst(3 * curveSize)))
    }
    return table
  }
}
