import Glibc

/// Measures how interesting each area of a photo is.
enum Saliency {
  /// The visual attention that each pixel attracts: by edges, skin, and strong colours.
  ///
  /// `|Laplacian of luma| × 4 + skin × 0.8 + saturation² × 0.3`, times alpha. Skin is a bright
  /// enough colour whose direction in display-encoded RGB is within 0.2 of the direction of (0.78,
  /// 0.57, 0.44).
  static func attention(_ view: PhotoView) -> [Double] {
    let (width, height) = (view.size.width, view.size.height)
    let luma = view.pixels.map(luma)
    let direction = SIMD3<Float>(0.78, 0.57, 0.44)
    let skinTone = direction / (direction * direction).sum().squareRoot()
    return view.pixels.indices.map { index in
      let (x, y) = (index % width, index / width)
      func at(_ dx: Int, _ dy: Int) -> Float {
        luma[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)]
      }
      let edge = abs(4 * at(0, 0) - at(-1, 0) - at(1, 0) - at(0, -1) - at(0, 1))
      let pixel = view.pixels[index].clamped(lowerBound: .zero, upperBound: .one)
      let length = max((pixel * pixel).sum().squareRoot(), 1e-3)
      let apart = pixel / length - skinTone
      let nearness = max(0, 1 - (apart * apart).sum().squareRoot() / 0.2)
      let skin = luma[index] > 0.2 ? nearness : 0
      let saturation = pixel.max() - pixel.min()
      let score = 4 * edge + 0.8 * skin + 0.3 * saturation * saturation
      return Double(score * (view.alpha?[index] ?? 1))
    }
  }

  /// The start of the window of `length` with the greatest weighted sum; weights are greatest in
  /// the window's centre: `Σ sum × (1 − (distance from the centre ÷ half the length)² ÷ 2)`.
  ///
  /// The start is within `allowed`, if given, even if no whole number is.
  static func bestStart(
    of length: Int, in sums: [Double], among allowed: ClosedRange<Double>? = nil
  ) -> Double {
    let half = Double(length) / 2
    let weights = (0..<length).map { i in
      1 - pow((Double(i) + 0.5 - half) / half, 2) / 2
    }
    let free = sums.count - length
    let scores = (0...free).map { start in
      zip(weights, sums[start...]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let starts = scores.indices.filter { allowed?.contains(Double($0)) ?? true }
    let most = starts.map { scores[$0] }.max() ?? 0
    // Among equal scores, selects the position nearest to the centre.
    let best = starts.filter { scores[$0] >= most * (1 - 1e-9) }
      .min { abs(2 * $0 - free) < abs(2 * $1 - free) }
    return best.map { Double($0) } ?? allowed?.lowerBound ?? 0
  }

  /// The start of the window of `length` that remains after slices were cut off repeatedly, each
  /// from the end with less entropy.
  static func start(of length: Int, cutting levels: [[Int]]) -> Int {
    var (start, end) = (0, levels.count)
    let slice = max(1, (levels.count - length) / 16)
    while end - start > length {
      let count = min(slice, end - start - length)
      let first = entropy(levels[start..<start + count])
      let last = entropy(levels[end - count..<end])
      if first < last || (first == last && start < levels.count - end) {
        start += count
      } else {
        end -= count
      }
    }
    return start
  }

  /// The entropy of the levels 0…63, in bits per pixel.
  private static func entropy(_ lines: ArraySlice<[Int]>) -> Double {
    var counts = Array(repeating: 0.0, count: 64)
    for line in lines { for level in line { counts[level] += 1 } }
    let total = counts.reduce(0, +)
    return -counts.filter { $0 > 0 }.reduce(0) { $0 + $1 / total * log2($1 / total) }
  }

  /// The BT.709 luma of a display-encoded pixel.
  static func luma(_ pixel: SIMD3<Float>) -> Float {
    (pixel * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }
}
