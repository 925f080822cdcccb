import PhotoRecipes

/// Pictures with light above white: conversions to and from display-encoded sRGB that is not
/// limited to white.
///
/// - Source: Rec. ITU-R BT.2100-2, tables 4 and 5; white by Report BT.2408, 203 cd/m².
extension HighDynamicRange {
  /// The instructions from samples to display-encoded sRGB, in which light above white stays above
  /// 1.
  var unlimited: [PointProgram.Instruction] {
    let toSRGB = Self.matrix(from: primaries, to: .srgb)
    let count = 4_096
    let levels = (0...count).map { Double($0) / Double(count) }
    switch transfer {
    case .pq:
      let light = levels.map { Self.pqLight($0) / Self.white }
      return [.curve(.sampled(light)), .matrix(toSRGB), .curve(.encode)]
    case .hlg:
      let gain = ColourMatrix.diagonal(.init(repeating: Self.hlgPeak / Self.white))
      return [.curve(.sampled(levels.map(Self.hlgLight)))]
        + Self.withGamma(Self.systemGamma - 1, primaries)
        + [.matrix(toSRGB.after(gain)), .curve(.encode)]
    }
  }

  /// The instructions from display-encoded sRGB to samples of a space.
  static func fromSRGB(
    _ transfer: HDRTransfer, _ primaries: Primaries
  ) -> [PointProgram.Instruction] {
    let start: [PointProgram.Instruction] = [
      .curve(.decode), .matrix(matrix(from: .srgb, to: primaries)),
    ]
    let count = 4_096
    let levels = (0...count).map { Double($0) / Double(count) }
    switch transfer {
    case .pq:
      // The power makes the rest of the curve smooth enough for even samples.
      return start + [
        .curve(.linear(slope: white / 10_000, offset: 0)),
        .curve(.power(pqExponent)), .curve(.sampled(levels.map(pqSample(ofPower:)))),
      ]
    case .hlg:
      return start + [.curve(.linear(slope: white / hlgPeak, offset: 0))]
        + withGamma(1 / systemGamma - 1, primaries)
        + [.curve(.power(0.5)), .curve(.sampled(levels.map { hlgSample($0 * $0) }))]
    }
  }

  /// The luminance in cd/m² that the greatest sample of HLG represents.
  private static let hlgPeak = 1_000.0
  /// The system gamma of a display with this peak.
  private static let systemGamma = 1.2

  /// Multiplies linear light by its luminance to the power of `exponent`.
  private static func withGamma(
    _ exponent: Double, _ primaries: Primaries
  ) -> [PointProgram.Instruction] {
    let weights = primaries.xyzFromRGB.rows[1]
    // The least luminance, so that the power of black is finite.
    let least = ColourMatrix.Vector(repeating: 1e-9)
    return [
      .save, .matrix(ColourMatrix(weights, weights, weights, offset: least)),
      .curve(.power(exponent)), .multiply,
    ]
  }

  /// The matrix between the linear light of two spaces with the same white.
  private static func matrix(from source: Primaries, to target: Primaries) -> ColourMatrix {
    if source == target { return .diagonal(.init(repeating: 1)) }
    let toConnection = StandardProfile(description: "", primaries: source, tone: [1]).xyz50FromRGB
    let own = StandardProfile(description: "", primaries: target, tone: [1]).xyz50FromRGB
    return own.inverse?.after(toConnection) ?? toConnection
  }
}
