import PhotoLibrary
import PhotoRecipes

/// An image that an edit starts from.
struct StartImage: Sendable {
  let file: OpenFile
  /// The original of an image that is a rendition; nil for the original itself, and if the image's
  /// place in the original is not known.
  let origin: Origin?

  struct Origin: Sendable {
    let file: OpenFile
    /// The map from positions in the upright original to positions in the image, both 0…1.
    let frame: Homography
  }
}
