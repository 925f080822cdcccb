public import Notation
import PhotoRecipes
public import SystemPackage

/// The file beside an original that holds its stacks of adjustments.
///
/// Whatever it says that this version does not know survives a rewrite: unknown keys are kept at
/// every level, with the spelling of their numbers.
public struct Sidecar: Sendable, Hashable {
  /// The major version of the format that is read and written.
  public static let format = (major: 1, minor: 0)
  /// Bytes; a larger one is neither read nor written.
  public static let sizeLimit = 1 << 20
  /// Bytes above which a sidecar is worth a warning.
  public static let usualSize = 64 << 10
  public static let suffix = ".phbatch.json"
  /// An original's name plus the suffix must fit into a file name of 255 bytes.
  public static let longestName = 255 - suffix.utf8.count

  public var original: OriginalRecord
  /// The adjustments of all stacks, oldest first.
  public var adjustments: [Adjustment]
  /// The reverted adjustments that were not made again.
  public var reversions: [Reversion] = []
  /// Files of the photo that somebody changed and no adjustment makes.
  public var kept: [KeptRendition] = []
  /// Where the eye goes, as fractions of the upright original from its upper left corner.
  public var focalPoint: FocalPoint?
  /// The version of the format in which the sidecar was written.
  private let version: String
  private var others: JSON.Object

  public init(original: OriginalRecord) {
    version = "\(Self.format.major).\(Self.format.minor)"
    self.original = original
    adjustments = []
    others = JSON.Object()
  }

  /// A place in the upright original: 0…1 to the right and downwards.
  public struct FocalPoint: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Where the sidecar of an original lies: `Trip/IMG_1.jpg.phbatch.json`.
  public static func path(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + Array(suffix.utf8)) ?? original
  }

  /// True if a path is that of a sidecar, by its name.
  static func isPath(_ path: FilePath) -> Bool {
    path.lastComponent.map { FileName($0).hasSuffix(".phbatch.json") } ?? false
  }

  /// The original whose sidecar has this path; nil for the path of another file.
  public static func original(of path: FilePath) -> FilePath? {
    guard isPath(path) else { return nil }
    return FilePath(bytes: path.bytes.dropLast(suffix.utf8.count))
  }

  /// The warning about a sidecar with this many bytes; nil for a usual one.
  public static func warning(bytes: Int) -> String? {
    guard bytes > usualSize else { return nil }
    return "its sidecar has \(bytes >> 10) KiB, more than 64; above 1,024 it cannot be used"
  }

  /// The adjustments of one stack, oldest first, with their places among all.
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
  /// - Throws: What makes it unusable: it is never overwritten then.
  public init(_ source: SourceText) throws(SidecarError) {
    if source.bytes.count > Self.sizeLimit { throw .tooLarge(source.bytes.count) }
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
  /// - Throws: `tooLarge` when it would not be read again.
  public func text() throws(SidecarError) -> [UInt8] {
    var object = others
    object["phbatch"] = .string(version)
    object["original"] = original.json
    object["adjustments"] = .array(adjustments.map(\.json))
    object["reverted"] = reversions.isEmpty ? nil : .array(reversions.map(\.json))
    object["kept"] = kept.isEmpty ? nil : .array(kept.map(\.json))
    object["focalPoint"] = focalPoint.map { .array([.number($0.x), .number($0.y)]) }
    let text = Array(JSON.object(object).canonicalText.utf8)
    if text.count > Self.sizeLimit { throw .tooLarge(text.count) }
    return text
  }
}

extension Sidecar.FocalPoint {
  fileprivate init?(_ json: JSON) {
    guard let numbers = json.array, numbers.count == 2, let x = numbers[0].number,
      let y = numbers[1].number, (0...1).contains(x), (0...1).contains(y)
    else { return nil }
    self.init(x: x, y: y)
  }
}

/// Why a sidecar cannot be used.
public enum SidecarError: UserError, Hashable {
  case corrupt(InvalidDocument)
  /// Written by a later version in a format that this one does not know.
  case newer(String)
  case tooLarge(Int)
  /// A link, a folder, a FIFO or the like.
  case notFile

  public var message: String {
    switch self {
    case .corrupt(let document): "the sidecar is damaged\n\(document.message)"
    case .newer(let version): "the sidecar is of format \(version), newer than this phbatch reads"
    case .tooLarge(let bytes): "the sidecar has \(bytes) bytes, or would have: more than 1 MiB"
    case .notFile: "what has the sidecar's name is no regular file"
    }
  }

  public var hint: String {
    switch self {
    case .corrupt: "mend it by hand, or move it away to start anew; it was left as it is"
    case .newer: "use a newer phbatch; it was left as it is"
    case .tooLarge: "revert edits that are no longer needed, or start anew with 'repair'"
    case .notFile: "put the sidecar itself there, or move that away; it was left as it is"
    }
  }
}
