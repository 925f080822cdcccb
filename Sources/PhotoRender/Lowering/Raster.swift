import PhotoRecipes

/// An image under construction: the call that makes it, and the program that is pending for its
/// pixels.
///
/// Programs stay pending until their result is needed, so that consecutive ones become one pass;
/// turns and crops go before them.
struct Raster: Sendable, Hashable {
  var call: Int
  var size: Size
  var format: SampleFormat
  var hasAlpha: Bool
  /// The program from the samples to display-encoded sRGB; its images are numbered separately, in
  /// `layers` and `maps`.
  var pending: PointProgram
  /// Images of this one's size that `pending` reads.
  var layers: [Int] = []
  /// Images that `pending` stretches over the frame.
  var maps: [Int] = []
  /// True if `pending` is only the photo's colour profile: stored pixels may still be averaged.
  var isUntouched: Bool
  /// True if this is an image for programs to stretch over the frame, not a photo.
  var isMap = false
  /// The frame of planes, if the samples are planes of which a resize makes RGB.
  var planes: Pipeline.Frame?

  var bands: Int { hasAlpha ? 4 : 3 }

  var frame: Pipeline.Frame {
    planes
      ?? Pipeline.Frame(size: size, bands: bands, sampleBytes: format.bytes)
  }
}
