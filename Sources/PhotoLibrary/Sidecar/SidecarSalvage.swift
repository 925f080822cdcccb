import Notation
import PhotoRecipes

/// The user's settings for a photo that can still be read from a damaged sidecar.
public struct SidecarSalvage: Sendable {
  /// The photo's own settings of each adjustment that has any, as reversions.
  ///
  /// The next run of the adjustment's recipe applies them.
  public private(set) var settings: [Reversion] = []
  public private(set) var focalPoint: Sidecar.FocalPoint?
  /// The recorded digest of the original, as 64 hexadecimal digits; nil if it cannot be read.
  public private(set) var original: String?

  public var isEmpty: Bool { settings.isEmpty && focalPoint == nil }

  /// Reads the bytes of a damaged sidecar; `date` is the date of the notes.
  public init(_ bytes: [UInt8], date: String) {
    guard let json = Self.json(bytes) else { return }
    original = json["original"]?["sha256"]?.string
    focalPoint = json["focalPoint"].flatMap { Sidecar.FocalPoint($0) }
    for entry in json["adjustments"]?.array ?? [] where entry["foreign"] == nil {
      guard let identifier = entry["formatIdentifier"]?.string,
        let version = entry["formatVersion"]?.string, let own = entry["overrides"]?.object,
        !own.members.isEmpty
      else { continue }
      settings.append(
        Reversion(
          formatIdentifier: identifier, formatVersion: version,
          variant: entry["variant"]?.string, date: date, overrides: own))
    }
  }

  /// The document, or the part of it before the first syntax error.
  private static func json(_ bytes: [UInt8]) -> JSON? {
    let source = SourceText(name: "the damaged sidecar", bytes: bytes)
    let (json, found) = JSONParser.parse(source, keepingLargeNumbers: true)
    if let json { return json }
    let end = found.all.compactMap { $0.location?.offset }.max() ?? bytes.count
    let part = SourceText(name: source.name, bytes: closed(bytes[..<min(end, bytes.count)]))
    return JSONParser.parse(part, keepingLargeNumbers: true).json
  }

  /// The beginning of a document up to its last complete value, with all brackets closed.
  private static func closed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var open: [UInt8] = []
    var whole: (end: Int, open: [UInt8]) = (bytes.startIndex, [])
    var isText = false
    var isEscaped = false
    for (index, byte) in zip(bytes.indices, bytes) {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        whole = (index + 1, open)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        whole = (index + 1, open)
      case UInt8(ascii: ","): whole = (index, open)
      default: break
      }
    }
    return Array(bytes[..<whole.end]) + whole.open.reversed()
  }
}
