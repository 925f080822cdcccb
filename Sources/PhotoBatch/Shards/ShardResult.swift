import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Writes a photo's outcome as a line of JSON, and reads it again.
enum ShardResult {
  static func json(_ outcome: AssetOutcome) -> JSON {
    var object = JSON.Object()
    object.add(outcome.path, as: "file")
    object["reason"] = .string(outcome.reason.rawValue)
    object["detail"] = outcome.detail.map(JSON.string)
    object["hint"] = outcome.hint.map(JSON.string)
    object["code"] = (outcome.systemCode?.rawValue).map { .integer(Int($0)) }
    object["originalBytes"] = outcome.originalBytes.map(JSON.integer)
    if !outcome.warnings.isEmpty {
      object["warnings"] = .array(outcome.warnings.map(JSON.string))
    }
    if !outcome.renditions.isEmpty {
      object["renditions"] = .array(outcome.renditions.map { rendition($0) })
    }
    return .object(object)
  }

  private static func rendition(_ rendition: AssetOutcome.Rendition) -> JSON {
    var object = JSON.Object()
    object.add(rendition.path, as: "file")
    object["output"] = .string(rendition.output)
    object["size"] = .array([.integer(rendition.size.width), .integer(rendition.size.height)])
    object["bytes"] = .integer(rendition.bytes)
    object["quality"] = rendition.quality.map(JSON.integer)
    object["clipped"] = rendition.clipped.map(JSON.number)
    if rendition.isOriginal { object["copied"] = .bool(true) }
    return .object(object)
  }

  /// Reads an outcome; nil if the line is not an outcome.
  ///
  /// `plan` is the photo's line of the plan, whose members a report repeats; nil if there is none.
  static func outcome(_ json: JSON, plan: JSON? = nil) -> AssetOutcome? {
    guard let path = json.path("file"),
      let reason = json["reason"]?.string.flatMap({ Reason(rawValue: $0) })
    else { return nil }
    var outcome = AssetOutcome(
      path, reason, json["detail"]?.string, hint: json["hint"]?.string)
    outcome.systemCode = json["code"]?.integer.flatMap { ExitCode(rawValue: Int32($0)) }
    outcome.originalBytes = json["originalBytes"]?.integer
    outcome.warnings = json["warnings"]?.array?.compactMap(\.string) ?? []
    outcome.renditions = (json["renditions"]?.array ?? []).compactMap { rendition($0) }
    // The plan of a photo that another run has rendered since was not carried out.
    outcome.plan = reason == .upToDate ? nil : plan.map { PhotoPlan(recorded: $0, of: path) }
    return outcome
  }

  private static func rendition(_ json: JSON) -> AssetOutcome.Rendition? {
    guard let path = json.path("file"), let output = json["output"]?.string,
      let size = json["size"]?.array?.compactMap(\.integer), size.count == 2,
      let bytes = json["bytes"]?.integer
    else { return nil }
    return AssetOutcome.Rendition(
      output: output, path: path, size: Size(size[0], size[1]), bytes: bytes,
      quality: json["quality"]?.integer, clipped: json["clipped"]?.number,
      isOriginal: json["copied"]?.bool ?? false)
  }
}
