import Notation
import PhotoRecipes

/// A sidecar's record of the original as it was last read.
public struct OriginalRecord: Sendable, Hashable {
  public var file: RecordedName
  public var bytes: Int
  public var sha256: String
  /// Upright; 0 while it is not known.
  public var width: Int
  public var height: Int
  /// When the photo was taken, as far as it says so: `yyyy-MM-ddTHH:mm:ss`.
  public var date: String?
  /// The title in the photo's own metadata.
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

  /// The same record of another reading; what is unknown stays.
  public func updated(to new: OriginalRecord) -> OriginalRecord {
    var record = new
    record.others = others
    return record
  }
}

/// A path as a sidecar records it: text, with its bytes beside it where they are not UTF-8.
///
/// It is a name to compare and is never opened as it stands.
public struct RecordedName: Sendable, Hashable {
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// With U+FFFD for what is not UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// For a person: control characters are escaped.
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
