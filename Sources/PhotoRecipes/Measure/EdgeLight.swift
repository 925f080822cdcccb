import Glibc

/// The colour of the light on a scene, estimated from the photo's edges.
///
/// The colour is the power mean, with the exponent 8, of the differences between neighbouring
/// pixels in linear light. With this exponent strong edges dominate. They are mostly highlights,
/// shadows and the borders of white parts, which have the colour of the light. A clipped channel
/// makes the light less coloured than it is. Therefore three quarters of the weight, in logarithms,
/// have the ratios of red and of blue to green at edges where neither channel is clipped.
/// - Source: J. van de Weijer, T. Gevers, A. Gijsenij, "Edge-Based Color Constancy", IEEE Trans.
///   Image Processing 16 (2007), with the first derivative and p = 8.
struct EdgeLight {
  /// The exponent of the power mean of the edges.
  private static let power = 8.0
  /// The exponent of the power mean of the bright pixels, and of the edges at twilight.
  private static let brightPower = 6.0
  /// The display-encoded value from which a channel is treated as clipped.
  private static let clipped: Float = 0.99
  /// The weight of the ratios that are measured where no channel is clipped.
  private static let unclippedPart = 0.75
  /// The standard deviation, in CIE 1960 (u, v), of the weight with which pixels near the light's
  /// chromaticity are counted.
  private static let width = 0.01
  /// The distance from grey, in CIE 1960 (u, v), from which on a pixel is coloured.
  private static let coloured = 0.06
  /// The distance from grey, in CIE 1960 (u, v), from which on a pixel is vivid.
  private static let vivid = 0.1

  /// The chromaticity of the light, in CIE 1960 (u, v).
  let chromaticity: SIMD2<Double>
  /// The confidence, 0…1, that the light has a cast, and that this is its colour: the greater of
  /// two confidences, each a product of linear ramps. Both contain this factor:
  ///
  /// - The fraction of the photo that is neither dark nor clipped: 0 up to a fiftieth, and 1 from a
  ///   tenth on. In a night sky, the moon has no light of its own.
  ///
  /// Light of a black body, such as lamps, and shade under a blue sky, also has these factors:
  ///
  /// - The distance of the light from the colours of black bodies of 2500 to 11,000 kelvin: 1 up to
  ///   0.012, and 0 from 0.022 on. The blue and the violet of dusk are beyond it, and so are leaves.
  /// - The fraction of the pixels that have the light's colour: 0 up to 0.002, and 1 from 0.01 on.
  ///
  /// Warm and neutral light has these factors:
  ///
  /// - The distance of the light from grey, less the distance at which a cast and the colours of
  ///   objects are equally probable: 0 up to −0.004, and 1 from 0.004 on. The latter is 0.024 if all
  ///   pixels of the light's colour are equally bright. Plain neutral surfaces are dark and bright,
  ///   and flowers, sand and wood are less so. Therefore the distance is smaller by 0.03 times the
  ///   range of those pixels' lumas, between the first and the last decile. Bright surfaces are a
  ///   second estimate of the light: the power mean of the pixels. The distance is larger by 0.7
  ///   times the distance between both estimates, which is counted up to 0.03.
  /// - The agreement of the brightest third of the pixels with the light (see `SceneLight`), by area:
  ///   0 up to −0.8, and 1 from −0.5 on. Below a blue sky, warm light is that of a low sun.
  /// - The greater of two measures. One is the fraction of the pixels that have the light's colour, as
  ///   a multiple of the fraction of those that stay vivid after the correction: 0 up to 0.2, and 1
  ///   from 0.3 on. The other is the fraction of coloured pixels before the correction: 0 up to 0.55,
  ///   and 1 from 0.75 on. The edges of a photo of vivid flowers have the colours of the flowers, but
  ///   the rest of it is not as coloured as a vivid scene in the light of lamps.
  ///
  /// Edges are rarely blue unless the light is. Therefore cool light, in the direction from grey to a
  /// black body of 11,000 kelvin, has other factors:
  ///
  /// - The distance of the light from grey: 0 up to 0.005, and 1 from 0.011 on.
  /// - The greater of two measures. One is the agreement of the scene's other colours with the light:
  ///   the product of that of all colours (0 up to −0.4, and 1 from −0.2 on), of the brightest third
  ///   of the pixels (−0.3 and 0) and of the other two thirds (−0.4 and 0). The other is the range of
  ///   lumas above: 0 up to 0.15, and 1 from 0.3 on. A sky has fewer lumas than grey objects in blue
  ///   light.
  ///
  /// Green and magenta light is light of bad lamps, or an error of the camera. Edges are rarely
  /// green or magenta, not even those of leaves, because leaves reflect the light. Its factors are:
  ///
  /// - The distance of the light from the colours of black bodies, less that of grey: 0 up to 0.007,
  ///   and 1 from 0.012 on; for magenta, 0.01 and 0.015, because of dusk. From 0.032 on it is less,
  ///   and 0 from 0.042 on: no lamp is as vivid as leaves and petals.
  /// - The distance from grey along the colours of black bodies, as a fraction of the distance
  ///   above: 1 up to 0.3, and 0 from 0.7 on. Leaves are as yellow as they are green.
  /// - The agreement of all colours with the light: 0 up to −0.2, where most are on the opposite side
  ///   of grey, and 1 from 0 on.
  /// - The fraction of the pixels that have the light's colour: 0 up to a two-hundredth, and 1 from
  ///   a fiftieth on.
  /// - The median of the pixels' distances from the colours of black bodies, less that of grey, as a
  ///   fraction of that of the light: 0 up to 0.2, and 1 from 0.5 on.
  let confidence: Double

  /// The confidence, 0…1, that a photo was taken at twilight; 0 if the view has no edges.
  ///
  /// No other natural light is as blue. The light is measured in the direction from grey to a black
  /// body of 11,000 kelvin, which is 0.024 from grey: 0 up to 0.03, and 1 from 0.042 on. It is the
  /// power mean of all edges with the exponent 6.
  static func twilight(in view: PhotoView) -> Double {
    var sums = ColourMatrix.Vector.zero
    forEachEdge(of: view) { square, _ in
      // The sixth power of a difference's length is the cube of its square.
      sums += square * square * square
    }
    let mean = root(sums, brightPower)
    guard mean.min() > 0 else { return 0 }
    return ramp(blueness(UniformChromaticity.uv(SRGB.xyzFromRGB(mean))), 0.03, 0.042)
  }

  /// Estimates the light; nil if the view has no edges.
  init?(_ view: PhotoView) {
    guard let light = Self.light(of: view) else { return nil }
    let place = UniformChromaticity.uv(SRGB.xyzFromRGB(light))
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

    /// The confidence by the fraction of the photo that is neither dark nor clipped.
    private var usable: Double {
      ramp(Double(counts.total) / Double(max(1, pixels)), 0.02, 0.1)
    }

    /// The fraction of the usable pixels that are coloured.
    private var coloured: Double {
      fraction { apart in apart > EdgeLight.coloured }
    }

    /// The fraction of the usable pixels that are vivid after the correction.
    private var vivid: Double {
      let adapted = Bradford.adaptation(
        from: UniformChromaticity.xyz(light), to: Primaries.xyz(Primaries.d65))
      return fraction(adapted) { apart in apart > EdgeLight.vivid }
    }

    /// The fraction of the usable pixels whose distance from grey passes a test, after an adaptation.
    private func fraction(
      _ adapted: ColourMatrix? = nil, where passes: (Double) -> Bool
    ) -> Double {
      let chosen = counts.bins.reduce(0) { sum, bin in
        let place = adapted.map {
          UniformChromaticity.uv($0(UniformChromaticity.xyz(bin.place)))
        }
        let way = (place ?? bin.place) - UniformChromaticity.neutral
        return passes((way * way).sum().squareRoot()) ? sum + bin.count : sum
      }
      return Double(chosen) / Double(max(1, counts.total))
    }

    /// The confidence in light of the colour of a black body; `bright` is the chromaticity of the
    /// power mean of the pixels, nil if there is none.
    func blackBody(bright: SIMD2<Double>?) -> Double {
      let distance = (apart * apart).sum().squareRoot()
      let isCool = distance > 0 ? ramp(blueness(light) / distance, 0, 0.5) : 0
      let plausible =
        usable * ramp(share, 0.002, 0.01)
        * (1 - ramp(SceneLight.distanceFromBlackBodies(light), 0.012, 0.022))
      // Most photos of leaves and flowers end here.
      if plausible == 0 { return 0 }
      let span = counts.lumaSpan { nearness($0) > 0.5 }
      let brightest = agreement(counts.brightest(1 / 3) { _ in true })
      let between = bright.map { $0 - light } ?? SIMD2(1, 1)
      let disagreement = min(0.03, (between * between).sum().squareRoot())
      let threshold = 0.024 - 0.03 * span + 0.7 * disagreement
      func mixed(_ warm: Double, _ cool: Double) -> Double { warm + isCool * (cool - warm) }
      let (least, width) = (mixed(threshold, 0.008), mixed(0.004, 0.003))
      let plain = max(ramp(share / max(1e-6, vivid), 0.2, 0.3), ramp(coloured, 0.55, 0.75))
      // The agreement of all is the mean of that of the three thirds.
      let darker = (3 * agreement(counts) - brightest) / 2
      let agreed =
        ramp(SceneLight.agreement(of: counts, with: light), -0.4, -0.2) * ramp(brightest, -0.3, 0)
        * ramp(darker, -0.4, 0)
      return plausible * ramp(distance, least - width, least + width)
        * mixed(plain, 1)
        * mixed(ramp(brightest, -0.8, -0.5), max(agreed, ramp(span, 0.15, 0.3)))
    }

    /// The confidence in green or magenta light.
    var greenOrMagenta: Double {
      let green = greenness(light)
      if green == 0 { return 0 }
      let (low, high) = green > 0 ? (0.007, 0.012) : (0.01, 0.015)
      return usable * ramp(share, 0.005, 0.02)
        * ramp(abs(green), low, high) * (1 - ramp(abs(green), 0.032, 0.042))
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
    let mean = root(sums, brightPower)
    return mean.min() > 0 ? UniformChromaticity.uv(SRGB.xyzFromRGB(mean)) : nil
  }

  /// The colour of the light in linear RGB, up to a factor; nil if the power mean of the edges is 0
  /// in a channel.
  private static func light(of view: PhotoView) -> ColourMatrix.Vector? {
    typealias Vector = ColourMatrix.Vector
    let width = view.size.width
    let clipped = view.pixels.map { $0 .>= Self.clipped }
    var sums = Vector.zero
    // Red and blue, and the green beside each, where neither channel is clipped.
    var (red, blue) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    forEachEdge(of: view) { square, place in
      let fourth = square * square
      let eighth = fourth * fourth
      sums += eighth
      let lost = clipped[place] .| clipped[place + 1] .| clipped[place + width]
      if !lost[1] && !lost[0] { red += SIMD2(eighth.x, eighth.y) }
      if !lost[1] && !lost[2] { blue += SIMD2(eighth.z, eighth.y) }
    }
    let mean = root(sums, power)
    guard mean.min() > 0 else { return nil }
    let all = mean / mean.y
    // Without unclipped edges, only the others are known.
    guard red.min() > 0, blue.min() > 0 else { return all }
    let unclipped = root(Vector(red.x / red.y, 1, blue.x / blue.y), power)
    guard unclipped.min() > 1e-3, unclipped.max() < 1e3 else { return all }
    func mixed(_ all: Double, _ unclipped: Double) -> Double {
      pow(all, 1 - unclippedPart) * pow(unclipped, unclippedPart)
    }
    return Vector(mixed(all.x, unclipped.x), 1, mixed(all.z, unclipped.z))
  }

  /// Calls `body` for each visible pixel that has visible neighbours, with the squared differences
  /// to the right and the lower neighbour in linear light, added up, and the index of the pixel.
  private static func forEachEdge(
    of view: PhotoView, _ body: (_ square: ColourMatrix.Vector, _ place: Int) -> Void
  ) {
    let width = view.size.width
    let decode = Curve.decode
    let light = view.pixels.map { pixel in
      let held = pixel.clamped(lowerBound: .zero, upperBound: .one)
      return ColourMatrix.Vector(
        decode(Double(held.x)), decode(Double(held.y)), decode(Double(held.z)))
    }
    func isVisible(_ place: Int) -> Bool { view.alpha.map { $0[place] >= 0.5 } ?? true }
    for y in 0..<max(0, view.size.height - 1) {
      for x in 0..<max(0, width - 1) {
        let place = y * width + x
        guard isVisible(place), isVisible(place + 1), isVisible(place + width) else { continue }
        let across = light[place + 1] - light[place]
        let down = light[place + width] - light[place]
        body(across * across + down * down, place)
      }
    }
  }

  private static func root(_ sums: ColourMatrix.Vector, _ power: Double) -> ColourMatrix.Vector {
    .init(pow(sums.x, 1 / power), pow(sums.y, 1 / power), pow(sums.z, 1 / power))
  }

  /// 0 for x ≤ `low`, 1 for x ≥ `high`, linear between.
  private static func ramp(_ x: Double, _ low: Double, _ high: Double) -> Double {
    min(1, max(0, (x - low) / (high - low)))
  }
}
