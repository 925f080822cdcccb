import PhotoRecipes

/// An image during the conversion of a graph to a pipeline: the operation (call) that creates the
/// image, and the pending point program, which must still run on its pixels.
///
/// A program stays pending until its result is needed, so that consecutive programs become one
/// pass. Turns and crops are done before the pending program runs.
struct Raster: Sendable, Hashable {
  var call: Int
  var size: Size
  var format: SampleFormat
  var hasAlpha: Bool
  /// True if the colours are multiplied by alpha; `pending` is then empty.
  var isPremultiplied = false
  /// The program that converts the samples to display-encoded sRGB.
  ///
  /// The images that the program reads are numbered separately in `layers` and `maps`.
  var pending: PointProgram
  /// The operations (calls) that create the layers: images of the same size as this image.
  ///
  /// For each pixel, `pending` reads the pixel of the layer at the same position.
  var layers: [Int] = []
  /// The operations (calls) that create the maps: images that `pending` stretches over the frame.
  var maps: [Int] = []
  /// True if `pending` contains only the conversion from the photo's colour profile.
  ///
  /// A resize may then average the stored samples.
  var isUntouched: Bool
  /// True if this is an image that programs stretch over the frame, not a photo.
  var isMap = false
  /// The layout of the planes, if the samples are planes that a later resize converts to RGB;
  /// otherwise nil.
  var planes: Pipeline.Frame?

  var bands: Int { hasAlpha ? 4 : 3 }

  var frame: Pipeline.Frame {
    planes
      ?? Pipeline.Frame(size: size, bands: bands, sampleBytes: format.bytes)
  }
}
