import Foundation

/// The colour of the light on a scene, as far as its photo tells.
///
/// Only what may be grey tells: chromaticities within 0.02 of those of black bodies of 2500 to
/// 11,000 kelvin, in CIE 1960 (u, v), which are close to those of all daylight and of lamps. Of them
/// it is the one that most gather at, found by mean shift in windows that get smaller. A plain area,
/// however large, counts by the root of its pixels.
/// - Source: Y. Liu, W. Chan, Y. Chen, "Automatic white balance for digital still camera", IEEE
///   Trans. Consumer Electronics 41 (1995), and V. Chikane, C. Fuh, "Automatic White Balance for
///   Digital Still Cameras", J. Information Science and Engineering 22 (2006), for what may be grey;
///   D. Comaniciu, P. Meer, "Mean Shift", IEEE TPAMI 24 (2002); G. D. Finlayson, S. D. Hordley, P. M.
///   Hubel, "Color by Correlation", IEEE TPAMI 23 (2001), for counting chromaticities, not areas.
struct SceneLight {
  private static let mireds = stride(from: 1e6 / 11_000, through: 400, by: 10)
  private static let blackBodies = mireds.map { Illuminant.blackBody(1e6 / $0) }
  private static let widths = [0.05, 0.03, 0.02, 0.015, 0.01]

  /// CIE 1960 (u, v).
  let chromaticity: SIMD2<Double>
  /// The confidence, 0…1, that this is the light and not the colour of things.
  ///
  /// It takes part of the scene to have that chromaticity: from a tenth, and surely three tenths more.
  /// A light further than 0.02 from grey takes 4 × that distance more, for few lights are as vivid as
  /// leaves and petals. And it takes one of these, of which either is enough:
  /// - It is that of dark and bright things alike, as a sky or a field is not: the lumas between the
  ///   deciles of what has it span 0.35, and surely 0.55.
  /// - All of the scene is moved that way, while below a blue sky grass stands on the other side of
  ///   grey: the mean of the ways that chromaticities lie from grey towards the light, held to −1…1
  ///   of the light's own, is 0.45, and surely 0.8.
  let confidence: Double

  /// Nil where nothing may be grey.
  ///
  /// - Parameters:
  ///   - counts: All that tells a chromaticity.
  ///   - brightest: The part of what may be grey that it is found in; the confidence is that of all.
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
    zip(blackBodies, blackBodies.dropFirst()).contains { start, end in
      let way = end - start
      let part = min(1, max(0, ((place - start) * way).sum() / (way * way).sum()))
      let apart = place - (start + part * way)
      return (apart * apart).sum() <= 0.02 * 0.02
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

  private static func agreement(
    of counts: ChromaticityCounts, with light: SIMD2<Double>
  ) -> Double {
    let way = light - UniformChromaticity.neutral
    let length = (way * way).sum()
    if length < 1e-12 { return 1 }
    var (sum, total) = (0.0, 0.0)
    for bin in counts.bins {
      let part = ((bin.place - UniformChromaticity.neutral) * way).sum() / length
      let weight = Double(bin.count).squareRoot()
      sum += weight * min(1, max(-1, part))
      total += weight
    }
    return sum / total
  }

  /// 0 up to `low`, 1 from `high` on, straight between.
  private static func ramp(_ x: Double, _ low: Double, _ high: Double) -> Double {
    min(1, max(0, (x - low) / (high - low)))
  }
}
