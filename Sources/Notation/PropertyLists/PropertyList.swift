/// A value of Apple's property lists, from the binary form or from XML.
package indirect enum PropertyList: Sendable, Hashable {
  case dictionary([String: PropertyList])
  case array([PropertyList])
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  /// A date in ISO 8601.
  case date(String)
  case data([UInt8])
  /// The UID of an object: a reference to an object in a keyed archive.
  case identifier(Int64)

  /// Reads a property list in binary form or in XML.
  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard BinaryPropertyList.begins(bytes) else {
      let root: MarkupElement
      do throws(MarkupFailure) { root = try MarkupParser.parse(bytes) } catch {
        throw .markup(error)
      }
      guard root.name.local == "plist", root.children.count == 1 else { throw .notPropertyList }
      try self.init(root.children[0])
      return
    }
    self = try BinaryPropertyList.parse(bytes)
  }

  package subscript(key: String) -> PropertyList? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// A defect of a property list.
public enum PropertyListError: Error, Hashable {
  /// The text is not valid XML.
  case markup(MarkupFailure)
  case notPropertyList
  case truncated
  /// An element or a marker that property lists do not define.
  case unknown(String)
  case duplicateKey(String)
  case keyWithoutValue(String)
  case badValue(String)
  case badReference
  /// The list is nested more than `limit` levels deep, or refers to itself.
  case tooDeep(limit: Int)
  /// The list has more than `limit` values.
  case tooLarge(limit: Int)
  /// The data and texts of the list have more than `limit` bytes.
  case tooLong(limit: Int)
  /// More than `limit` combining marks in a row in a text.
  case tooManyMarks(limit: Int)

  public var message: String {
    switch self {
    case .markup(let failure): failure.error.message
    case .notPropertyList: "the file is not a property list"
    case .truncated: "the property list ends too early"
    case .unknown(let what): "the property list contains '\(what)', which is not a value"
    case .duplicateKey(let key): "the key '\(key)' occurs twice in one dictionary"
    case .keyWithoutValue(let key): "the key '\(key)' has no value"
    case .badValue(let text): "the property list contains '\(text)', which cannot be read"
    case .badReference: "the property list refers to a value that it does not contain"
    case .tooDeep(let limit): "values are nested more than \(limit) levels deep, or in a circle"
    case .tooLarge(let limit): "the property list contains more than \(limit) values"
    case .tooLong(let limit): "the property list contains more than \(limit >> 20) MB of data"
    case .tooManyMarks(let limit): "a text has more than \(limit) combining marks in a row"
    }
  }
}

extension PropertyList {
  fileprivate init(_ element: MarkupElement) throws(PropertyListError) {
    let text = element.text
    switch element.name.local {
    case "dict": self = .dictionary(try Self.members(element.children))
    case "array":
      var values: [PropertyList] = []
      for child in element.children { values.append(try PropertyList(child)) }
      self = .array(values)
    case "string": self = .string(text)
    case "integer":
      guard let number = Int64(text) else { throw .badValue(String(text.prefix(40))) }
      self = .integer(number)
    case "real":
      guard let number = Double(text), number.isFinite else {
        throw .badValue(String(text.prefix(40)))
      }
      self = .real(number)
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    case "date": self = .date(text)
    case "data":
      guard let bytes = [UInt8](base64: text) else { throw .badValue(String(text.prefix(40))) }
      self = .data(bytes)
    default: throw .unknown(element.name.local)
    }
  }

  private static func members(
    _ children: [MarkupElement]
  ) throws(PropertyListError) -> [String: PropertyList] {
    var members: [String: PropertyList] = [:]
    var rest = children[...]
    while let key = rest.popFirst() {
      guard key.name.local == "key" else { throw .unknown(key.name.local) }
      guard let value = rest.popFirst() else { throw .keyWithoutValue(key.text) }
      guard members.updateValue(try PropertyList(value), forKey: key.text) == nil else {
        throw .duplicateKey(key.text)
      }
    }
    return members
  }
}
