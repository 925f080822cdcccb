public import Notation
import PhotoRecipes

/// The record of one edit of one original.
///
/// It contains the settings that recreate the edit, but no pixels.
public struct Adjustment: Sendable, Hashable {
  public var formatIdentifier: String
  /// The version as recorded: a semantic version for phbatch's own edits, any text for another
  /// program's edit.
  public var formatVersion: String
  /// The name of the stack; nil for the main stack.
  public var variant: String?
  public var base: Base
  /// The date in ISO 8601, UTC.
  public var date: String
  /// The photo's own settings, with keys of the form `step.setting`.
  public var overrides: JSON.Object
  /// The photo's own settings with which the renditions were made, if `adjust` changed them since;
  /// nil otherwise.
  public private(set) var renderedOverrides: JSON.Object?
  /// The resolved settings; see `Recipe.record`.
  public var recipe: JSON {
    get { record.json }
    set { record = RecordedRecipe(newValue) }
  }
  public var renditions: [RenditionRecord]
  /// The digest of the settings: 64 hexadecimal digits.
  public var settings: String
  public var engine: JSON
  /// The look that was fitted to a raw photo; nil if none was.
  ///
  /// A later rendering uses it again.
  public var look: JSON?
  /// The SHA-256 of the files that the recipe names, by their paths as written in the recipe.
  public var files: [String: String] = [:]
  /// The lenses that steps corrected, each with the facts and the profile of a `FoundLens`.
  public var lenses: [JSON] = []
  /// The digest of the original from which this adjustment was made; nil if it is the sidecar's
  /// digest.
  ///
  /// It is recorded when another stack is rendered after the original has changed, and stays until
  /// this adjustment is rendered again. If the original is put back, it can equal the sidecar's
  /// digest.
  public var originalSHA256: String?
  /// The SHA-256 of the texts in XMP files beside the photo with which the renditions were made; nil if
  /// there were none.
  public var descriptionSHA256: String?
  /// The record of another program's edit; nil for phbatch's own edits.
  public var foreign: ForeignRecord?
  /// The recorded recipe; adjustments with equal recipes share one object.
  var record: RecordedRecipe
  /// Keys of the adjustment and of its base that are unknown to this version.
  var others = JSON.Object()
  private var baseOthers = JSON.Object()

  /// The image that an adjustment starts from.
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
    record = RecordedRecipe(recipe)
    self.renditions = renditions
    self.settings = settings
    self.engine = engine
  }

  /// Creates the adjustment for an edit by another program.
  public init(
    foreign: ForeignRecord, formatIdentifier: String, formatVersion: String, variant: String?,
    date: String
  ) {
    self.init(
      formatIdentifier: formatIdentifier, formatVersion: formatVersion, variant: variant,
      base: .original, date: date, overrides: JSON.Object(), recipe: .object(JSON.Object()),
      renditions: [], settings: "", engine: .object(JSON.Object()))
    self.foreign = foreign
  }

  public var version: SemanticVersion? { SemanticVersion(formatVersion) }

  /// True if another program made the edit.
  public var isForeign: Bool { foreign != nil }

  /// The image that the next adjustment starts from; nil if this adjustment has no image.
  public var currentBase: Base? {
    if let foreign {
      return foreign.current.map { .rendition($0.file, sha256: $0.sha256) }
    }
    return current.map { .rendition($0.file, sha256: $0.sha256) }
  }

  /// The rendition that represents the edited photo: the rendition marked as current, otherwise the
  /// largest rendition that can be opened as a photo.
  public var current: RenditionRecord? {
    if let marked = renditions.first(where: \.isCurrent) { return marked }
    let photos = renditions.filter { rendition in
      !Self.otherExtensions.contains { rendition.file.text.hasSuffix(".\($0)") }
    }
    let candidates = photos.isEmpty ? renditions : photos
    let largest = candidates.map { $0.width * $0.height }.max()
    return candidates.first { $0.width * $0.height == largest }
  }

  /// The extensions of renditions that cannot be opened as photos.
  private static let otherExtensions =
    FormatCatalog.formats.filter { !$0.isPhoto }.map { $0.fileExtension }

  /// The adjustment that replaces this one.
  ///
  /// Unknown keys of this adjustment are kept. Unknown keys of a rendition are kept for the new
  /// rendition of the same output.
  public func replaced(by new: Adjustment) -> Adjustment {
    var adjustment = new
    adjustment.others = others
    adjustment.baseOthers = baseOthers
    adjustment.engine = new.engine.adding(engine, besides: Self.engineKeys)
    let record = new.recipe.adding(recipe, besides: Recipe.recordKeys)
    if record != new.recipe { adjustment.recipe = record }
    adjustment.renditions = new.renditions.map { rendition in
      renditions.first { $0.output == rendition.output }?.replaced(by: rendition) ?? rendition
    }
    return adjustment
  }

  /// Changes the photo's own settings; the next run renders them.
  ///
  /// `keepsRenditions` is true if the renditions are the same with the new settings.
  public mutating func adjust(_ overrides: JSON.Object, keepsRenditions: Bool) {
    let rendered = renderedOverrides ?? self.overrides
    self.overrides = overrides
    let isRendered = settings.isEmpty || rendered == overrides || keepsRenditions
    renderedOverrides = isRendered ? nil : rendered
  }

  /// Returns this adjustment with the unknown keys that the reversion `note` has kept.
  ///
  /// It is used when a reverted adjustment is rendered again.
  public func redone(from note: Reversion) -> Adjustment {
    var adjustment = self
    adjustment.others = JSON.Object(
      note.others.members.filter { !Self.keys.contains($0.key) })
    return adjustment
  }
}

extension Adjustment {
  private static let engineKeys = ["libvips", "phbatch", "revision"]
  private static let keys = [
    "base", "date", "descriptionSha256", "engine", "files", "foreign", "formatIdentifier",
    "formatVersion", "lenses", "look", "originalSha256", "overrides", "recipe", "renderedOverrides",
    "renditions", "settings", "variant",
  ]
  private static let foreignKeys = [
    "date", "foreign", "formatIdentifier", "formatVersion", "recipe", "renditions", "variant",
  ]

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    formatIdentifier = reader.sharedText("formatIdentifier") ?? ""
    formatVersion = reader.text("formatVersion") ?? ""
    variant = reader.optional("variant", "a text") { $0.string }
    date = reader.text("date") ?? ""
    if let node = reader["foreign"] {
      foreign = ForeignRecord(node, &reader.diagnostics)
      (base, overrides, settings) = (.original, JSON.Object(), "")
      engine = Self.engine(nil)
      // The record of a rendition that a user changed and adopted keeps its recipe, which shows
      // that phbatch chose the rendition's path.
      record = Self.recipe(reader["recipe"])
      let nodes = reader["renditions"].flatMap { $0.isArray ? $0.children : nil } ?? []
      renditions = nodes.map { RenditionRecord($0, &reader.diagnostics) }
      others = reader.others(than: Self.foreignKeys)
      diagnostics = reader.diagnostics
      return
    }
    (base, baseOthers) = Self.base(&reader)
    overrides = reader.optional("overrides", "an object") { $0.json.object } ?? JSON.Object()
    renderedOverrides = reader.optional("renderedOverrides", "an object") { $0.json.object }
    record = Self.recipe(reader.object("recipe"))
    renditions = reader.array("renditions").map { RenditionRecord($0, &reader.diagnostics) }
    settings = reader.sharedText("settings") ?? ""
    engine = Self.engine(reader["engine"])
    look = reader.optional("look", "an object") { $0.json.object.map(JSON.object) }
    for member in reader.optional("files", "an object", { $0.json.object })?.members ?? [] {
      files[member.key] = member.value.string
    }
    lenses = reader.optional("lenses", "a list") { $0.json.array } ?? []
    originalSHA256 = reader.optional("originalSha256", "a text") { $0.string }
    descriptionSHA256 = reader.optional("descriptionSha256", "a text") { $0.string }
    others = reader.others(than: Self.keys)
    diagnostics = reader.diagnostics
  }

  private static let recipes = RecentTexts<RecordedRecipe>()
  private static let engines = RecentTexts<JSON>()

  private static func recipe(_ node: JSONNode?) -> RecordedRecipe {
    guard let node else { return RecordedRecipe(.object(JSON.Object())) }
    return recipes.value(of: node.bytes) { RecordedRecipe(JSON(recorded: $0)) }
  }

  private static func engine(_ node: JSONNode?) -> JSON {
    guard let node else { return .object(JSON.Object()) }
    return engines.value(of: node.bytes) { JSON(recorded: $0) }
  }

  private static func base(_ reader: inout RecordReader) -> (Base, others: JSON.Object) {
    if reader["base"]?.string == "original" { return (.original, JSON.Object()) }
    var inner = RecordReader(reader.object("base"), &reader.diagnostics)
    let base = Base.rendition(RecordedName(&inner), sha256: inner.text("sha256") ?? "")
    reader.diagnostics = inner.diagnostics
    return (base, inner.others(than: ["file", "fileBytes", "sha256"]))
  }

  var json: JSON {
    var object = others
    object["formatIdentifier"] = .string(formatIdentifier)
    object["formatVersion"] = .string(formatVersion)
    object["variant"] = variant.map(JSON.string)
    object["date"] = .string(date)
    if let foreign {
      object["foreign"] = foreign.json
      if !renditions.isEmpty {
        object["recipe"] = recipe
        object["renditions"] = .array(renditions.map(\.json))
      }
      return .object(object)
    }
    object["base"] = base.json(baseOthers)
    object["overrides"] = overrides.members.isEmpty ? nil : .object(overrides)
    object["renderedOverrides"] = renderedOverrides.map(JSON.object)
    object["recipe"] = recipe
    object["renditions"] = .array(renditions.map(\.json))
    object["settings"] = .string(settings)
    object["engine"] = engine
    object["look"] = look
    let files = files.sorted { $0.key < $1.key }
    object["files"] =
      files.isEmpty
      ? nil : .object(JSON.Object(files.map { JSON.Object.Member($0.key, .string($0.value)) }))
    if !lenses.isEmpty { object["lenses"] = .array(lenses) }
    object["originalSha256"] = originalSHA256.map(JSON.string)
    object["descriptionSha256"] = descriptionSHA256.map(JSON.string)
    return .object(object)
  }
}

extension Adjustment.Base {
  fileprivate func json(_ others: JSON.Object) -> JSON {
    switch self {
    case .original: return .string("original")
    case .rendition(let name, let sha256):
      var object = others
      name.write(to: &object)
      object["sha256"] = .string(sha256)
      return .object(object)
    }
  }
}

extension JSON {
  /// Adds those members of another object that are neither in `known` nor in this object.
  fileprivate func adding(_ other: JSON, besides known: [String]) -> JSON {
    guard var object, let members = other.object?.members else { return self }
    for member in members where !known.contains(member.key) && object[member.key] == nil {
      object.append(member)
    }
    return .object(object)
  }

  /// Parses a value from a sidecar that is already validated; positions in the sidecar are not
  /// kept.
  fileprivate init(recorded text: [UInt8]) {
    let source = SourceText(name: "the recorded settings", bytes: text)
    self = JSONParser.parse(source, keepingLargeNumbers: true).json ?? .null
  }
}
