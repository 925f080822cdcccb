import Glibc
import PhotoRecipes
import Vips

/// Finds the highest quality at which an image does not exceed a number of bytes.
///
/// The image is computed once and encoded up to eight times; each time the range of qualities is
/// halved. All decisions compare integers, so every machine finds the same quality.
struct QualitySearch {
  /// The image, in memory.
  let image: Image
  let format: any OutputFormat
  let depth: Int
  let lowest: Int

  /// Writes the file at the quality of `format` if the file then fits, else at the highest lower
  /// quality at which it fits, else at the lowest quality.
  ///
  /// `growth` returns the number of bytes that metadata will add to the file; the quality does not
  /// affect this number.
  ///
  /// - Returns: The quality if it differs from the quality of `format`, otherwise nil.
  func write(
    to descriptor: Int32, atMost most: Int, growth: (Int32) -> Int
  ) throws(VipsError) -> Int? {
    try image.save(Target(descriptor: descriptor), format, depth: depth)
    let limit = most - growth(descriptor)
    let file = FinishedFile(descriptor: descriptor)
    guard let top = format.lossyQuality, file.size > limit, lowest < top else { return nil }
    var (low, high) = (lowest, top - 1)
    var best: (quality: Int, bytes: [UInt8])?
    while low <= high {
      let quality = (low + high) / 2
      let bytes = try encoded(at: quality)
      let fits = bytes.count <= limit
      // A file at the lowest quality is kept even if it does not fit, so that the error can report
      // its size.
      if fits || quality == lowest { best = (quality, bytes) }
      if fits { low = quality + 1 } else { high = quality - 1 }
    }
    guard let best else { return nil }
    guard file.replace(with: best.bytes) else {
      throw .failed(operation: "save", detail: "the file cannot be written")
    }
    return best.quality
  }

  private func encoded(at quality: Int) throws(VipsError) -> [UInt8] {
    let target = Target()
    try image.save(target, format.with(lossyQuality: quality), depth: depth)
    return target.bytes()
  }
}
