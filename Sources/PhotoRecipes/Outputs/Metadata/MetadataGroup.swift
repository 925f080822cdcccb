/// A kind of metadata, whichever block of a file holds it.
public enum MetadataGroup: String, Choice {
  /// The copyright notice and the rights that go with it.
  case copyright
  /// The maker of the photo.
  case creator
  /// Credit line, source and instructions.
  case credit
  case title
  case description
  case keywords
  /// Stars and colour labels.
  case rating
  /// When it was taken, digitized and changed, with fractions of seconds and time zones.
  case date
  /// Make and model.
  case camera
  case lens
  /// Time, aperture, sensitivity, focal length, flash and all else of how it was taken.
  case exposure
  /// Serial numbers, the owner's name and unique numbers.
  case serials
  /// The camera maker's own block.
  case makerNote
  /// Coordinates.
  case gps
  /// Names of places.
  case location
  /// Faces and names of those shown.
  case people
  /// The creator's address.
  case contact
  case comment
  case software
  /// The sources of the photo, and its processing.
  case history
  /// The settings of programs that edited it.
  case settings
  /// All fields that are in no other group.
  case other
}
