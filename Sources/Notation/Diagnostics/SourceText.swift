/// A text that a person wrote, kept so that an error can point into it: a recipe, a sidecar, a
/// `--set` argument.
public struct SourceText: Sendable, Hashable {
  /// The text's name in messages: a file's path as given, or `--set`.
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  public init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// Line and column of a byte offset, both from 1; a column is one Unicode scalar.
  public func position(of offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, bytes.count)
    let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
    let column = bytes[lineStart(of: end)..<end].count { $0 & 0xC0 != 0x80 } + 1
    return (line, column)
  }

  /// The line that holds `offset`, without its line break.
  public func line(at offset: Int) -> String {
    let start = lineStart(of: min(offset, bytes.count))
    let rest = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: rest, as: UTF8.self)
  }

  private func lineStart(of offset: Int) -> Int {
    (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }
}

/// A place in a source text, counted in bytes.
public struct SourceLocation: Sendable, Hashable {
  public let source: SourceText
  public let offset: Int

  public init(source: SourceText, offset: Int) {
    self.source = source
    self.offset = offset
  }

  /// `file:line:column`.
  public var description: String {
    let position = source.position(of: offset)
    return "\(source.name):\(position.line):\(position.column)"
  }
}
