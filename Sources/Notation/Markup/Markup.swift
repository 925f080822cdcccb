/// An element of an XML document, with names that are resolved to namespaces.
package struct MarkupElement: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    package let name: MarkupName
    package let value: String

    package init(_ name: MarkupName, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package let name: MarkupName
  package let attributes: [Attribute]
  package var children: [MarkupElement] = []
  /// The character data between the children, joined.
  package var text = ""

  package init(
    _ name: MarkupName, attributes: [Attribute] = [], children: [MarkupElement] = [],
    text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  package subscript(_ name: MarkupName) -> String? {
    attributes.first { $0.name == name }?.value
  }

  package func child(_ name: MarkupName) -> MarkupElement? { children.first { $0.name == name } }
}

/// A local name and the namespace of its prefix; the namespace is empty if there is none.
package struct MarkupName: Sendable, Hashable {
  package let namespace: String
  package let local: String

  package init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }
}

/// The error that ends the parsing of an XML document, and its position.
public struct MarkupFailure: Error, Hashable {
  public let error: MarkupError
  /// The line and the column, both counted from 1.
  public let line: Int
  public let column: Int

  package init(_ error: MarkupError, line: Int, column: Int) {
    self.error = error
    self.line = line
    self.column = column
  }
}

/// A defect of an XML document.
public enum MarkupError: Error, Hashable {
  case notUTF8
  case unexpectedEnd
  case expected(String)
  /// The document type contains declarations; they are refused, because they may define entities
  /// that expand without end.
  case typeDeclaration
  case unknownEntity(String)
  case badCharacter
  case duplicateAttribute(String)
  case unboundPrefix(String)
  case wrongEnd(expected: String, found: String)
  case tooDeep(limit: Int)
  case tooManyAttributes(limit: Int)
  /// More than `limit` combining marks in a row in a name or a text.
  case tooManyMarks(limit: Int)

  public var message: String {
    switch self {
    case .notUTF8: "the text is neither UTF-8 nor UTF-16"
    case .unexpectedEnd: "the document ends too early"
    case .expected(let what): "expected \(what)"
    case .typeDeclaration: "the document contains a DOCTYPE declaration, which is not supported"
    case .unknownEntity(let name): "unknown entity '&\(name);'"
    case .badCharacter: "this character reference is not a valid character"
    case .duplicateAttribute(let name): "the attribute '\(name)' occurs twice in one element"
    case .unboundPrefix(let prefix): "the prefix '\(prefix)' has no namespace"
    case .wrongEnd(let expected, let found): "expected '</\(expected)>', found '</\(found)>'"
    case .tooDeep(let limit): "elements are nested more than \(limit) levels deep"
    case .tooManyAttributes(let limit): "an element has more than \(limit) attributes"
    case .tooManyMarks(let limit): "a text has more than \(limit) combining marks in a row"
    }
  }
}
