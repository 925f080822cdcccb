import Notation

/// The treatment of the film that belongs to a photo: that of a motion photo, or of a Live Photo.
public enum LiveTreatment: String, Choice {
  /// Edits the film like the photo.
  case keep
  /// Leaves the film out.
  case still

  static let key = "live"
}
