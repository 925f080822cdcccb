public import PhotoRecipes

/// The photo to which another program's settings belong, as far as it is known.
public struct SettingsPhoto: Sendable {
  /// True if the photo is a raw file; nil if it is not known.
  public var isRaw: Bool?
  /// The orientation that the photo's own metadata state; nil if it is not known.
  public var orientation: Orientation?
  /// The width divided by the height of the stored pixels; nil if it is not known.
  public var aspect: Double?
  /// The size of the stored picture in pixels; nil if it is not known.
  public var size: Size?
  /// The exposure bias in stops, 0 if the photo's EXIF states none; nil if it is not known.
  public var exposureBias: Double?
  /// The name of the image with the edit that the program of the settings left beside the photo;
  /// nil if there is none.
  public var editedImage: String?

  public init(
    isRaw: Bool? = nil, orientation: Orientation? = nil, aspect: Double? = nil, size: Size? = nil,
    exposureBias: Double? = nil, editedImage: String? = nil
  ) {
    (self.isRaw, self.orientation, self.aspect) = (isRaw, orientation, aspect)
    (self.size, self.exposureBias) = (size, exposureBias)
    self.editedImage = editedImage
  }
}
