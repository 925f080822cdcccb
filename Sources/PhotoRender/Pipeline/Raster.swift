import PhotoRecipes

/// An image under construction: the call that makes it, and what is still to be done to its pixels.
///
/// Programs wait in `pending` until something needs their result, so that all that follows one
/// another is one pass; turns and crops go past them.
struct Raster: Sendable, Hashable {
  var call: Int
  var size: Size
  var format: SampleFormat
  var hasAlpha: Bool
  /// From the samples to display-encoded sRGB; its images are numbered apart, as `layers` and
  /// `maps`.
  var pending: PointProgram
  /// Images of this one's size that `pending` reads.
  var layers: [Int] = []
  /// Images that `pending` stretches over the frame.
  var maps: [Int] = []
  /// Whether `pending` is no more than the photo's colour profile: pixels may still be averaged as
  /// they are, as any viewer would.
  var isUntouched: Bool
  /// Whether this is an image for programs to stretch over the frame, not a photo.
  var isMap = false
  /// How the samples lie where they are planes that a resize makes RGB of.
  var planes: Pipeline.Frame?

  var bands: Int { hasAlpha ? 4 : 3 }

  var frame: Pipeline.Frame {
    planes
      ?? Pipeline.Frame(size: size, bands: bands, sampleBytes: format.bytes)
  }
}
