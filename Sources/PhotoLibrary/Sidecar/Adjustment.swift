public import PhotoRecipes

/// The record of one edit made to one original: the settings that recreate it, never pixels.
public struct Adjustment: Sendable, Hashable {
  public var formatIdentifier: String
  /// As written: a semantic version for our own, anything for a foreign edit.
  public var formatVersion: String
  /// The stack; nil is the main one.
  public var variant: String?
  public var base: Base
  /// ISO 8601, UTC.
  public var date: String
  /// The photo's own settings, `step.setting` by value.
  public var overrides: JSON.Object
  /// The settings as resolved; see `Recipe.record`.
  public var recipe: JSON
  public var renditions: [RenditionRecord]
  /// The settings digest: 64 hexadecimal digits.
  public var settings: String
  public var engine: JSON
  private var others = JSON.Object()

  /// What an adjustment started from.
  public enum Base: Sendable, Hashable {
    case original
    /// A rendition of another adjustment, by its name and SHA-256.
    case rendition(RecordedName, sha256: String)
  }

  public init(
    formatIdentifier: String, formatVersion: String, variant: String?, base: Base, date: String,
    overrides: JSON.Object, recipe: JSON, renditions: [RenditionRecord], settings: String,
    engine: JSON
  ) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.variant = variant
    self.base = base
    self.date = date
    self.overrides = overrides
    self.recipe = recipe
    self.renditions = renditions
    self.settings = settings
    self.engine = engine
  }

  public var version: SemanticVersion? { SemanticVersion(formatVersion) }

  /// Whether another program made the edit.
  public var isForeign: Bool { others["foreign"] != nil }

  /// The rendition that stands for the stack as edited: the one marked, else the largest.
  public var current: RenditionRecord? {
    if let marked = renditions.first(where: \.isCurrent) { return marked }
    let largest = renditions.map { $0.width * $0.height }.max()
    return renditions.first { $0.width * $0.height == largest }
  }

  /// The adjustment that takes this one's place; what is unknown stays.
  public func replaced(by new: Adjustment) -> Adjustment {
    var adjustment = new
    adjustment.others = others
    return adjustment
  }
}

extension Adjustment {
  private static let keys = [
    "formatIdentifier", "formatVersion", "variant", "base", "date", "overrides", "recipe",
    "renditions", "settings", "engine",
  ]

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(field, &diagnostics)
    formatIdentifier = reader.text("formatIdentifier") ?? ""
    formatVersion = reader.text("formatVersion") ?? ""
    variant = reader.optional("variant", "a text") { $0.string }
    date = reader.text("date") ?? ""
    let isForeign = field["foreign"] != nil
    if isForeign {
      (base, overrides, recipe) = (.original, JSON.Object(), .object(JSON.Object()))
      (renditions, settings, engine) = ([], "", .object(JSON.Object()))
      others = reader.others(than: ["formatIdentifier", "formatVersion", "variant", "date"])
      diagnostics = reader.diagnostics
      return
    }
    base = Self.base(&reader)
    overrides = reader.optional("overrides", "an object") { $0.object } ?? JSON.Object()
    recipe = reader.object("recipe").json
    renditions = reader.array("renditions").map { RenditionRecord($0, &reader.diagnostics) }
    settings = reader.text("settings") ?? ""
    engine = field["engine"]?.json ?? .object(JSON.Object())
    others = reader.others(than: Self.keys)
    diagnostics = reader.diagnostics
  }

  private static func base(_ reader: inout RecordReader) -> Base {
    if reader.field["base"]?.json.string == "original" { return .original }
    var inner = RecordReader(reader.object("base"), &reader.diagnostics)
    let base = Base.rendition(RecordedName(&inner), sha256: inner.text("sha256") ?? "")
    reader.diagnostics = inner.diagnostics
    return base
  }

  var json: JSON {
    var object = others
    object["formatIdentifier"] = .string(formatIdentifier)
    object["formatVersion"] = .string(formatVersion)
    object["variant"] = variant.map(JSON.string)
    object["date"] = .string(date)
    if isForeign { return .object(object) }
    object["base"] = base.json
    object["overrides"] = overrides.members.isEmpty ? nil : .object(overrides)
    object["recipe"] = recipe
    object["renditions"] = .array(renditions.map(\.json))
    object["settings"] = .string(settings)
    object["engine"] = engine
    return .object(object)
  }
}

extension Adjustment.Base {
  var json: JSON {
    switch self {
    case .original: return .string("original")
    case .rendition(let name, let sha256):
      var object = JSON.Object()
      name.write(to: &object)
      object["sha256"] = .string(sha256)
      return .object(object)
    }
  }
}

/// One rendered output file of an adjustment.
public struct RenditionRecord: Sendable, Hashable {
  public var output: String
  /// Its path from the original's folder, or from the output root after `{root}/`.
  public var file: RecordedName
  public var bytes: Int
  public var sha256: String
  public var width: Int
  public var height: Int
  public var isCurrent: Bool
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
    "output", "file", "fileBytes", "bytes", "sha256", "width", "height", "current",
  ]

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(field, &diagnostics)
    output = reader.text("output") ?? ""
    file = RecordedName(&reader)
    bytes = reader.integer("bytes") ?? 0
    sha256 = reader.text("sha256") ?? ""
    width = reader.integer("width") ?? 0
    height = reader.integer("height") ?? 0
    isCurrent = reader.optional("current", "true or false") { $0.bool } ?? false
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
    return .object(object)
  }
}
