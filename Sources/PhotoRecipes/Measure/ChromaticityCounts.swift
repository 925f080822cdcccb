/// A histogram of chromaticities over the pixels that are neither dark nor clipped.
struct ChromaticityCounts {
  /// The edge of a bin in CIE 1960 (u, v): about the smallest visible difference.
  private static let step = 0.002
  /// The display-encoded luma below which noise hides the chromaticity.
  private static let dark: Float = 0.06
  /// The display-encoded value from which a channel is treated as clipped.
  private static let clipped: Float = 0.98

  struct Bin {
    /// The bin's centre in CIE 1960 (u, v).
    let place: SIMD2<Double>
    let count: Int
  }

  /// The pixels that are neither dark nor clipped: the keys of their bins, and their
  /// display-encoded lumas.
  private let pixels: [(key: SIMD2<Int>, luma: Float)]
  /// The bins in order of position, so that sums are the same in every run.
  let bins: [Bin]

  init(_ colours: [SIMD3<Float>]) {
    self.init(pixels: colours.compactMap(Self.pixel))
  }

  private init(pixels: [(key: SIMD2<Int>, luma: Float)]) {
    self.pixels = pixels
    var counts: [SIMD2<Int>: Int] = [:]
    for pixel in pixels { counts[pixel.key, default: 0] += 1 }
    bins = counts.sorted { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }
      .map { Bin(place: Self.place($0.key), count: $0.value) }
  }

  var total: Int { pixels.count }

  /// A histogram of the brightest of the pixels in the chosen bins; `part` is their fraction, 0…1.
  func brightest(_ part: Double, where isChosen: (SIMD2<Double>) -> Bool) -> Self {
    let chosen = pixels(where: isChosen)
    let least = ToneCounts(chosen.lazy.map(\.luma)).quantile(1 - part) ?? 0
    return Self(pixels: chosen.filter { Double($0.luma) >= least - 1e-4 })
  }

  /// The difference between the last and the first decile of the display-encoded luma of the pixels
  /// in the chosen bins.
  func lumaSpan(where isChosen: (SIMD2<Double>) -> Bool) -> Double {
    let counts = ToneCounts(pixels(where: isChosen).lazy.map(\.luma))
    return (counts.quantile(0.9) ?? 0) - (counts.quantile(0.1) ?? 0)
  }

  private func pixels(
    where isChosen: (SIMD2<Double>) -> Bool
  ) -> [(key: SIMD2<Int>, luma: Float)] {
    let keys = Set(bins.lazy.map(\.place).filter(isChosen).map(Self.key))
    return pixels.filter { keys.contains($0.key) }
  }

  private static func pixel(_ colour: SIMD3<Float>) -> (key: SIMD2<Int>, luma: Float)? {
    let held = colour.clamped(lowerBound: .zero, upperBound: .one)
    let luma = (held * SIMD3(0.2126, 0.7152, 0.0722)).sum()
    guard luma > dark, held.max() < clipped else { return nil }
    let light = ColourMatrix.Vector(
      Curve.decode(Double(held.x)), Curve.decode(Double(held.y)), Curve.decode(Double(held.z)))
    return (key(UniformChromaticity.uv(SRGB.xyzFromRGB(light))), luma)
  }

  private static func key(_ place: SIMD2<Double>) -> SIMD2<Int> {
    let steps = ((place - UniformChromaticity.neutral) / step).rounded(.toNearestOrAwayFromZero)
    return SIMD2(Int(steps.x), Int(steps.y))
  }

  private static func place(_ key: SIMD2<Int>) -> SIMD2<Double> {
    UniformChromaticity.neutral + SIMD2(Double(key.x), Double(key.y)) * step
  }
}
