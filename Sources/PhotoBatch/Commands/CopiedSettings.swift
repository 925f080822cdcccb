import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The settings of one photo's edit that `adjust --from` copies to other photos.
public struct CopiedSettings: Sendable {
  /// The photo's own settings, with keys of the form `step.setting`.
  let settings: JSON.Object
  /// The steps and settings that are copied; nil for all.
  let only: [String]?
  /// The stack whose settings are copied; nil for the main stack.
  public let variant: String?
  /// The photo's focal point, if it is copied.
  let focalPoint: Sidecar.FocalPoint?
  /// The photo's name, for reports.
  let source: String

  private static let focalPointName = "focalPoint"

  /// Reads the settings of a photo's edit.
  ///
  /// `only` lists the steps and settings (`step.setting`) to copy; nil copies all settings. The
  /// focal point belongs to one picture, so it is copied only if `only` contains `focalPoint`.
  ///
  /// - Throws: `MissingInput` if the photo has no such edit, or none of these settings.
  public init(
    of photo: FilePath, library: FilePath? = nil, variant: String?, only: [String]?
  ) throws {
    let found = try PhotoHistory.read([photo], library: library)
    guard found.count == 1, let sidecar = found[0].sidecar else {
      throw MissingInput(
        "'\(photo.displayed)' is not a photo with an edit", hint: "name one photo with --from")
    }
    let fits = { (edit: Adjustment) in !edit.isForeign }
    guard case .stack(let stack, let newest) = StackChoice(variant, in: sidecar, fits) else {
      throw MissingInput(
        "'\(photo.displayed)' has no such edit", hint: "'phbatch history' lists its edits")
    }
    self.variant = stack
    self.only = only
    source = photo.displayed
    let own = sidecar.adjustments[newest].overrides
    focalPoint = only?.contains(Self.focalPointName) == true ? sidecar.focalPoint : nil
    settings = JSON.Object(own.members.filter { Self.isChosen($0.key, only) })
    let unknown = only?.first { name in
      name == Self.focalPointName
        ? focalPoint == nil : !settings.keys.contains { Self.isPart($0, of: name) }
    }
    if settings.members.isEmpty && focalPoint == nil || unknown != nil {
      throw MissingInput(
        "'\(photo.displayed)' has no settings of its own" + (unknown.map { " for '\($0)'" } ?? ""),
        hint: "'phbatch adjust --list' prints a photo's own settings")
    }
  }

  /// Returns another photo's settings after the copy: the copied settings replace the settings that
  /// `only` selects, or all settings if `only` is nil.
  func merged(into others: JSON.Object) -> JSON.Object {
    var merged = JSON.Object(others.members.filter { !Self.isChosen($0.key, only) })
    for member in settings.members { merged[member.key] = member.value }
    return merged
  }

  private static func isChosen(_ key: String, _ only: [String]?) -> Bool {
    only?.contains { isPart(key, of: $0) } ?? true
  }

  private static func isPart(_ key: String, of name: String) -> Bool {
    key == name || key.hasPrefix("\(name).")
  }
}
