import Notation
import PhotoLibrary
import PhotoRecipes

extension Sidecar {
  /// The photo's own settings for a recipe; empty if it has none.
  func ownSettings(for recipe: Recipe) -> JSON.Object {
    let own = stack(recipe.variant).map(\.adjustment).last(where: recipe.handles)
    // A reverted adjustment keeps its settings if it is rendered again.
    return own?.overrides ?? reversion(handledBy: recipe)?.overrides ?? JSON.Object()
  }

  /// Returns the problem if a recipe is too long to be recorded in a sidecar, even one without
  /// other edits; nil if it fits.
  static func problem(of recipe: Recipe) -> Problem? {
    var sidecar = Sidecar(
      original: OriginalRecord(
        file: RecordedName(bytes: [0x61]), bytes: 0, sha256: "", width: 0, height: 0, date: nil))
    sidecar.adjustments = [
      Adjustment(
        formatIdentifier: recipe.identifier, formatVersion: "\(recipe.version)",
        variant: recipe.variant, base: .original, date: "", overrides: JSON.Object(),
        recipe: recipe.record, renditions: [], settings: "", engine: .object(JSON.Object()))
    ]
    do throws(SidecarError) { _ = try sidecar.text() } catch {
      guard case .tooLarge(let bytes) = error else { return nil }
      return .contradiction(
        "the recipe needs \(bytes >> 10) KiB in each photo's sidecar; the limit is"
          + " \(sizeLimit >> 10) KiB",
        remedy: "use fewer steps or masks, or an image as a mask")
    }
    return nil
  }
}
