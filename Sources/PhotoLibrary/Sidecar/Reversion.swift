public import Notation
import PhotoRecipes

/// The record of a reverted adjustment.
///
/// Because of the record, the next run does not render the adjustment again.
public struct Reversion: Sendable, Hashable {
  public var formatIdentifier: String
  public var formatVersion: String
  /// The name of the stack; nil for the main stack.
  public var variant: String?
  /// The date in ISO 8601, UTC.
  public var date: String
  /// The photo's own settings, which are restored together with the adjustment.
  public var overrides: JSON.Object
  /// The photo's own settings with which the renditions were made, if `adjust` changed them before
  /// the adjustment was reverted; nil otherwise.
  public private(set) var renderedOverrides: JSON.Object?
  /// The settings digest of the adjustment's renditions.
  ///
  /// A run with other settings renders the photo again.
  public var settings: String
  /// Keys of the reversion and of its adjustment that are unknown to this version.
  private(set) var others = JSON.Object()

  public init(of adjustment: Adjustment, date: String) {
    formatIdentifier = adjustment.formatIdentifier
    formatVersion = adjustment.formatVersion
    variant = adjustment.variant
    self.date = date
    overrides = adjustment.overrides
    renderedOverrides = adjustment.renderedOverrides
    settings = adjustment.settings
    others = adjustment.others
  }

  /// Creates a reversion that keeps the photo's own settings of an adjustment that is lost.
  ///
  /// The settings digest of the reversion is empty, so every run of the recipe renders the photo.
  init(
    formatIdentifier: String, formatVersion: String, variant: String?, date: String,
    overrides: JSON.Object
  ) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.variant = variant
    self.date = date
    self.overrides = overrides
    settings = ""
  }

  public var version: SemanticVersion? { SemanticVersion(formatVersion) }
}

extension Reversion {
  private static let keys = [
    "date", "formatIdentifier", "formatVersion", "overrides", "renderedOverrides", "settings",
    "variant",
  ]

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    var reader = RecordReader(node, &diagnostics)
    formatIdentifier = reader.text("formatIdentifier") ?? ""
    formatVersion = reader.text("formatVersion") ?? ""
    variant = reader.optional("variant", "a text") { $0.string }
    date = reader.text("date") ?? ""
    overrides = reader.optional("overrides", "an object") { $0.json.object } ?? JSON.Object()
    renderedOverrides = reader.optional("renderedOverrides", "an object") { $0.json.object }
    settings = reader.text("settings") ?? ""
    others = reader.others(than: Self.keys)
    diagnostics = reader.diagnostics
  }

  var json: JSON {
    var object = others
    object["formatIdentifier"] = .string(formatIdentifier)
    object["formatVersion"] = .string(formatVersion)
    object["variant"] = variant.map(JSON.string)
    object["date"] = .string(date)
    object["overrides"] = overrides.members.isEmpty ? nil : .object(overrides)
    object["renderedOverrides"] = renderedOverrides.map(JSON.object)
    object["settings"] = .string(settings)
    return .object(object)
  }
}
