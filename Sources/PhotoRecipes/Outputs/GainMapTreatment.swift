import Notation

/// The treatment of a photo's gain map, with which displays of high dynamic range show the photo
/// brighter.
public enum GainMapTreatment: String, Choice {
  /// Crops, rotates and resizes the map like the photo; gains stay unchanged.
  case keep
  /// Makes a map of the rendition and of the same edit with light above white.
  case rebuild
  /// Leaves the map out.
  case drop

  static let key = "gainMap"
}

extension Output {
  /// True if the rendition gets the photo's gain map.
  public var keepsGainMap: Bool {
    type(of: format).holdsGainMap && hdr == nil
      && (gainMap ?? (metadata.preset == .none ? .drop : .keep)) == .keep
  }

  /// True if the rendition gets a gain map that is made of its own light.
  public var rebuildsGainMap: Bool { gainMap == .rebuild && hdr == nil }

  /// The name of the graph's output that has the light of a rendition with a new gain map.
  public static func lightName(_ name: String) -> String { "light of \(name)" }
}

extension Step {
  /// True if the gains of the photo are invalid after the step, because the step inverts or
  /// replaces tones, or replaces parts of the photo.
  ///
  /// Below texts and images that are laid over the photo, the gain becomes 1.
  public var endsGains: Bool {
    if isIdentity { return false }
    return switch filter {
    case is Invert, is FilmNegative, is Solarize, is Threshold, is Posterize, is FalseColour,
      is Duotone:
      true
    default: replacesPhoto
    }
  }

  /// True if the step replaces parts of the photo, so that its mattes and depth map are invalid
  /// after the step.
  ///
  /// Texts and images over the photo cover it, but do not replace it. `Censor` counts as replacing,
  /// because the maps would show the shapes that it hides.
  public var replacesPhoto: Bool {
    if isIdentity { return false }
    return switch filter {
    case is TextFilter, is Watermark, is RoundCorners, is ShadowFilter, is Background: false
    case is Censor: true
    default: type(of: filter).category == .composite
    }
  }
}
