import Notation
import PhotoRecipes

/// A sidecar's record of the original as it was last read.
public struct OriginalRecord: Sendable, Hashable {
  public var file: RecordedName
  public var bytes: Int
  public var sha256: String
  /// The width in pixels of the upright photo; 0 while it is unknown.
  public var width: Int
  public var height: Int
  /// The date and time of capture in the form `yyyy-MM-ddTHH:mm:ss`, as far as the photo states it.
  public var date: String?
  /// The description of the photo, or its title, from XMP files beside it or its own metadata.
  public var title: String?
  private var others = JSON.Object()

  public init(
    file: RecordedName, bytes: Int, sha256: String, width: Int, height: Int, date: String?,
    title: String? = nil
  ) {
    self.file = file
    self.bytes = bytes
    self.sha256 = sha256
    self.width = width
    self.height = height
    self.date = date
    self.title = title
  }
}

extension OriginalRecord {
  private static let keys = [
    "bytes", "date", "file", "fileBytes", "height", "sha256", "title", "width",
  ]

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    file = RecordedName(&reader)
    bytes = reader.bytes("bytes")
    sha256 = reader.text("sha256") ?? ""
    width = reader.edge("width")
    height = reader.edge("height")
    date = reader.optional("date", "a text") { $0.string }
    title = reader.optional("title", "a text") { $0.string }
    others = reader.others(than: Self.keys)
    diagnostics = reader.diagnostics
  }

  var json: JSON {
    var object = others
    file.write(to: &object)
    object["bytes"] = .integer(bytes)
    object["sha256"] = .string(sha256)
    object["width"] = .integer(width)
    object["height"] = .integer(height)
    object["date"] = date.map(JSON.string)
    object["title"] = title.map(JSON.string)
    return .object(object)
  }

  /// Returns this record with the values of `new`, a later reading of the photo; unknown keys are
  /// kept.
  public func updated(to new: OriginalRecord) -> OriginalRecord {
    var record = new
    record.others = others
    return record
  }
}

/// A path as a sidecar records it: text, and also the bytes if they are not UTF-8.
///
/// phbatch compares the path with others, and opens no file at the path without a check.
public struct RecordedName: Sendable, Hashable {
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name as text, with U+FFFD in place of bytes that are not UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The name as text to show; control characters are escaped.
  public var displayed: String { String(displaying: bytes[...]) }

  init(_ reader: inout RecordReader) {
    let text = reader.text("file") ?? ""
    let encoded = reader["fileBytes"]?.string
    bytes = encoded.flatMap { Base64.decode($0) } ?? Array(text.utf8)
  }

  func write(to object: inout JSON.Object) {
    object["file"] = .string(text)
    object["fileBytes"] = Array(text.utf8) == bytes ? nil : .string(Base64.encode(bytes))
  }
}
