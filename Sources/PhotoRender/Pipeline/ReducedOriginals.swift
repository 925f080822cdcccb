import Vips

/// A photo as its loader has reduced it, kept in memory from one look at it to the next.
final class ReducedOriginals {
  /// The most pixels that are kept.
  private static let limit = 4_000_000

  private var images: [[String: Pipeline.Value]: Image] = [:]

  /// The image that a loader made with these arguments before.
  subscript(arguments: [String: Pipeline.Value]) -> Image? { images[arguments] }

  /// The same image, decoded and kept if it is small; later looks find it.
  func keeping(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    if image.width * image.height > Self.limit { return image }
    let kept = try image.materialized().setting(["vips-sequential": nil])
    images[arguments] = kept
    return kept
  }
}
