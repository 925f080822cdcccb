import Synchronization

/// The images and the measurements of a held photo, for one development of its raw samples.
final class DevelopedPhoto: Sendable {
  /// The development; nil for a photo that is not raw.
  let raw: RawDevelopment?
  /// The photo as reduced by its loader.
  let originals = ReducedOriginals(limit: originalPixels)
  private let reducedViews = Mutex<[(shrink: Int, views: KnownViews)]>([])
  /// The photo at full size, for pictures of a part of it.
  let whole = ReducedOriginals(limit: wholePixels)
  /// The measurements for pictures at full size; those of reduced pictures can differ.
  let wholeViews = KnownViews()

  init(_ raw: RawDevelopment?) { self.raw = raw }

  /// The measurements of the photo as reduced by its loader by at most the factor `shrink`.
  ///
  /// Those of the last factors are kept: those of the picture at rest, and of two sizes of drafts.
  func views(shrink: Int) -> KnownViews {
    reducedViews.withLock { all in
      let known = all.firstIndex { $0.shrink == shrink }.map { all.remove(at: $0).views }
      let views = known ?? KnownViews()
      all.append((shrink, views))
      if all.count > 3 { all.removeFirst() }
      return views
    }
  }

  static let (originalPixels, wholePixels) = (16_000_000, 64_000_000)
}
