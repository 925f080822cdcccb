/// A kind of metadata, regardless of the block of the file that contains it.
public enum MetadataGroup: String, Choice {
  /// The copyright notice and related rights.
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
  /// The times of capture, digitization and change, with fractions of seconds and time zones.
  case date
  /// The camera's make and model.
  case camera
  case lens
  /// Exposure time, aperture, sensitivity, focal length, flash and all other capture settings.
  case exposure
  /// Serial numbers, the owner's name and unique identifiers.
  case serials
  /// The proprietary block of the camera maker.
  case makerNote
  /// The GPS coordinates.
  case gps
  /// Names of places, in any vocabulary.
  case location
  /// Names of people, faces and regions, in any vocabulary.
  case people
  /// The creator's address.
  case contact
  case comment
  case software
  /// The sources of the photo and the steps of its processing.
  case history
  /// The settings of programs that edited the photo.
  case settings
  /// All fields that are in no other group.
  case other

  /// The groups of facts that camera makers also write into their proprietary blocks.
  public static let statedByMakers: Set<Self> = [
    .camera, .lens, .exposure, .serials, .date, .rating, .software, .people, .location, .gps,
  ]
}
