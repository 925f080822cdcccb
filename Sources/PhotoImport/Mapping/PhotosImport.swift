import Notation
import PhotoRecipes

/// Converts the adjustments of Apple's Photos into a recipe.
///
/// Photos' formulas are not published. The ranges of the settings are taken from Photos' own
/// schema, where a slider ranges from −1 to 1.
/// - Source: the adjustment schemas in NeutrinoCore (macOS 11).
struct PhotosImport {
  var draft = RecipeDraft()
  let metadata: JSON?

  static func draft(
    of file: AdjustmentFile, photo: SettingsPhoto
  ) throws(ForeignFileError) -> RecipeDraft {
    switch try file.payload() {
    case .opaque: throw .unknownEditor(file.formatIdentifier)
    case .propertyList:
      guard file.isFilm else { throw .unknownEditor(file.formatIdentifier) }
      var draft = RecipeDraft()
      draft.drop(
        file.formatIdentifier, file.formatVersion, "this edits a video, not a photo")
      return draft
    case .json(let json):
      guard file.isPhotos else { throw .unknownEditor(file.formatIdentifier) }
      guard let adjustments = json["adjustments"]?.array else {
        throw .missing("adjustments", in: "the adjustment data")
      }
      var reader = PhotosImport(metadata: json["metadata"])
      let sorted = adjustments.compactMap(PhotosAdjustment.init).sorted { $0.rank < $1.rank }
      for adjustment in sorted where adjustment.isEnabled { reader.add(adjustment) }
      if let image = photo.editedImage { reader.startFromOriginal(insteadOf: image) }
      return reader.draft
    }
  }

  private init(metadata: JSON?) { self.metadata = metadata }

  static let alike = "the formula of Photos is unknown"

  /// Keeps the edit from being applied to the image into which Photos has rendered it.
  private mutating func startFromOriginal(insteadOf image: String) {
    if draft.steps.isEmpty { return }
    draft.startFromOriginal()
    draft.drop(
      "edited image", image,
      "it already contains the edit; the recipe is a variant, which starts from the original")
  }

  private mutating func add(_ adjustment: PhotosAdjustment) {
    switch adjustment.name {
    case "Orientation": orientation(adjustment)
    case "Crop", "CropStraighten": crop(adjustment)
    case "WhiteBalance": whiteBalance(adjustment)
    case "SmartTone": tone(adjustment)
    case "SmartColor": colour(adjustment)
    case "SmartBlackAndWhite": greys(adjustment)
    case "Levels": levels(adjustment)
    case "Curves": curves(adjustment)
    case "SelectiveColor": selectiveColour(adjustment)
    case "Effect", "Effect3D": look(adjustment)
    case "Definition":
      scale(adjustment, "intensity", 0.5, Clarity.self, \.amount)
    case "NoiseReduction": denoise(adjustment)
    case "Sharpen": sharpen(adjustment)
    case "Vignette": vignette(adjustment)
    case "Grain": grain(adjustment)
    default:
      return draft.drop(
        adjustment.name, adjustment.summary, Self.reasons[adjustment.name] ?? Self.other)
    }
    for (key, text) in adjustment.texts where !Self.namedSettings.contains(key) {
      draft.drop("\(adjustment.name).\(key)", text, "the value must be a number")
    }
  }

  /// The settings whose values are words; all other settings must be numbers.
  private static let namedSettings: Set = ["colorType", "effectName", "kind", "version"]

  private static let other = "phbatch has no filter for this"

  private static let reasons: [String: String] = {
    let families = [
      ("Retouch RedEye ApertureRedEye", "phbatch does not import retouching"),
      ("DepthEffect PortraitEffect Portrait", "phbatch does not import depth effects"),
      ("RAW RawNoiseReduction", "this applies to raw data only"),
      (
        "Trim SlowMotion Mute AutoLoop LivePhotoKeyFrame VideoPosterFrame VideoReframe",
        "this edits a video, not a photo"
      ),
      ("HighResolutionFusion HighResFusion SourceSelect", "the photo contains only one picture"),
    ]
    var reasons: [String: String] = [:]
    for (names, reason) in families {
      for name in names.split(separator: " ") { reasons[String(name)] = reason }
    }
    return reasons
  }()

  mutating func scale<F: Filter>(
    _ adjustment: PhotosAdjustment, _ key: String, _ factor: SliderScale, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>
  ) {
    guard let value = adjustment.number(key), value != 0 else { return }
    let held = draft.add(type) { $0[keyPath: path] = factor(value) }
    approximate(adjustment, key, value, F.name, Self.alike + held)
  }

  mutating func approximate(
    _ adjustment: PhotosAdjustment, _ key: String, _ value: Double, _ filter: String,
    _ reason: String = alike
  ) {
    draft.approximate("\(adjustment.name).\(key)", value.short, filter, reason)
  }
}
