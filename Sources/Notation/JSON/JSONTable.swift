/// A JSON document as a table of the positions of its values.
///
/// The document is checked completely, but a value is decoded only on access.
///
/// A table is created for exactly those texts that `JSONParser` accepts with `keepingLargeNumbers`.
/// For the diagnostics of an invalid text, use `JSONParser`.
public final class JSONTable: Sendable {
  public let source: SourceText
  let entries: [Entry]

  /// One value.
  ///
  /// The entries of the values inside it follow this entry in the table.
  ///
  /// Offsets are in bytes from the start of the document.
  struct Entry: Sendable {
    var kind: Kind
    /// True if the string contains escapes; `isKeyEscaped` is the same for the key.
    var isEscaped = false
    var isKeyEscaped = false
    /// The offset of the value's source text.
    var start: Int32
    var end: Int32 = 0
    /// The offset of the key's text between its quotes; elements of an array have no key, so
    /// `keyStart` is equal to `keyEnd`.
    var keyStart: Int32 = 0
    var keyEnd: Int32 = 0
    /// The index of the entry after the last entry inside this value.
    var next: Int32 = 0
    /// The index of the array or object that contains the value; -1 for the root.
    var parent: Int32
  }

  enum Kind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
  }

  /// Reads a document; nil if it is invalid.
  public init?(_ source: SourceText) {
    guard source.bytes.count < Int(Int32.max) else { return nil }
    var reader = JSONTableReader(source)
    do throws(JSONTableReader.Flaw) { entries = try reader.document() } catch { return nil }
    self.source = source
  }

  /// The root value of the document.
  public var root: JSONNode { JSONNode(table: self, index: 0) }
}
