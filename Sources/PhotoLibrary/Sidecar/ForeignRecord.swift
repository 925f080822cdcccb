import Notation
import PhotoRecipes

/// A sidecar's record of another program's edit: the path of the file with the edit, not its
/// content.
public struct ForeignRecord: Sendable, Hashable {
  /// The kind of the record: `aae`, `darktable`, `camera-raw` or `rawtherapee`; `adopted` for a
  /// rendition that a user changed.
  public var kind: String
  public var file: RecordedName
  /// The SHA-256 of the file with the edit, as 64 hexadecimal digits.
  public var sha256: String
  /// The SHA-256 of the settings that change the photo's look; nil if they cannot be separated from
  /// ratings and titles.
  public var settingsSHA256: String?
  /// The image that shows the edit; nil if the other program left none.
  public var current: Current?
  private var others = JSON.Object()

  /// A rendered image: its name and the SHA-256 of its bytes.
  public struct Current: Sendable, Hashable {
    public var file: RecordedName
    public var sha256: String
    public var bytes: Int
    fileprivate var others = JSON.Object()

    public init(file: RecordedName, sha256: String, bytes: Int) {
      self.file = file
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  public init(
    kind: String, file: RecordedName, sha256: String, settingsSHA256: String? = nil,
    current: Current?
  ) {
    self.kind = kind
    self.file = file
    self.sha256 = sha256
    self.settingsSHA256 = settingsSHA256
    self.current = current
  }

  /// The kind of a rendition by phbatch that a user changed and wants to keep.
  public static let adopted = "adopted"
}

extension ForeignRecord {
  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    kind = reader.text("kind") ?? ""
    file = RecordedName(&reader)
    sha256 = reader.text("sha256") ?? ""
    settingsSHA256 = reader.optional("settingsSha256", "a text") { $0.string }
    if reader["current"] != nil {
      var inner = RecordReader(reader.object("current"), &reader.diagnostics)
      current = Current(
        file: RecordedName(&inner), sha256: inner.text("sha256") ?? "",
        bytes: inner.bytes("bytes"))
      current?.others = inner.others(than: ["bytes", "file", "fileBytes", "sha256"])
      reader.diagnostics = inner.diagnostics
    }
    others = reader.others(than: [
      "current", "file", "fileBytes", "kind", "settingsSha256", "sha256",
    ])
    diagnostics = reader.diagnostics
  }

  /// Returns this record with the values of `new`, a later reading of the file; unknown keys are
  /// kept.
  public func updated(to new: ForeignRecord) -> ForeignRecord {
    var record = new
    record.others = others
    if let current { record.current?.others = current.others }
    return record
  }

  var json: JSON {
    var object = others
    object["kind"] = .string(kind)
    file.write(to: &object)
    object["sha256"] = .string(sha256)
    object["settingsSha256"] = settingsSHA256.map(JSON.string)
    if let current {
      var inner = current.others
      current.file.write(to: &inner)
      inner["sha256"] = .string(current.sha256)
      inner["bytes"] = .integer(current.bytes)
      object["current"] = .object(inner)
    }
    return .object(object)
  }
}
