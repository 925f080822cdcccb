/// A text that a user wrote: a recipe, a sidecar or a `--set` argument.
///
/// The bytes are kept so that an error can refer to a position in the text.
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

  /// The offset of the first byte after the byte-order mark; 0 if there is no byte-order mark.
  var start: Int { bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0 }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The line and column of a byte offset, both counted from 1; a column is one Unicode scalar.
  public func position(of offset: Int) -> (line: Int, column: Int) {
    let end = max(start, min(offset, bytes.count))
    let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
    let column = bytes[lineStart(of: end)..<end].count { $0 & 0xC0 != 0x80 } + 1
    return (line, column)
  }

  /// The line that contains `offset`, without its line break.
  public func line(at offset: Int) -> String {
    let rest = bytes[lineStart(of: min(offset, bytes.count))...].prefix {
      $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
    }
    return String(decoding: rest, as: UTF8.self)
  }

  private func lineStart(of offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
  }
}

/// A position in a source text, as a byte offset.
public struct SourceLocation: Sendable, Hashable {
  public let source: SourceText
  public let offset: Int

  public init(source: SourceText, offset: Int) {
    self.source = source
    self.offset = offset
  }

  /// The position in the form `file:line:column`.
  public var description: String {
    let position = source.position(of: offset)
    return "\(source.name):\(position.line):\(position.column)"
  }
}
