public import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// A photo's own settings as its sidecar records them; `adjust --list` prints them.
public struct OwnSettings: Sendable {
  /// The path from the library's root.
  public let path: FilePath
  let focalPoint: Sidecar.FocalPoint?
  /// The edits for which the photo has its own settings.
  let edits: [Adjustment]
  /// The problem with the sidecar, as a reason and its detail; nil if there is no problem.
  public let problem: (reason: Reason, detail: String)?

  /// Reads the sidecars of the named photos; `variant` names the stack, nil for all stacks.
  ///
  /// `warn` receives the errors of folders and files that cannot be read.
  ///
  /// - Throws: `MissingInput` if no photo has a stack with this name.
  public static func read(
    _ paths: [FilePath], library: FilePath? = nil, variant: String? = nil,
    warn: (any UserError) -> Void = { _ in }
  ) throws -> [OwnSettings] {
    let photos = try PhotoHistory.read(paths, library: library, warn: warn)
    if let variant { try check(variant, in: photos.compactMap(\.sidecar)) }
    return photos.map { photo in
      OwnSettings(
        path: photo.path, focalPoint: photo.sidecar?.focalPoint,
        edits: (photo.sidecar?.adjustments ?? []).filter { edit in
          !edit.overrides.members.isEmpty && (variant == nil || edit.variant == variant)
        }, problem: photo.sidecar == nil ? photo.problem : nil)
    }
  }

  private static func check(_ variant: String, in sidecars: [Sidecar]) throws(MissingInput) {
    let variants = Set(sidecars.flatMap(\.variants)).compactMap(\.self).sorted()
    if variants.contains(variant) || sidecars.isEmpty { return }
    throw MissingInput(
      "no photo has a variant '\(variant)'",
      hint: variants.isEmpty
        ? "leave --variant out; there are only edits of the photos themselves"
        : "name a variant with --variant: " + variants.map { "'\($0)'" }.joined(separator: ", "))
  }

  /// A line for the photo, and one for each setting.
  public var text: String {
    if let problem { return "\(path.displayed): \(problem.reason.rawValue): \(problem.detail)" }
    if edits.isEmpty && focalPoint == nil { return "\(path.displayed): no settings of its own" }
    var lines = [path.displayed]
    for edit in edits {
      let stack = edit.variant.map { "variant \($0)" } ?? "main"
      lines.append("  \(stack): \(edit.formatIdentifier) \(edit.formatVersion)")
      lines += edit.overrides.members.map { "    \($0.key) = \($0.value.compactText)" }
    }
    if let focalPoint { lines.append("  focal point \(focalPoint.x), \(focalPoint.y)") }
    return lines.joined(separator: "\n")
  }

  public var json: JSON {
    var object = JSON.Object(photo: path, problem: problem?.reason)
    object["edits"] = .array(
      edits.map { edit in
        var entry = JSON.Object(
          edit: edit.formatIdentifier, version: edit.formatVersion, date: edit.date)
        entry["variant"] = edit.variant.map(JSON.string)
        entry["settings"] = .object(edit.overrides)
        return .object(entry)
      })
    object["focalPoint"] = focalPoint.map {
      .object(["x": .number($0.x), "y": .number($0.y)])
    }
    return .object(object)
  }
}
