import PhotoRecipes

/// The path templates of all outputs that sidecars record, with the values of the templates'
/// placeholders; each is listed once.
public struct RecordedPlaces: Sendable {
  public private(set) var places: Set<RenditionPlace> = []
  /// The recipes whose recorded places were already added.
  ///
  /// Sidecars with the same recipe refer to the same object, so that it is added once.
  private var known: Set<Key> = []

  private struct Key: Hashable {
    let recipe: ObjectIdentifier
    let identifier: String
    let variant: String?
  }

  public init() {}

  /// Adds the places of a sidecar.
  ///
  /// The sidecar must exist as long as this object, which identifies recipes by their addresses.
  public mutating func add(_ sidecar: Sidecar) {
    for adjustment in sidecar.adjustments {
      let key = Key(
        recipe: ObjectIdentifier(adjustment.record), identifier: adjustment.formatIdentifier,
        variant: adjustment.variant)
      guard known.insert(key).inserted else { continue }
      for rendition in adjustment.renditions {
        let output = PairedFilm.output(of: rendition.output) ?? rendition.output
        guard let place = adjustment.record.place(of: output) else { continue }
        places.insert(
          RenditionPlace(
            place.template, extension: place.fileExtension, output: rendition.output,
            recipe: Recipe.shortName(of: adjustment.formatIdentifier),
            variant: adjustment.variant))
      }
    }
  }
}
