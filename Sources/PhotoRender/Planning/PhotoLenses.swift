import PhotoMetadata
public import PhotoRecipes

/// Finds the profiles of lenses in a database.
public protocol LensFinder: Sendable {
  /// Returns the profile of the lens.
  ///
  /// - Throws: `RenderError` if there is no database.
  func lens(for facts: LensFacts) throws(RenderError) -> LensAnswer
}

public enum LensAnswer: Sendable, Hashable {
  case found(LensProfile)
  /// The database does not contain the lens; the text states the reason.
  case unknown(String)
}

/// The lenses that the steps of a recipe correct in a photo.
struct PhotoLenses {
  private(set) var found: [FoundLens] = []
  /// Warnings about lenses that are unknown, and thus not corrected.
  private(set) var warnings: [String] = []
  private var profiles: [LensCorrection: LensProfile] = [:]

  /// Finds the lenses; reads the photo's metadata only if a step needs them.
  ///
  /// A grey photo has one channel, so its lateral chromatic aberration cannot be corrected.
  init(
    _ graph: Graph, _ photo: PhotoFile, _ header: PhotoHeader, _ finder: (any LensFinder)?
  ) throws(RenderError) {
    let corrections = graph.lensCorrections
    if corrections.isEmpty { return }
    let photo = LensFacts(header.metadata ?? Metadata(of: photo.byteSource))
    for correction in corrections {
      let facts = correction.facts(of: photo)
      guard let finder else {
        warnings.append("lenses are not corrected, because there is no database of lenses")
        return
      }
      switch try finder.lens(for: facts) {
      case .unknown(let reason): warnings.append("unknown lens, not corrected: \(reason)")
      case .found(let profile):
        profiles[correction] = profile
        if header.bands < 3 {
          profiles[correction]?.red = nil
          profiles[correction]?.blue = nil
        }
        found.append(FoundLens(facts, profile))
        if profile.isCropAssumed {
          warnings.append(
            "the database has no camera '\(profile.camera)': its sensor is taken to have the size of that with which"
              + " the lens was measured; name a similar camera by 'camera'")
        }
        if correction.vignetting, profile.vignetting == nil, facts.aperture == nil {
          warnings.append("vignetting is not corrected: the photo does not state its f-number")
        }
      }
    }
  }

  /// The graph with the profiles of the lenses.
  func corrected(_ graph: Graph) -> Graph { graph.corrected { profiles[$0] } }
}

extension LensFacts {
  /// The facts in a photo's metadata.
  init(_ metadata: Metadata) {
    self.init()
    let details = PhotoDetails(metadata)
    let equipment = metadata.equipment
    maker = equipment.maker
    camera = equipment.camera.isEmpty ? details.camera ?? "" : equipment.camera
    lens = details.lens ?? ""
    func positive(_ number: Double?) -> Double? { number.flatMap { $0 > 0 ? $0 : nil } }
    focalLength = positive(details.focalLength)
    aperture = positive(details.aperture)
    distance = positive(equipment.distance)
    equivalent = positive(equipment.equivalent)
  }
}
