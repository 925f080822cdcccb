import Glibc
import PhotoRecipes

/// The encoding of a photo with light far brighter than white, and the photo's conversion for
/// standard displays.
///
/// With a peak of 1,000 cd/m², light up to 43 % of white is unchanged. Brighter light is compressed
/// smoothly, and the peak becomes white. Each channel is compressed separately, so bright colours
/// become paler, as on film.
/// - Source: Rec. ITU-R BT.2100-2 (PQ, HLG); Report ITU-R BT.2390-11, 5.4.1 (the compression), with
///   the white of BT.2408, 203 cd/m².
struct HighDynamicRange: Sendable, Hashable {
  enum Transfer: String, Sendable {
    case pq = "PQ"
    case hlg = "HLG"
  }

  let transfer: Transfer
  let primaries: Primaries
  /// The peak luminance of the photo in cd/m², which becomes white.
  let peak: Double

  static let white = 203.0
  private static let usualPeak = 1_000.0
  private static let peaks = 250.0...10_000

  /// Creates the encoding of a photo whose file states `peak` in cd/m², or nil.
  ///
  /// The peak of HLG is always 1,000 cd/m²; the peak of PQ is limited to 250…10,000.
  init(_ transfer: Transfer, _ primaries: Primaries, peak: Double?) {
    self.transfer = transfer
    self.primaries = primaries
    let said = transfer == .hlg ? nil : peak
    self.peak = min(max(said ?? Self.usualPeak, Self.peaks.lowerBound), Self.peaks.upperBound)
  }

  /// The instructions from samples to display-encoded sRGB.
  var toSRGB: [PointProgram.Instruction] {
    let matrix = StandardProfile.srgbFromXYZ50.after(
      StandardProfile(description: "", primaries: primaries, tone: [1]).xyz50FromRGB)
    return [.curve(.sampled(samples)), .matrix(matrix), .curve(.encode)]
  }

  var warning: String {
    "the photo has a high dynamic range (\(transfer.rawValue)), so highlights were compressed"
  }

  /// The compressed light, relative to white, of 4,097 sample values at even steps from 0 to 1.
  private var samples: [Double] {
    let count = 4_096
    return (0...count).map { compressed(light(Double($0) / Double(count))) / Self.white }
  }

  /// The light, in cd/m², that a sample of 0…1 represents.
  func light(_ sample: Double) -> Double {
    switch transfer {
    case .pq: Self.pqLight(sample)
    // The system gamma is applied to each channel, and not to the luminance as BT.2100 does.
    case .hlg: pow(Self.hlgLight(sample), 1.2) * Self.usualPeak
    }
  }

  /// Compresses light, in cd/m², towards white by the roll-off of BT.2390, which is computed in PQ.
  private func compressed(_ light: Double) -> Double {
    let most = Self.pqSample(peak)
    let goal = Self.pqSample(Self.white) / most
    let knee = 1.5 * goal - 0.5
    let value = min(Self.pqSample(light) / most, 1)
    if value <= knee { return light }
    let t = (value - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let bent =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * goal
    return Self.pqLight(bent * most)
  }
}

extension HighDynamicRange {
  // The constants of PQ: BT.2100-2, table 4.
  private static let m1 = 2_610.0 / 16_384
  private static let m2 = 2_523.0 / 4_096 * 128
  private static let c1 = 3_424.0 / 4_096
  private static let c2 = 2_413.0 / 4_096 * 32
  private static let c3 = 2_392.0 / 4_096 * 32

  /// The light, in cd/m², that a PQ sample represents.
  static func pqLight(_ sample: Double) -> Double {
    let power = pow(max(0, sample), 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// The PQ sample that represents an amount of light in cd/m².
  static func pqSample(_ light: Double) -> Double {
    pqSample(ofPower: pow(max(0, light) / 10_000, pqExponent))
  }

  /// The exponent of the first part of the curve to PQ samples.
  static let pqExponent = m1

  /// The PQ sample for a power: light ÷ 10,000 cd/m² to the power of `pqExponent`.
  static func pqSample(ofPower power: Double) -> Double {
    pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  // The constants of HLG: BT.2100-2, table 5.
  private static let a = 0.178_832_77
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * log(4 * a)

  /// The scene light of an HLG sample; light and sample are 0…1.
  static func hlgLight(_ sample: Double) -> Double {
    sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
  }

  /// The HLG sample of scene light; light and sample are 0…1.
  static func hlgSample(_ light: Double) -> Double {
    light <= 1.0 / 12 ? (3 * light).squareRoot() : a * log(12 * light - b) + c
  }
}
