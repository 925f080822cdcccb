/// One defect of a recipe or a sidecar: the problem, its place, and the expected content.
public struct Diagnostic: Sendable, Hashable {
  public let problem: Problem
  /// The place in the document, such as `$.filters[0].stops`.
  public let path: JSONPath
  public var location: SourceLocation?
  /// A fact that explains the problem, such as the origin of a value.
  public var note: String?

  public init(_ problem: Problem, at path: JSONPath, _ location: SourceLocation?) {
    self.problem = problem
    self.path = path
    self.location = location
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The message with its place, the source line with a caret, and the expected content.
  public var description: String {
    var lines = ["\(location.map { "\($0.description): " } ?? "")error: \(problem.message)"]
    lines[0] += path.isRoot ? "" : ", at \(path)"
    if let location {
      let line = location.source.line(at: location.offset)
      let column = location.source.position(of: location.offset).column
      let shown = SourceExcerpt(line: line, column: column)
      lines += ["  | \(shown.text)", "  | \(shown.caret)"]
    }
    if let note { lines.append("  note: \(note)") }
    if let hint = problem.hint { lines.append("  hint: \(hint)") }
    return lines.map(Self.printable).joined(separator: "\n")
  }

  /// The maximum length of a line of the message, in characters; longer lines are cut.
  ///
  /// A name that the message quotes from the document may have any length.
  private static let longestLine = 600

  /// Replaces characters that control a terminal by escapes, and cuts the line to `longestLine`.
  private static func printable(_ line: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in line.unicodeScalars.prefix(longestLine) {
      if scalar.isControl {
        text += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      } else {
        text.append(scalar)
      }
    }
    return String(text) + (line.unicodeScalars.count > longestLine ? "…" : "")
  }
}

extension Unicode.Scalar {
  /// True if the character moves the cursor, changes the direction of writing or breaks the line.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}

/// A source line, cut to the width of a terminal, with a caret under one column.
private struct SourceExcerpt {
  static let width = 96
  let text: String
  let caret: String

  init(line: String, column: Int) {
    let scalars = Array(line.unicodeScalars)
    let start = column <= Self.width ? 0 : column - Self.width / 2
    let cut = scalars[min(start, scalars.count)...].prefix(Self.width)
    let visible = cut.map { $0.isControl ? " " : $0 }
    let isCut = scalars.count > start + Self.width
    let shown = String(String.UnicodeScalarView(start > 0 ? Array(visible.dropFirst()) : visible))
    text = (start > 0 ? "…" : "") + shown + (isCut ? "…" : "")
    caret = String(repeating: " ", count: max(0, column - 1 - start)) + "^"
  }
}

/// The diagnostics of one document; the code that reads a recipe adds its diagnostics here.
///
/// Only the first `limit` are kept, because a damaged document may have one for each of its values.
public struct Diagnostics: Sendable, Hashable {
  package static let limit = 100

  public private(set) var all: [Diagnostic] = []

  public init() {}

  public var isEmpty: Bool { all.isEmpty }

  /// True if further diagnostics are dropped.
  package var isFull: Bool { all.count >= Self.limit }

  public mutating func add(_ problem: Problem, at path: JSONPath, _ location: SourceLocation?) {
    add(Diagnostic(problem, at: path, location))
  }

  package mutating func add(_ diagnostic: Diagnostic) {
    if !isFull { all.append(diagnostic) }
  }

  package mutating func append(_ others: Diagnostics) { append(others) { $0 } }

  /// Adds the diagnostics of another document.
  public mutating func append(_ other: InvalidDocument) {
    for diagnostic in other.diagnostics { add(diagnostic) }
  }

  /// Calls `change` with each diagnostic of `others` and adds the result; a diagnostic is omitted
  /// if the result is nil.
  package mutating func append(_ others: Diagnostics, _ change: (Diagnostic) -> Diagnostic?) {
    for diagnostic in others.all.compactMap(change) { add(diagnostic) }
  }

  /// Throws the diagnostics, in the order of the text, if there are any.
  public func check() throws(InvalidDocument) {
    if !isEmpty { throw InvalidDocument(diagnostics: sorted) }
  }

  private var sorted: [Diagnostic] {
    var sources: [String] = []
    func rank(_ diagnostic: Diagnostic) -> (Int, Int) {
      guard let location = diagnostic.location else { return (-1, 0) }
      let source = sources.firstIndex(of: location.source.name) ?? sources.endIndex
      if source == sources.endIndex { sources.append(location.source.name) }
      return (source, location.offset)
    }
    let ranked = all.map { (rank($0), $0) }.enumerated()
    return ranked.sorted { a, b in
      (a.element.0.0, a.element.0.1, a.offset) < (b.element.0.0, b.element.0.1, b.offset)
    }.map(\.element.1)
  }
}

/// The error for a recipe, a `--set` or a sidecar that cannot be used, with its defects.
public struct InvalidDocument: UserError, Hashable {
  public let diagnostics: [Diagnostic]

  public init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  public var message: String {
    let lines = diagnostics.map(\.description)
    let isCut = diagnostics.count >= Diagnostics.limit
    return (lines + (isCut ? ["only the first \(lines.count) errors are listed"] : []))
      .joined(separator: "\n")
  }

  public var hint: String {
    "run 'phbatch schema' or 'phbatch filters' to see what a recipe may contain"
  }

  public var description: String { message }
}
