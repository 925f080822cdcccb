public import Notation
import PhotoRecipes
public import SystemPackage

/// The file beside an original that contains the original's stacks of adjustments.
///
/// Content that this version does not know survives a rewrite: unknown keys are kept at every
/// level, with the spelling of their numbers. A new rendering replaces the known members of a
/// recorded recipe with all that they contain.
public struct Sidecar: Sendable, Hashable {
  /// The version of the format that is read and written.
  public static let format = (major: 1, minor: 0)
  /// The limit in bytes; a larger sidecar is neither read nor written.
  public static let sizeLimit = 1 << 20
  /// The size in bytes above which a sidecar causes a warning.
  public static let usualSize = 64 << 10
  public static let suffix = ".phbatch.json"
  /// The longest name of an original in bytes: with the suffix it must fit into a file name of 255
  /// bytes.
  public static let longestName = 255 - suffix.utf8.count

  public var original: OriginalRecord
  /// The adjustments of all stacks, oldest first.
  public var adjustments: [Adjustment]
  /// The reverted adjustments that have not been rendered again since.
  public var reversions: [Reversion] = []
  /// Renditions that a user changed and that no adjustment produces any more.
  public var kept: [KeptRendition] = []
  /// The main point of interest, as fractions of the upright original from its upper left corner.
  public var focalPoint: FocalPoint?
  /// The version of the format that the sidecar states.
  private let version: String
  private var others: JSON.Object

  public init(original: OriginalRecord) {
    version = "\(Self.format.major).\(Self.format.minor)"
    self.original = original
    adjustments = []
    others = JSON.Object()
  }

  /// A position in the upright original: 0…1 to the right and 0…1 downwards.
  public struct FocalPoint: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The path of an original's sidecar: `Trip/IMG_1.jpg.phbatch.json`.
  public static func path(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + Array(suffix.utf8)) ?? original
  }

  /// True if the path has the name of a sidecar.
  static func isPath(_ path: FilePath) -> Bool {
    path.lastComponent.map { FileName($0).hasSuffix(".phbatch.json") } ?? false
  }

  /// The path of the original with this sidecar path; nil if the path does not name a sidecar.
  public static func original(of path: FilePath) -> FilePath? {
    guard isPath(path) else { return nil }
    return FilePath(bytes: path.bytes.dropLast(suffix.utf8.count))
  }

  /// The warning about the size of a sidecar, in bytes; nil if the size is usual.
  public static func warning(bytes: Int) -> String? {
    guard bytes > usualSize else { return nil }
    return
      "the sidecar has \((bytes + 1023) >> 10) KiB, more than 64 KiB; sidecars above 1,024 KiB"
      + " cannot be used"
  }

  /// The adjustments of one stack, oldest first, with their indices in `adjustments`.
  public func stack(_ variant: String?) -> [(index: Int, adjustment: Adjustment)] {
    adjustments.enumerated().filter { $1.variant == variant }.map { (index: $0, adjustment: $1) }
  }
}

extension Sidecar {
  private static let keys = [
    "adjustments", "focalPoint", "kept", "original", "phbatch", "reverted",
  ]

  /// Reads a sidecar.
  ///
  /// - Throws: The defect that makes the sidecar unusable; the sidecar is then never overwritten.
  public init(_ source: SourceText) throws(SidecarError) {
    if source.bytes.count > Self.sizeLimit { throw .tooLarge(source.bytes.count) }
    if source.bytes.isEmpty { throw .empty }
    guard let table = JSONTable(source) else {
      let (_, found) = JSONParser.parse(source, keepingLargeNumbers: true)
      throw .corrupt(InvalidDocument(diagnostics: found.all))
    }
    var diagnostics = Diagnostics()
    var reader = RecordReader(table.root, &diagnostics)
    version = reader.text("phbatch") ?? ""
    guard let major = version.split(separator: ".").first.flatMap({ Int($0) }) else {
      throw .corrupt(
        reader.invalid(.malformed(found: "\"\(version)\"", expected: "\"1.0\""), "phbatch"))
    }
    if major > Self.format.major { throw .newer(version) }
    original = OriginalRecord(reader.object("original"), &reader.diagnostics)
    adjustments = reader.array("adjustments").map { Adjustment($0, &reader.diagnostics) }
    if reader["reverted"] != nil {
      reversions = reader.array("reverted").map { Reversion($0, &reader.diagnostics) }
    }
    if reader["kept"] != nil {
      kept = reader.array("kept").map { KeptRendition($0, &reader.diagnostics) }
    }
    focalPoint = reader.optional("focalPoint", "two numbers of 0…1") { FocalPoint($0.json) }
    others = reader.others(than: Self.keys)
    if !reader.diagnostics.isEmpty {
      throw .corrupt(InvalidDocument(diagnostics: reader.diagnostics.all))
    }
  }

  /// The sidecar as canonical text.
  ///
  /// - Throws: `tooLarge` if the text is larger than the limit for reading; `wrongFocalPoint`.
  public func text() throws(SidecarError) -> [UInt8] {
    if let focalPoint, !focalPoint.isInside { throw .wrongFocalPoint(focalPoint) }
    var object = others
    object["phbatch"] = .string(version)
    object["original"] = original.json
    object["adjustments"] = .array(adjustments.map(\.json))
    object["reverted"] = reversions.isEmpty ? nil : .array(reversions.map(\.json))
    object["kept"] = kept.isEmpty ? nil : .array(kept.map(\.json))
    object["focalPoint"] = focalPoint.map { .array([.number($0.x), .number($0.y)]) }
    let text = JSON.object(object).canonicalBytes
    if text.count > Self.sizeLimit { throw .tooLarge(text.count) }
    return text
  }
}

extension Sidecar.FocalPoint {
  init?(_ json: JSON) {
    guard let numbers = json.array, numbers.count == 2, let x = numbers[0].number,
      let y = numbers[1].number
    else { return nil }
    self.init(x: x, y: y)
    if !isInside { return nil }
  }

  /// True if the point is in the photo.
  fileprivate var isInside: Bool { (0...1).contains(x) && (0...1).contains(y) }
}

/// The reason why a sidecar cannot be used.
public enum SidecarError: UserError, Hashable {
  case corrupt(InvalidDocument)
  case empty
  /// The sidecar was written by a later version, in a format that this version does not support.
  case newer(String)
  case tooLarge(Int)
  /// The entry is not a regular file but a link, a folder, a FIFO or the like.
  case notFile
  /// The sidecar records this file, which is not a rendition of its photo.
  case stray(RecordedName)
  /// The focal point to be recorded is outside of the photo, or has a coordinate that is not a number.
  case wrongFocalPoint(Sidecar.FocalPoint)

  public var message: String {
    switch self {
    case .corrupt(let document): "the sidecar is damaged\n\(document.message)"
    case .empty: "the sidecar is empty"
    case .newer(let version):
      "the sidecar has format \(version), which this version of phbatch cannot read"
    case .tooLarge(let bytes): "the sidecar has, or would have, \(bytes) bytes; the limit is 1 MiB"
    case .notFile: "the path of the sidecar is not a regular file"
    case .stray(let file):
      "the sidecar lists '\(file.displayed)', which its recipe does not produce for this photo"
    case .wrongFocalPoint(let point): "the focal point \(point.x), \(point.y) is not in the photo"
    }
  }

  public var hint: String {
    switch self {
    case .corrupt:
      "correct it by hand, or 'phbatch repair' begins a new one with the settings it can read"
    case .empty: "'phbatch repair' renames it, and the next run creates a new one"
    case .newer: "use a newer version of phbatch; the sidecar was not changed"
    case .tooLarge:
      "revert edits that are no longer needed, or begin a new sidecar with 'phbatch repair'"
    case .stray:
      "if the sidecar belongs to another photo, move it back; else 'phbatch repair' begins a new one"
    case .notFile: "move the entry away, or put the sidecar's file there; nothing was changed"
    case .wrongFocalPoint: "give fractions of the photo's width and height, from 0 to 1"
    }
  }
}
