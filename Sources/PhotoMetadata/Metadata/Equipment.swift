/// The camera of a photo, and the settings of its lens.
public struct Equipment: Sendable, Hashable {
  /// The maker and the model as the camera wrote them; empty if unknown.
  public var maker = ""
  public var camera = ""
  /// The distance of the subject in metres; nil if it is unknown or infinite.
  public var distance: Double?
  /// The focal length in millimetres with the same field of view on a 36 × 24 mm frame; nil if
  /// unknown.
  public var equivalent: Double?
}

extension Metadata {
  /// The camera of the photo, from EXIF.
  public var equipment: Equipment {
    var equipment = Equipment()
    guard let exif else { return equipment }
    equipment.maker = exif.text(.make) ?? ""
    equipment.camera = exif.text(.model) ?? ""
    equipment.equivalent = exif.integer(.equivalentFocalLength).map(Double.init)
    // In EXIF, the numerator 2³² − 1 means an infinite distance.
    equipment.distance = exif.fractions(.subjectDistance).first.flatMap { $0 }
      .flatMap { $0 < 100_000 ? $0 : nil }
    return equipment
  }
}
