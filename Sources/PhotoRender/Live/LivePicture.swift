public import PhotoRecipes

/// One picture of a held photo: its size, its quality and the part of the edit that it shows.
public struct LivePicture: Sendable, Hashable {
  /// The longer edge in pixels; a photo that is smaller is not enlarged.
  public var longEdge: Int
  /// True while a user moves a setting: the picture is then computed as fast as possible, without
  /// tables and without a larger size for noise.
  public var isMoving = false
  /// True for the photo with the edit's geometry only.
  public var isUnedited = false

  public init(longEdge: Int) { self.longEdge = longEdge }

  /// The quality of the JPEG file.
  ///
  /// At rest it equals the quality of previews, at which the encoder changes colours by a mean
  /// ΔE2000 below 1.
  var quality: Int { isMoving ? 85 : 96 }
}

/// The result of rendering a live picture.
public struct ShownPicture: Sendable, Hashable {
  public var size: Size
  /// The size that the output has at full size.
  public var fullSize: Size
  /// The milliseconds for planning, and for rendering with encoding.
  public var planning: Double
  public var rendering: Double
  /// The map from positions in the upright photo to positions in the picture, both 0…1, as nine
  /// numbers by rows; nil if an external program made the picture.
  public var frame: [Double]?
  public var warnings: [String]

  public init(
    size: Size, fullSize: Size, planning: Double, rendering: Double, frame: [Double]?,
    warnings: [String]
  ) {
    (self.size, self.fullSize) = (size, fullSize)
    (self.planning, self.rendering) = (planning, rendering)
    (self.frame, self.warnings) = (frame, warnings)
  }
}
