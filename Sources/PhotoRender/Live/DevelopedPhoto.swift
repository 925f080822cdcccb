/// The images and the measurements of a held photo, for one development of its raw samples.
final class DevelopedPhoto: Sendable {
  /// The development; nil for a photo that is not raw.
  let raw: RawDevelopment?
  /// The photo as reduced by its loader.
  let originals = ReducedOriginals(limit: originalPixels)
  let views = KnownViews()
  /// The photo at full size, for pictures of a part of it.
  let whole = ReducedOriginals(limit: wholePixels)
  /// The measurements for pictures at full size; those of reduced pictures can differ.
  let wholeViews = KnownViews()

  init(_ raw: RawDevelopment?) { self.raw = raw }

  static let (originalPixels, wholePixels) = (16_000_000, 64_000_000)
}
