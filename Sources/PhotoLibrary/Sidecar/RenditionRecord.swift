import Notation
public import PhotoRecipes

/// One rendered output file of an adjustment.
public struct RenditionRecord: Sendable, Hashable {
  public var output: String
  /// The path from the original's folder; from the output root if it begins with `{root}/`.
  public var file: RecordedName
  public var bytes: Int
  public var sha256: String
  public var width: Int
  public var height: Int
  public var isCurrent: Bool
  /// The map from positions in the upright original to positions in the rendition, both 0…1; nil if
  /// it is not recorded.
  public var frame: Homography?
  private var others = JSON.Object()

  public init(
    output: String, file: RecordedName, bytes: Int, sha256: String, width: Int, height: Int,
    isCurrent: Bool
  ) {
    self.output = output
    self.file = file
    self.bytes = bytes
    self.sha256 = sha256
    self.width = width
    self.height = height
    self.isCurrent = isCurrent
  }
}

extension RenditionRecord {
  private static let keys = [
    "bytes", "current", "file", "fileBytes", "frame", "frameSha256", "height", "output", "sha256",
    "width",
  ]

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    output = reader.text("output") ?? ""
    file = RecordedName(&reader)
    bytes = reader.bytes("bytes")
    sha256 = reader.text("sha256") ?? ""
    width = reader.edge("width")
    height = reader.edge("height")
    isCurrent = reader.optional("current", "true or false") { $0.bool } ?? false
    frame = reader.optional("frame", "nine numbers of a map that has an inverse") {
      Homography($0.json)
    }
    // An older phbatch that renders the output again keeps keys that it does not know.
    if reader.optional("frameSha256", "a digest", { $0.string }) != sha256 { frame = nil }
    others = reader.others(than: Self.keys)
    diagnostics = reader.diagnostics
  }

  var json: JSON {
    var object = others
    object["output"] = .string(output)
    file.write(to: &object)
    object["bytes"] = .integer(bytes)
    object["sha256"] = .string(sha256)
    object["width"] = .integer(width)
    object["height"] = .integer(height)
    object["current"] = isCurrent ? .bool(true) : nil
    object["frame"] = frame?.json
    object["frameSha256"] = frame == nil ? nil : .string(sha256)
    return .object(object)
  }

  /// The record of a new rendering of the same output; unknown keys are kept.
  func replaced(by new: RenditionRecord) -> RenditionRecord {
    var record = new
    record.others = others
    return record
  }
}
