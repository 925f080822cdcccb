public import PhotoRecipes

/// The photo to which another program's settings belong, as far as it is known.
public struct SettingsPhoto: Sendable {
  /// The orientation that the photo's own metadata state; nil if it is not known.
  public var orientation: Orientation?
  /// The width divided by the height of the stored pixels; nil if it is not known.
  public var aspect: Double?
  /// The size of the stored picture in pixels; nil if it is not known.
  public var size: Size?

  public init(orientation: Orientation? = nil, aspect: Double? = nil, size: Size? = nil) {
    (self.orientation, self.aspect, self.size) = (orientation, aspect, size)
  }
}
