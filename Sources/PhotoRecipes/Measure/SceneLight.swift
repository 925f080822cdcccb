import Glibc

/// The colour of the light on a scene, estimated from the photo.
///
/// The estimate uses only chromaticities that may be grey: within 0.02 of the chromaticities of
/// black bodies of 2500 to 11,000 kelvin, in CIE 1960 (u, v). Daylight and lamps have
/// chromaticities close to these. The result is the densest of these chromaticities, found by mean
/// shift in windows of decreasing size. A plain area is weighted by the square root of its pixel
/// count.
/// - Source: Y. Liu, W. Chan, Y. Chen, "Automatic white balance for digital still camera", IEEE
///   Trans. Consumer Electronics 41 (1995), and V. Chikane, C. Fuh, "Automatic White Balance for
///   Digital Still Cameras", J. Information Science and Engineering 22 (2006), for what may be
///   grey; D. Comaniciu, P. Meer, "Mean Shift", IEEE TPAMI 24 (2002); G. D. Finlayson, S. D.
///   Hordley, P. M. Hubel, "Color by Correlation", IEEE TPAMI 23 (2001), for counting
///   chromaticities, not areas.
struct SceneLight {
  private static let mireds = stride(from: 1e6 / 11_000, through: 400, by: 10)
  private static let blackBodies = mireds.map { Illuminant.blackBody(1e6 / $0) }
  private static let widths = [0.05, 0.03, 0.02, 0.015, 0.01]

  /// The chromaticity of the light, in CIE 1960 (u, v).
  let chromaticity: SIMD2<Double>
  /// The confidence, 0…1, that this is the colour of the light and not of objects.
  ///
  /// The scene must contain enough of this chromaticity: confidence is 0 up to a tenth of the
  /// scene, and full from four tenths on. For a light farther than 0.02 from grey, both fractions
  /// are larger by 4 × the excess distance, because few lights are as vivid as leaves and petals.
  /// In addition, one of these two conditions must hold:
  /// - Dark and bright objects have this chromaticity, unlike a sky or a field: the lumas of the
  ///   pixels with it differ between the first and the last decile. Confidence is 0 up to a
  ///   difference of 0.35, and full from 0.55 on.
  /// - The whole scene is shifted in this direction; this is not so below a blue sky, where grass
  ///   is on the other side of grey. The mean shift of chromaticities from grey towards the light
  ///   is measured as a fraction of the light's own shift, clamped to −1…1. Confidence is 0 up to
  ///   0.45, and full from 0.8 on.
  let confidence: Double

  /// Estimates the light; nil if the scene has no chromaticity that can be grey.
  ///
  /// - Parameters:
  ///   - counts: The counts of all usable chromaticities.
  ///   - brightest: The brightest fraction of the possible greys that is used for the estimate, nil
  ///     for all; the confidence is always computed from all counts.
  init?(_ counts: ChromaticityCounts, brightest: Double? = nil) {
    let seen = brightest.map { counts.brightest($0, where: Self.mayBeGrey) } ?? counts
    let candidates = seen.bins.filter { Self.mayBeGrey($0.place) }
    if candidates.isEmpty { return nil }
    var light = UniformChromaticity.neutral
    for width in Self.widths {
      for _ in 0..<3 { light = Self.centre(of: candidates, around: light, width) }
    }
    chromaticity = light
    func nearness(_ place: SIMD2<Double>) -> Double {
      Self.nearness(place - light, Self.widths[Self.widths.count - 1])
    }
    let near = counts.bins.reduce(0) { $0 + Double($1.count) * nearness($1.place) }
    let least = 0.1 + 4 * max(0, Self.length(light - UniformChromaticity.neutral) - 0.02)
    let isShared = Self.ramp(counts.lumaSpan { nearness($0) > 0.5 }, 0.35, 0.55)
    let isAgreed = Self.ramp(Self.agreement(of: counts, with: light), 0.45, 0.8)
    confidence =
      Self.ramp(near / Double(counts.total), least, least + 0.3)
      * (1 - (1 - isShared) * (1 - isAgreed))
  }

  private static func mayBeGrey(_ place: SIMD2<Double>) -> Bool {
    distanceFromBlackBodies(place) <= 0.02
  }

  /// The distance of a chromaticity from the chromaticities of black bodies, in CIE 1960 (u, v).
  static func distanceFromBlackBodies(_ place: SIMD2<Double>) -> Double {
    zip(blackBodies, blackBodies.dropFirst()).reduce(.infinity) { least, line in
      let way = line.1 - line.0
      let part = min(1, max(0, ((place - line.0) * way).sum() / (way * way).sum()))
      return min(least, length(place - (line.0 + part * way)))
    }
  }

  private static func length(_ way: SIMD2<Double>) -> Double { (way * way).sum().squareRoot() }

  private static func nearness(_ apart: SIMD2<Double>, _ width: Double) -> Double {
    exp(-(apart * apart).sum() / (2 * width * width))
  }

  private static func centre(
    of bins: [ChromaticityCounts.Bin], around light: SIMD2<Double>, _ width: Double
  ) -> SIMD2<Double> {
    var sum = SIMD2<Double>.zero
    var total = 0.0
    for bin in bins {
      let weight = Double(bin.count).squareRoot() * nearness(bin.place - light, width)
      sum += weight * bin.place
      total += weight
    }
    return total > 1e-9 ? sum / total : light
  }

  /// The mean shift of chromaticities from grey towards a light, as a fraction of the light's own
  /// shift clamped to −1…1.
  ///
  /// A chromaticity is weighted by the square root of its pixel count, or by the count itself if
  /// `isByArea` is true.
  static func agreement(
    of counts: ChromaticityCounts, with light: SIMD2<Double>, isByArea: Bool = false
  ) -> Double {
    let way = light - UniformChromaticity.neutral
    let length = (way * way).sum()
    if length < 1e-12 { return 1 }
    var (sum, total) = (0.0, 0.0)
    for bin in counts.bins {
      let part = ((bin.place - UniformChromaticity.neutral) * way).sum() / length
      let weight = isByArea ? Double(bin.count) : Double(bin.count).squareRoot()
      sum += weight * min(1, max(-1, part))
      total += weight
    }
    return sum / total
  }

  /// 0 for x ≤ `low`, 1 for x ≥ `high`, linear between.
  private static func ramp(_ x: Double, _ low: Double, _ high: Double) -> Double {
    min(1, max(0, (x - low) / (high - low)))
  }
}
