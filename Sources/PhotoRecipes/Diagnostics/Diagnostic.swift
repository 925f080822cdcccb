/// One thing wrong with a recipe or a sidecar: what, where, what was expected.
public struct Diagnostic: Sendable, Hashable {
  public let problem: Problem
  /// The place in the document, as `$.filters[0].stops`.
  public let path: JSONPath
  public let location: SourceLocation?

  public init(_ problem: Problem, at path: JSONPath, _ location: SourceLocation?) {
    self.problem = problem
    self.path = path
    self.location = location
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The message with its place, the source line with a caret, and what was expected.
  public var description: String {
    var lines = ["\(location.map { "\($0.description): " } ?? "")error: \(problem.message)"]
    lines[0] += path.isRoot ? "" : " at \(path)"
    if let location {
      let line = location.source.line(at: location.offset)
      let column = location.source.position(of: location.offset).column
      let shown = SourceExcerpt(line: line, column: column)
      lines += ["  | \(shown.text)", "  | \(shown.caret)"]
    }
    if let hint = problem.hint { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n")
  }
}

/// A source line cut to what a terminal shows, with a caret under one column.
private struct SourceExcerpt {
  static let width = 96
  let text: String
  let caret: String

  init(line: String, column: Int) {
    let scalars = Array(line.unicodeScalars)
    let start = column <= Self.width ? 0 : column - Self.width / 2
    let cut = scalars[min(start, scalars.count)...].prefix(Self.width)
    let visible = cut.map { $0.value < 32 ? " " : $0 }
    text = String(String.UnicodeScalarView(visible))
    caret = String(repeating: " ", count: max(0, column - 1 - start)) + "^"
  }
}

/// Every diagnostic of one document; what the readers of a recipe add to.
public struct Diagnostics: Sendable, Hashable {
  public private(set) var all: [Diagnostic] = []

  public init() {}

  public var isEmpty: Bool { all.isEmpty }

  public mutating func add(_ problem: Problem, at field: Field) {
    all.append(Diagnostic(problem, at: field.path, field.json.location))
  }

  public mutating func add(_ problem: Problem, at path: JSONPath, _ location: SourceLocation?) {
    all.append(Diagnostic(problem, at: path, location))
  }

  /// The document as a failure, when there is one.
  public func check() throws(InvalidDocument) {
    if !isEmpty { throw InvalidDocument(diagnostics: all) }
  }
}

/// A recipe, a `--set` or a sidecar that cannot be used, with all that is wrong with it.
public struct InvalidDocument: UserError, Hashable {
  public let diagnostics: [Diagnostic]

  public init(diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  public var message: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }

  public var hint: String {
    "run 'phbatch schema' or 'phbatch filters' for what a recipe may say"
  }

  public var description: String { message }
}
