/// Reconstruction by dilation: raises the values of a plane as far as a limit and their neighbours
/// permit.
///
/// The result at a pixel is the greatest value that a path from some pixel carries to it: the path
/// starts with that pixel's value, goes through neighbours above, below, left and right, and on
/// each pixel its value is cut to that pixel's limit.
///
/// - Source: L. Vincent, "Morphological Grayscale Reconstruction in Image Analysis: Applications
///   and Efficient Algorithms", IEEE TIP 2 (1993): a pass forwards, a pass backwards, and a queue of
///   the pixels whose neighbours can still rise.
struct Reconstruction {
  let size: Size

  /// The reconstruction of `plane`, whose values nowhere exceed `limit`.
  func callAsFunction(_ plane: [Float], below limit: [Float]) -> [Float] {
    var found = zip(plane, limit).map { min($0, $1) }
    let (width, height) = (size.width, size.height)
    for y in 0..<height {
      for x in 0..<width {
        let at = y * width + x
        if x > 0 { raise(at, to: found[at - 1], &found, limit) }
        if y > 0 { raise(at, to: found[at - width], &found, limit) }
      }
    }
    var queue: [Int] = []
    for y in (0..<height).reversed() {
      for x in (0..<width).reversed() {
        let at = y * width + x
        if x + 1 < width { raise(at, to: found[at + 1], &found, limit) }
        if y + 1 < height { raise(at, to: found[at + width], &found, limit) }
        let right = x + 1 < width && canRise(at + 1, to: found[at], found, limit)
        let below = y + 1 < height && canRise(at + width, to: found[at], found, limit)
        if right || below { queue.append(at) }
      }
    }
    var next = 0
    while next < queue.count {
      let at = queue[next]
      next += 1
      let (x, y) = (at % width, at / width)
      for (isInside, place) in [
        (x > 0, at - 1), (x + 1 < width, at + 1), (y > 0, at - width), (y + 1 < height, at + width),
      ] where isInside && canRise(place, to: found[at], found, limit) {
        found[place] = min(found[at], limit[place])
        queue.append(place)
      }
    }
    return found
  }

  private func canRise(
    _ place: Int, to value: Float, _ found: [Float], _ limit: [Float]
  ) -> Bool {
    found[place] < min(value, limit[place])
  }

  private func raise(_ place: Int, to value: Float, _ found: inout [Float], _ limit: [Float]) {
    found[place] = max(found[place], min(value, limit[place]))
  }
}
