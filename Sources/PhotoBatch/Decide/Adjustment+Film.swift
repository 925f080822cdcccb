import PhotoLibrary
import PhotoRecipes

extension Adjustment {
  /// True if the adjustment has a rendition of a Live Photo's film.
  var hasFilm: Bool { renditions.contains { PairedFilm.output(of: $0.output) != nil } }

  /// The difference between a film of a Live Photo and the film from which the adjustment was
  /// rendered; nil if they are the same.
  ///
  /// `film` is the digest of the film; nil if there is none.
  func change(to film: String?) -> String? {
    switch (files[PairedFilm.source], film) {
    case (nil, .some): "\(PairedFilm.source) is new"
    case (.some, nil): "\(PairedFilm.source) is missing, or no longer kept"
    case (let old, let new): old == new ? nil : "the content of '\(PairedFilm.source)' changed"
    }
  }

  /// Records the film of a Live Photo from which the adjustment is rendered again.
  ///
  /// The settings digest covers the film. It is computed anew, unless other revisions of filters
  /// made the recorded digest.
  mutating func record(film: String?, _ recipe: Recipe, focal: Sidecar.FocalPoint?) {
    guard files[PairedFilm.source] != film else { return }
    let isOfThisRevision = settings == recipe.settingsDigest(files, focal: focal)
    files[PairedFilm.source] = film
    if isOfThisRevision { settings = recipe.settingsDigest(files, focal: focal) }
  }
}
