import PhotoRecipes
import TestSupport

/// Finds differences from a picture of one colour.
extension Samples {
  /// The bounding box of the pixels that differ from `plain`; nil if all pixels are `plain`.
  func ink(on plain: [Int]) -> Rectangle? {
    var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
    for y in 0..<height {
      for x in 0..<width where self[x, y] != plain {
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    if right < 0 { return nil }
    return Rectangle(left: left, top: top, size: Size(right - left + 1, bottom - top + 1))
  }
}
