import Synchronization

/// The images and the measurements of a held photo, for one development of its raw samples.
final class DevelopedPhoto: Sendable {
  /// The development; nil for a photo that is not raw.
  let raw: RawDevelopment?
  /// The photo as reduced by its loader.
  let originals = ReducedOriginals(limit: 16_000_000)
  let views = KnownViews()
  /// The photo at full size, for pictures of a part of it.
  let whole = ReducedOriginals(limit: wholePixels)
  /// The measurements for pictures at full size; those of reduced pictures can differ.
  let wholeViews = KnownViews()
  private let images = Mutex<[(kind: LivePicture.Kind, images: LiveImages)]>([])

  init(_ raw: RawDevelopment?) { self.raw = raw }

  /// The images that are kept for the next picture of the same kind.
  ///
  /// Drafts are smaller than the picture at rest; each size has its own images, because they follow
  /// each other all the time.
  func images(for kind: LivePicture.Kind) -> LiveImages {
    images.withLock { all in
      let known = all.firstIndex { $0.kind == kind }.map { all.remove(at: $0).images }
      let images = known ?? LiveImages()
      all.append((kind, images))
      if all.count > Self.mostKinds { all.removeFirst() }
      return images
    }
  }

  static let wholePixels = 64_000_000
  private static let mostKinds = 4
  /// The bytes of the images that are kept for the next pictures.
  static let keptBytes = mostKinds * KeptImages.bytes + 4 * 16_000_000
}
