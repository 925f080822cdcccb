import Glibc

/// The white point of a light with a given correlated colour temperature and tint.
///
/// The white equals the light of a black body of this temperature, moved at a right angle to the
/// Planckian locus in the CIE 1960 uv diagram by `tint / 3000`: upwards (towards green) for a
/// positive tint.
/// - Source: Planck's law with the CIE 1931 2° observer (CIE 018:2019) at 10 nm.
public struct Illuminant: Sendable, Hashable {
  /// The correlated colour temperature in kelvin.
  public var temperature: Double
  public var tint: Double

  public init(temperature: Double, tint: Double) {
    self.temperature = temperature
    self.tint = tint
  }

  /// The range of correlated colour temperatures that are looked for, in reciprocal megakelvin.
  private static let mireds = 20.0...1_000

  /// The light of a white in XYZ, with Y > 0: the temperature of the nearest black body in the CIE
  /// 1960 uv diagram, and the distance from it.
  public init(white: ColourMatrix.Vector) {
    let place = UniformChromaticity.uv(white)
    func distance(_ mired: Double) -> Double {
      let difference = place - Self.blackBody(1e6 / mired)
      return (difference * difference).sum()
    }
    // Near the locus, the distance has one minimum; a coarse search finds the interval around it.
    let steps = stride(from: 0.0, through: 1, by: 1 / 24.0).map {
      Self.mireds.lowerBound * pow(Self.mireds.upperBound / Self.mireds.lowerBound, $0)
    }
    let nearest = steps.indices.min { distance(steps[$0]) < distance(steps[$1]) } ?? 0
    var low = steps[max(0, nearest - 1)]
    var high = steps[min(steps.count - 1, nearest + 1)]
    let ratio = 0.618_033_988_75
    for _ in 0..<48 {
      let (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
      if distance(a) < distance(b) { high = b } else { low = a }
    }
    temperature = 2e6 / (low + high)
    tint = 0
    let (here, across) = normal
    tint = ((place - here) * across).sum() * 3000
  }

  /// The white in XYZ, with Y = 1.
  public var xyz: ColourMatrix.Vector {
    let (here, across) = normal
    return UniformChromaticity.xyz(here + across * (tint / 3000))
  }

  /// The place of the black body on its locus (`here`), and the unit vector `across` the locus.
  private var normal: (here: SIMD2<Double>, across: SIMD2<Double>) {
    let step = temperature * 1e-4
    let along = Self.blackBody(temperature + step) - Self.blackBody(temperature - step)
    let length = (along * along).sum().squareRoot()
    // Hotter bodies are further left on the locus, so the locus' direction turned clockwise by 90°
    // points up.
    return (Self.blackBody(temperature), SIMD2(along.y, -along.x) / length)
  }

  /// The CIE 1960 (u, v) of a black body at a temperature in kelvin.
  static func blackBody(_ temperature: Double) -> SIMD2<Double> {
    var xyz = ColourMatrix.Vector.zero
    for (index, weights) in observer.enumerated() {
      let metres = (380 + 10 * Double(index)) * 1e-9
      xyz += weights / (pow(metres * 1e9, 5) * expm1(1.438_776_877e-2 / (metres * temperature)))
    }
    return UniformChromaticity.uv(xyz)
  }

  /// The observer's x̄, ȳ, z̄ from 380 to 780 nm in steps of 10 nm.
  private static let observer: [ColourMatrix.Vector] = [
    .init(0.001368, 0.000039, 0.00645),
    .init(0.004243, 0.00012, 0.02005),
    .init(0.01431, 0.000396, 0.06785),
    .init(0.04351, 0.00121, 0.2074),
    .init(0.13438, 0.004, 0.6456),
    .init(0.2839, 0.0116, 1.3856),
    .init(0.34828, 0.023, 1.74706),
    .init(0.3362, 0.038, 1.77211),
    .init(0.2908, 0.06, 1.6692),
    .init(0.19536, 0.09098, 1.28764),
    .init(0.09564, 0.13902, 0.81295),
    .init(0.03201, 0.20802, 0.46518),
    .init(0.0049, 0.323, 0.272),
    .init(0.0093, 0.503, 0.1582),
    .init(0.06327, 0.71, 0.07825),
    .init(0.1655, 0.862, 0.04216),
    .init(0.2904, 0.954, 0.0203),
    .init(0.43345, 0.99495, 0.00875),
    .init(0.5945, 0.995, 0.0039),
    .init(0.7621, 0.952, 0.0021),
    .init(0.9163, 0.87, 0.00165),
    .init(1.0263, 0.757, 0.0011),
    .init(1.0622, 0.631, 0.0008),
    .init(1.0026, 0.503, 0.00034),
    .init(0.85445, 0.381, 0.00019),
    .init(0.6424, 0.265, 0.00005),
    .init(0.4479, 0.175, 0.00002),
    .init(0.2835, 0.107, 0),
    .init(0.1649, 0.061, 0),
    .init(0.0874, 0.032, 0),
    .init(0.04677, 0.017, 0),
    .init(0.0227, 0.00821, 0),
    .init(0.011359, 0.004102, 0),
    .init(0.00579, 0.002091, 0),
    .init(0.002899, 0.001047, 0),
    .init(0.00144, 0.00052, 0),
    .init(0.00069, 0.000249, 0),
    .init(0.000332, 0.00012, 0),
    .init(0.000166, 0.00006, 0),
    .init(0.000083, 0.00003, 0),
    .init(0.000042, 0.000015, 0),
  ]
}

extension Illuminant: CustomStringConvertible {
  public var description: String { "\(Int(temperature.rounded())) K, tint \(tint.short)" }
}
