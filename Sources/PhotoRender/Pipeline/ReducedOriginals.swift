import Synchronization
import Vips

/// A photo as its loader has reduced it, kept in memory from one look at it to the next.
final class ReducedOriginals: Sendable {
  /// The most pixels that are kept.
  private static let limit = 4_000_000

  private let images = Mutex<[[String: Pipeline.Value]: Image]>([:])

  /// The image that a loader made with these arguments before.
  subscript(arguments: [String: Pipeline.Value]) -> Image? { images.withLock { $0[arguments] } }

  /// The same image, decoded and kept if it is small; later looks find it.
  func keeping(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    if image.width * image.height > Self.limit { return image }
    let kept = try image.materialized().setting(["vips-sequential": nil])
    images.withLock { $0[arguments] = kept }
    return kept
  }
}
