/// How much haze each part of a photo lies behind, and the light of that haze.
///
/// Somewhere in any small part of a clear photo, one channel is close to black; what is there
/// nevertheless is haze.
/// - Source: K. He, J. Sun, X. Tang, "Single Image Haze Removal Using Dark Channel Prior", IEEE
///   TPAMI 33 (2011), on display-encoded values; refined by a guided filter, as the authors did in
///   2013, instead of soft matting. The light of the air is the mean of the most hazy pixels, not
///   the brightest of them.
struct DarkChannel {
  /// Half the edge of the parts, 15 pixels of 512.
  private static let patch = 7.0 / 512
  private static let guideRadius = 24.0 / 512
  private static let epsilon = 0.001
  /// The part of all pixels that are the most hazy.
  private static let airPart = 0.001

  /// Display-encoded.
  let air: ColourMatrix.Vector
  /// A map with the bands a and b: the part of the air's light is `a × luma + b`.
  let map: MapValues

  init(_ view: PhotoView) {
    let radius = view.radius(Self.patch)
    let whole = Self.darkest(view, air: SIMD3(1, 1, 1), radius)
    air = Self.air(view, whole)
    let light = SIMD3(Float(air.x), Float(air.y), Float(air.z))
    let haze = Self.darkest(view, air: light, radius).map { min(1, max(0, $0)) }
    let filter = GuidedFilter(radius: view.radius(Self.guideRadius), epsilon: Self.epsilon)
    map = filter.coefficients(of: haze, guide: view.luma, weights: view.alpha, size: view.size)
  }

  /// The least channel, in parts of the air's light, within `radius`; what is see-through does not
  /// count.
  private static func darkest(
    _ view: PhotoView, air: SIMD3<Float>, _ radius: Int
  ) -> [Float] {
    var plane = view.pixels.map { ($0 / air).min() }
    if let alpha = view.alpha {
      plane = zip(plane, alpha).map { $1 >= 0.5 ? $0 : .greatestFiniteMagnitude }
    }
    let (width, height) = (view.size.width, view.size.height)
    func least(_ plane: [Float], step: Int, count: Int, lines: [Int]) -> [Float] {
      var result = plane
      for line in lines {
        for i in 0..<count {
          var least = plane[line + i * step]
          for k in max(0, i - radius)...min(count - 1, i + radius) {
            least = min(least, plane[line + k * step])
          }
          result[line + i * step] = least
        }
      }
      return result
    }
    let rows = least(plane, step: 1, count: width, lines: (0..<height).map { $0 * width })
    return least(rows, step: width, count: height, lines: Array(0..<width))
  }

  /// At least 0.6 of luma, lest a photo without haze is brightened towards its own darkness.
  private static func air(_ view: PhotoView, _ dark: [Float]) -> ColourMatrix.Vector {
    let seen = dark.indices.filter { (view.alpha?[$0] ?? 1) >= 0.5 }
    let most = ToneCounts(seen.lazy.map { dark[$0] }).quantile(1 - airPart) ?? 1
    let hazy = seen.filter { Double(dark[$0]) >= most - 1e-4 }
    var sum = ColourMatrix.Vector.zero
    for index in hazy {
      let pixel = view.pixels[index]
      sum += ColourMatrix.Vector(Double(pixel.x), Double(pixel.y), Double(pixel.z))
    }
    if hazy.isEmpty { return ColourMatrix.Vector(1, 1, 1) }
    let mean = (sum / Double(hazy.count)).clamped(lowerBound: .zero, upperBound: .one)
    let luma = (mean * Grade.luma).sum()
    return luma >= 0.6 ? mean : mean + (0.6 - luma)
  }
}
