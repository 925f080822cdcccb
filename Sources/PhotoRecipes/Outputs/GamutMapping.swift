import Notation

/// The treatment of colours outside an output's space.
public enum GamutMapping: String, Choice {
  /// Clips each channel.
  case clip
  /// Reduces chroma at constant lightness and hue.
  case perceptual

  static let key = "gamut"
  /// The version of `perceptual`, as a filter's `revision`.
  static let revision = 2
}
