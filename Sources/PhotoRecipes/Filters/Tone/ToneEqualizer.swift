import Glibc

/// Brightens or darkens nine zones of tones, which are a stop apart; detail within them stays.
///
/// The zones are 1 to 9 stops below white, in the linear light of the base B: the luma, smoothed
/// except at edges. A zone moves by its setting; white stays. A monotone spline through white and
/// the zones moves the tones between them, and darker tones move like the lowest zone.
///
/// Zones never pass one another or white. Neighbours that would come closer than 0.15 stops keep
/// this distance and move by their mean, which changes the settings least (see `ordered`): `zone5`
/// = 2 alone moves its tones by 1.42 stops, and those of zone 4 by 0.58. Pixels
/// darker than the base, and pixels a little brighter, have the gain of the base; see `LocalTone`.
/// - Source: the least change: R. E. Barlow et al., "Statistical Inference under Order
///   Restrictions", 1972 (pool adjacent violators).
public struct ToneEqualizer: LocalToneFilter {
  public static let name = "toneEqualizer"
  public static let summary =
    "Brightens or darkens nine zones of tones; zones that would meet move together."
  public static let category = FilterCategory.tone
  public static let revision = 3
  public static let settings: [Setting<Self>] = (0..<zones).map { zone in
    Setting(
      "zone\(zone + 1)", \Self.stops[zone], .number(.stops, -2...2), identity: 0,
      "The change of tones \(zone + 1) \(zone == 0 ? "stop" : "stops") below white.")
  }

  private static let zones = 9
  /// The least distance of two zones after the change, in stops.
  private static let closest = 0.15

  /// The changes of the zones in stops, the brightest zone first.
  public var stops = Array(repeating: 0.0, count: zones)

  public init() {}

  public static var example: Self {
    with {
      $0.stops[1] = -0.7
      $0.stops[5] = 0.8
      $0.stops[6] = 1
    }
  }

  var base: LocalBase { .broad }

  func sample(_ base: Double) -> LocalTone.Sample {
    let light = Curve.decode(base)
    let gain = exp2(change(below: -log2(light)))
    let tone = min(1, Curve.encode(gain * light))
    // Avoids 0 / 0 at black and at white. Near black the display encoding is a straight line, so
    // the gain of linear light applies.
    let ratio = base > 1e-6 ? tone / base : gain
    let brighter = tone < 1 - 1e-6 ? ratio * (1 - base) / (1 - tone) : 1
    return LocalTone.Sample(tone: tone, darker: 1, brighter: brighter)
  }

  /// The change in stops of a tone that is `depth` stops below white, 0…∞.
  private func change(below depth: Double) -> Double {
    let deepest = Double(Self.zones)
    let depths = [0] + Self.ordered(stops.enumerated().map { Double($0 + 1) - $1 })
    // The spline's range is 0…1.
    let points = depths.enumerated().map {
      CurvePoints.Point(x: Double($0) / deepest, y: $1 / deepest)
    }
    let inside = max(0, min(deepest, depth))
    return inside - deepest * MonotoneSpline(points)(inside / deepest)
  }

  /// The depths nearest to the given depths, by least squares, that grow by at least `closest`
  /// each, from 0.
  private static func ordered(_ depths: [Double]) -> [Double] {
    // After the subtraction, depths that grow by `closest` are equal.
    let levelled = depths.enumerated().map { $1 - closest * Double($0 + 1) }
    var pools: [(sum: Double, count: Int)] = []
    func mean(_ pool: (sum: Double, count: Int)) -> Double { pool.sum / Double(pool.count) }
    for depth in levelled {
      pools.append((depth, 1))
      while pools.count > 1, mean(pools[pools.count - 2]) > mean(pools[pools.count - 1]) {
        let last = pools.removeLast()
        pools[pools.count - 1].sum += last.sum
        pools[pools.count - 1].count += last.count
      }
    }
    let means = pools.flatMap { Array(repeating: mean($0), count: $0.count) }
    return means.enumerated().map { max(0, $1) + closest * Double($0 + 1) }
  }
}
