import Glibc

/// The colour of the light on a scene, estimated from the photo's edges.
///
/// The colour is the power mean, with the exponent 6, of the differences between neighbouring
/// pixels in linear light. With this exponent strong edges dominate. They are mostly highlights,
/// shadows and the borders of white parts, which have the colour of the light.
/// - Source: J. van de Weijer, T. Gevers, A. Gijsenij, "Edge-Based Color Constancy", IEEE Trans.
///   Image Processing 16 (2007), with the first derivative and p = 6.
struct EdgeLight {
  /// The exponent of the power mean.
  private static let power = 6.0
  /// The standard deviation, in CIE 1960 (u, v), of the weight with which pixels near the light's
  /// chromaticity are counted.
  private static let width = 0.01

  /// The chromaticity of the light, in CIE 1960 (u, v).
  let chromaticity: SIMD2<Double>
  /// The confidence, 0…1, that the light has a cast, and that this is its colour: the product of
  /// seven factors, each a linear ramp.
  ///
  /// Edges are rarely blue unless the light is. Therefore three factors need less if the light is
  /// cool, in the direction from grey to a black body of 11,000 kelvin.
  ///
  /// - The distance of the light from grey: 0 up to 0.012, and 1 from 0.022 on; for cool light, 0.008
  ///   and 0.016.
  /// - The distance of the light from the colours of black bodies of 2500 to 11,000 kelvin: 1 up to
  ///   0.012, and 0 from 0.022 on. The blue and the violet of dusk are beyond it, and so are leaves.
  /// - The fraction of the pixels that have the light's colour: 0 up to a two-hundredth, and 1 from
  ///   a fiftieth on.
  /// - The agreement of the scene's other colours with the light (see `SceneLight`): 0 up to −0.2,
  ///   where most are on the opposite side of grey, and 1 from 0 on; for cool light, −0.4 and −0.2.
  /// - The agreement of the brightest third of the pixels with the light, by area: 0 up to −0.3, and
  ///   1 from 0 on. Below a blue sky, warm light is that of a low sun.
  /// - The agreement of the other two thirds, by area: 0 up to −0.2, and 1 from 0.2 on; for cool
  ///   light, −0.4 and 0. If only bright areas have the light's colour, they are a sunset.
  /// - The fraction of the photo that is neither dark nor clipped: 0 up to a fiftieth, and 1 from a
  ///   tenth on. In a night sky, the moon has no light of its own.
  let confidence: Double

  /// The confidence, 0…1, that a photo was taken at twilight; 0 if the view has no edges.
  ///
  /// No other natural light is as blue. The light is measured in the direction from grey to a black
  /// body of 11,000 kelvin, which is 0.024 from grey: 0 up to 0.03, and 1 from 0.042 on.
  static func twilight(in view: PhotoView) -> Double {
    guard let place = chromaticity(of: view) else { return 0 }
    return ramp(blueness(place), 0.03, 0.042)
  }

  /// Estimates the light; nil if the view has no edges.
  init?(_ view: PhotoView) {
    guard let place = Self.chromaticity(of: view) else { return nil }
    let apart = place - UniformChromaticity.neutral
    let visible = view.visible
    let counts = ChromaticityCounts(visible)
    func agreement(_ counts: ChromaticityCounts) -> Double {
      SceneLight.agreement(of: counts, with: place, isByArea: true)
    }
    let bright = agreement(counts.brightest(1 / 3) { _ in true })
    // The agreement of all is the mean of that of the three thirds.
    let darker = (3 * agreement(counts) - bright) / 2
    let near = counts.bins.reduce(0) { sum, bin in
      let way = bin.place - place
      return sum + Double(bin.count) * exp(-(way * way).sum() / (2 * Self.width * Self.width))
    }
    let share = near / Double(max(1, counts.total))
    let distance = (apart * apart).sum().squareRoot()
    let cool = distance > 0 ? Self.ramp(Self.blueness(place) / distance, 0, 0.5) : 0
    func eased(_ value: Double, _ usual: (Double, Double), cool limits: (Double, Double)) -> Double
    {
      Self.ramp(
        value, usual.0 + cool * (limits.0 - usual.0), usual.1 + cool * (limits.1 - usual.1))
    }
    chromaticity = place
    confidence =
      eased(distance, (0.012, 0.022), cool: (0.008, 0.016))
      * (1 - Self.ramp(SceneLight.distanceFromBlackBodies(place), 0.012, 0.022))
      * Self.ramp(share, 0.005, 0.02)
      * eased(SceneLight.agreement(of: counts, with: place), (-0.2, 0), cool: (-0.4, -0.2))
      * Self.ramp(bright, -0.3, 0) * eased(darker, (-0.2, 0.2), cool: (-0.4, 0))
      * Self.ramp(Double(counts.total) / Double(max(1, visible.count)), 0.02, 0.1)
  }

  /// The distance from grey in CIE 1960 (u, v), measured in the direction from grey to a black body
  /// of 11,000 kelvin.
  private static func blueness(_ place: SIMD2<Double>) -> Double {
    let way = Illuminant.blackBody(11_000) - UniformChromaticity.neutral
    return ((place - UniformChromaticity.neutral) * way).sum() / (way * way).sum().squareRoot()
  }

  /// The chromaticity of the light, in CIE 1960 (u, v); nil if the view has no edges.
  private static func chromaticity(of view: PhotoView) -> SIMD2<Double>? {
    light(of: view).map { UniformChromaticity.uv(SRGB.xyzFromRGB($0)) }
  }

  /// The power mean of the differences between neighbouring pixels, for each channel; nil if it is
  /// 0 in a channel.
  private static func light(of view: PhotoView) -> ColourMatrix.Vector? {
    let width = view.size.width
    let decode = Curve.decode
    let light = view.pixels.map { pixel in
      let held = pixel.clamped(lowerBound: .zero, upperBound: .one)
      return ColourMatrix.Vector(
        decode(Double(held.x)), decode(Double(held.y)), decode(Double(held.z)))
    }
    func isVisible(_ place: Int) -> Bool { view.alpha.map { $0[place] >= 0.5 } ?? true }
    var sums = ColourMatrix.Vector.zero
    for y in 0..<max(0, view.size.height - 1) {
      for x in 0..<max(0, width - 1) {
        let place = y * width + x
        guard isVisible(place), isVisible(place + 1), isVisible(place + width) else { continue }
        let across = light[place + 1] - light[place]
        let down = light[place + width] - light[place]
        let square = across * across + down * down
        // The sixth power of a difference's length is the cube of its square.
        sums += square * square * square
      }
    }
    let mean = ColourMatrix.Vector(
      pow(sums.x, 1 / power), pow(sums.y, 1 / power), pow(sums.z, 1 / power))
    return mean.min() > 0 ? mean : nil
  }

  /// 0 for x ≤ `low`, 1 for x ≥ `high`, linear between.
  private static func ramp(_ x: Double, _ low: Double, _ high: Double) -> Double {
    min(1, max(0, (x - low) / (high - low)))
  }
}
