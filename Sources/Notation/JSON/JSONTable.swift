/// A JSON document as a table of where its values stand: what nobody asks for is checked, and costs
/// no more.
///
/// It takes the texts that `JSONParser` finds nothing wrong with when it keeps large numbers, and no
/// others; what is wrong with a text only that one says.
public final class JSONTable: Sendable {
  public let source: SourceText
  let entries: [Entry]

  /// One value, which those inside it follow; offsets are in bytes from the document's start.
  struct Entry: Sendable {
    var kind: Kind
    /// True if a string, or the key, has escapes.
    var isEscaped = false
    var isKeyEscaped = false
    /// The offset of the value's text.
    var start: Int32
    var end: Int32 = 0
    /// The offset of the key between its quotes; empty in arrays.
    var keyStart: Int32 = 0
    var keyEnd: Int32 = 0
    /// The entry after the last one inside this.
    var next: Int32 = 0
    /// The array or object that it is in; -1 for the document.
    var parent: Int32
  }

  enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
  }

  /// Reads a document; nil where something is wrong with it.
  public init?(_ source: SourceText) {
    guard source.bytes.count < Int(Int32.max) else { return nil }
    var reader = JSONTableReader(source.bytes)
    do throws(JSONTableReader.Flaw) { entries = try reader.document() } catch { return nil }
    self.source = source
  }

  /// The whole document.
  public var root: JSONNode { JSONNode(table: self, index: 0) }
}
