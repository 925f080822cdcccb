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
  /// The confidence, 0…1, that the light has a cast, and that this is its colour: the greater of
  /// two confidences, each a product of linear ramps. Both contain these factors:
  ///
  /// - The fraction of the pixels that have the light's colour: 0 up to a two-hundredth, and 1 from
  ///   a fiftieth on.
  /// - The agreement of the scene's other colours with the light (see `SceneLight`): 0 up to −0.2,
  ///   where most are on the opposite side of grey, and 1 from 0 on.
  /// - The fraction of the photo that is neither dark nor clipped: 0 up to a fiftieth, and 1 from a
  ///   tenth on. In a night sky, the moon has no light of its own.
  ///
  /// Light of a black body, such as lamps, and shade under a blue sky, also has the following
  /// factors. Edges are rarely blue unless the light is. Therefore limits in parentheses hold for
  /// cool light, in the direction from grey to a black body of 11,000 kelvin.
  ///
  /// - The distance of the light from grey: 0 up to 0.012, and 1 from 0.022 on (0.008 and 0.016).
  /// - The distance of the light from the colours of black bodies of 2500 to 11,000 kelvin: 1 up to
  ///   0.012, and 0 from 0.022 on. The blue and the violet of dusk are beyond it, and so are leaves.
  /// - The agreement above has other limits for cool light (−0.4 and −0.2).
  /// - The agreement of the brightest third of the pixels with the light, by area: 0 up to −0.3, and
  ///   1 from 0 on. Below a blue sky, warm light is that of a low sun.
  /// - The agreement of the other two thirds, by area: 0 up to −0.2, and 1 from 0.2 on (−0.4 and 0).
  ///   If only bright areas have the light's colour, they are a sunset.
  /// - For cool light, the product of the three agreements is at least the range of lumas of the
  ///   pixels that have the light's colour, between the first and the last decile: 0 up to 0.2, and 1
  ///   from 0.4 on. A sky has fewer lumas than grey objects in blue light.
  /// - For warm light, the part of it that the bright pixels show, measured as the power mean of all
  ///   pixels: 0 up to 0, and 1 from a half on.
  ///
  /// Green and magenta light is light of bad lamps, or an error of the camera. Edges are rarely
  /// green or magenta, not even those of leaves, because leaves reflect the light. Its factors are:
  ///
  /// - The distance of the light from the colours of black bodies, less that of grey: 0 up to 0.007,
  ///   and 1 from 0.012 on; for magenta, 0.01 and 0.015, because of dusk. From 0.032 on it is less,
  ///   and 0 from 0.042 on: no lamp is as vivid as leaves and petals.
  /// - The distance from grey along the colours of black bodies, as a fraction of the distance
  ///   above: 1 up to 0.3, and 0 from 0.7 on. Leaves are as yellow as they are green.
  /// - The median of the pixels' distances from the colours of black bodies, less that of grey, as a
  ///   fraction of that of the light: 0 up to 0.2, and 1 from 0.5 on.
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
    let visible = view.visible
    let scene = Scene(
      light: place, counts: ChromaticityCounts(visible), pixels: visible.count)
    chromaticity = place
    confidence = max(scene.blackBody(bright: Self.bright(visible)), scene.greenOrMagenta)
  }

  /// A scene, and the colour of the light on it.
  private struct Scene {
    /// The chromaticity of the light, in CIE 1960 (u, v).
    let light: SIMD2<Double>
    let counts: ChromaticityCounts
    /// The number of visible pixels.
    let pixels: Int

    private var apart: SIMD2<Double> { light - UniformChromaticity.neutral }

    private func agreement(_ counts: ChromaticityCounts) -> Double {
      SceneLight.agreement(of: counts, with: light, isByArea: true)
    }

    private func nearness(_ place: SIMD2<Double>) -> Double {
      let way = place - light
      return exp(-(way * way).sum() / (2 * width * width))
    }

    /// The fraction of the usable pixels that have the light's colour.
    private var share: Double {
      let near = counts.bins.reduce(0) { $0 + Double($1.count) * nearness($1.place) }
      return near / Double(max(1, counts.total))
    }

    /// The factors that both confidences contain, without the agreement.
    private var common: Double {
      ramp(share, 0.005, 0.02) * ramp(Double(counts.total) / Double(max(1, pixels)), 0.02, 0.1)
    }

    /// The confidence in light of the colour of a black body; `bright` is the chromaticity of the
    /// power mean of the pixels, nil if there is none.
    func blackBody(bright: SIMD2<Double>?) -> Double {
      let brightest = agreement(counts.brightest(1 / 3) { _ in true })
      // The agreement of all is the mean of that of the three thirds.
      let darker = (3 * agreement(counts) - brightest) / 2
      let square = (apart * apart).sum()
      let distance = square.squareRoot()
      let cool = distance > 0 ? ramp(blueness(light) / distance, 0, 0.5) : 0
      func eased(
        _ value: Double, _ usual: (Double, Double), cool limits: (Double, Double)
      )
        -> Double
      {
        ramp(value, usual.0 + cool * (limits.0 - usual.0), usual.1 + cool * (limits.1 - usual.1))
      }
      let agreed =
        eased(SceneLight.agreement(of: counts, with: light), (-0.2, 0), cool: (-0.4, -0.2))
        * ramp(brightest, -0.3, 0) * eased(darker, (-0.2, 0.2), cool: (-0.4, 0))
      var shown = 1.0
      if let bright, square > 0, warmth(light) > 0 {
        shown = ramp(((bright - UniformChromaticity.neutral) * apart).sum() / square, 0, 0.5)
      }
      return common * shown * eased(distance, (0.012, 0.022), cool: (0.008, 0.016))
        * (1 - ramp(SceneLight.distanceFromBlackBodies(light), 0.012, 0.022))
        * max(agreed, cool * ramp(counts.lumaSpan { nearness($0) > 0.5 }, 0.2, 0.4))
    }

    /// The confidence in green or magenta light.
    var greenOrMagenta: Double {
      let green = greenness(light)
      if green == 0 { return 0 }
      let (low, high) = green > 0 ? (0.007, 0.012) : (0.01, 0.015)
      return common * ramp(abs(green), low, high) * (1 - ramp(abs(green), 0.032, 0.042))
        * ramp(SceneLight.agreement(of: counts, with: light), -0.2, 0)
        * (1 - ramp(abs(warmth(light) / green), 0.3, 0.7))
        * ramp(medianGreenness / green, 0.2, 0.5)
    }

    /// The median, by area, of the distances of the pixels' colours from those of black bodies.
    private var medianGreenness: Double {
      let sorted = counts.bins.map { (greenness($0.place), $0.count) }.sorted { $0.0 < $1.0 }
      var left = counts.total / 2
      for (green, count) in sorted {
        left -= count
        if left < 0 { return green }
      }
      return 0
    }
  }

  /// The distance from grey in CIE 1960 (u, v), measured in the direction from grey to a black body
  /// of 11,000 kelvin.
  private static func blueness(_ place: SIMD2<Double>) -> Double {
    let way = Illuminant.blackBody(11_000) - UniformChromaticity.neutral
    return ((place - UniformChromaticity.neutral) * way).sum() / (way * way).sum().squareRoot()
  }

  /// The distance from grey in CIE 1960 (u, v), measured in the direction from a black body of 7500
  /// kelvin to one of 5500 kelvin.
  private static func warmth(_ place: SIMD2<Double>) -> Double {
    let way = Illuminant.blackBody(5500) - Illuminant.blackBody(7500)
    return ((place - UniformChromaticity.neutral) * way).sum() / (way * way).sum().squareRoot()
  }

  /// The distance of a chromaticity from the colours of black bodies, in CIE 1960 (u, v), less that
  /// of grey; it is positive for green and negative for magenta.
  private static func greenness(_ place: SIMD2<Double>) -> Double {
    signedDistance(place) - greyDistance
  }

  private static let greyDistance = signedDistance(UniformChromaticity.neutral)
  /// The chromaticities of black bodies of 25,000 to 2000 kelvin.
  private static let blackBodies = stride(from: 40.0, through: 500, by: 5).map {
    Illuminant.blackBody(1e6 / $0)
  }

  private static func signedDistance(_ place: SIMD2<Double>) -> Double {
    zip(blackBodies, blackBodies.dropFirst()).reduce(.infinity) { nearest, line in
      let way = line.1 - line.0
      let part = min(1, max(0, ((place - line.0) * way).sum() / (way * way).sum()))
      let apart = place - (line.0 + part * way)
      let distance = (apart * apart).sum().squareRoot()
      if distance >= abs(nearest) { return nearest }
      return way.x * apart.y - way.y * apart.x >= 0 ? distance : -distance
    }
  }

  /// The chromaticity of the power mean of the pixels that are not clipped; nil if it is 0 in a
  /// channel.
  private static func bright(_ pixels: [SIMD3<Float>]) -> SIMD2<Double>? {
    var sums = ColourMatrix.Vector.zero
    for pixel in pixels where pixel.max() < 0.98 {
      let held = pixel.clamped(lowerBound: .zero, upperBound: .one)
      let light = ColourMatrix.Vector(held).mapped(.decode)
      let square = light * light
      sums += square * square * square
    }
    let mean = root(sums)
    return mean.min() > 0 ? UniformChromaticity.uv(SRGB.xyzFromRGB(mean)) : nil
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
    let mean = root(sums)
    return mean.min() > 0 ? mean : nil
  }

  private static func root(_ sums: ColourMatrix.Vector) -> ColourMatrix.Vector {
    .init(pow(sums.x, 1 / power), pow(sums.y, 1 / power), pow(sums.z, 1 / power))
  }

  /// 0 for x ≤ `low`, 1 for x ≥ `high`, linear between.
  private static func ramp(_ x: Double, _ low: Double, _ high: Double) -> Double {
    min(1, max(0, (x - low) / (high - low)))
  }
}
