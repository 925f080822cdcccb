/// The colour space of the values of a lookup table or of an ASC CDL.
public enum GradingSpace: String, Choice {
  /// sRGB (IEC 61966-2-1).
  case srgb
  /// Linear light of sRGB's primaries.
  case linear
  /// ITU-R BT.709 with the transfer function of a camera.
  case rec709
  /// ITU-R BT.709 as on a display: a power of 2.4 (ITU-R BT.1886).
  case bt1886
  /// Display P3: SMPTE EG 432-1's primaries with sRGB's transfer function.
  case displayP3
  /// ITU-R BT.2020 with the transfer function of BT.709 for cameras.
  case rec2020
  case acescct
  /// ARRI Log C (EI 800), ARRI Wide Gamut 3.
  case logC3
  /// ARRI LogC4, ARRI Wide Gamut 4.
  case logC4
  /// S-Log3, S-Gamut3.
  case sLog3
  /// S-Log3, S-Gamut3.Cine.
  case sLog3Cine
  /// V-Log, V-Gamut.
  case vLog
  /// N-Log, the primaries of BT.2020.
  case nLog

  /// The instructions that convert display-encoded sRGB to this space.
  var entry: [PointProgram.Instruction] {
    if self == .srgb { return [] }
    let curves = transfer.encoding.map { PointProgram.Instruction.curve($0) }
    return [.curve(.decode), .matrix(fromSRGB)] + curves
  }

  /// The instructions that convert this space to display-encoded sRGB.
  var exit: [PointProgram.Instruction] {
    if self == .srgb { return [] }
    let curves = transfer.decoding.map { PointProgram.Instruction.curve($0) }
    return curves + [.matrix(fromSRGB.inverse ?? .identity), .curve(.encode)]
  }

  /// `((V + 0.099) / 1.099)^(1/0.45)` for V ≥ 0.081, `V / 4.5` below 0.081.
  ///
  /// - Source: ITU-R BT.709-6, 1.2.
  private static let camera = Curve.parametric(
    g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)

  /// The transfer function as curves in both directions; `scale` is the linear light that the
  /// curves represent as 1.
  ///
  /// Curves are computed by tables that are exact for values up to 4 only. Logarithmic encodings
  /// represent light up to 469, so their curves get the light divided by 16.
  private var transfer: (encoding: [Curve], decoding: [Curve], scale: Double) {
    func log(_ curve: LogCurve) -> (encoding: [Curve], decoding: [Curve], scale: Double) {
      ([.log(curve, white: 16)], [.antilog(curve, white: 16)], 16)
    }
    return switch self {
    case .srgb, .displayP3: ([.encode], [.decode], 1)
    case .linear: ([], [], 1)
    case .rec709, .rec2020: (Self.camera.inverse.map { [$0] } ?? [], [Self.camera], 1)
    case .bt1886: ([.power(1 / 2.4)], [.power(2.4)], 1)
    case .acescct: log(.acescct)
    case .logC3: log(.logC3)
    case .logC4: log(.logC4)
    case .sLog3, .sLog3Cine: log(.sLog3)
    case .vLog: log(.vLog)
    case .nLog: log(.nLog)
    }
  }

  private var primaries: Primaries {
    switch self {
    case .srgb, .linear, .rec709, .bt1886: .srgb
    case .displayP3: .displayP3
    case .rec2020, .nLog: .rec2020
    case .acescct: .acescg
    case .logC3: .arriWideGamut3
    case .logC4: .arriWideGamut4
    case .sLog3: .sGamut3
    case .sLog3Cine: .sGamut3Cine
    case .vLog: .vGamut
    }
  }

  /// The matrix from linear sRGB to linear light of this space, adapted to this space's white and
  /// divided by the scale of `transfer`.
  private var fromSRGB: ColourMatrix {
    let own = primaries.xyzFromRGB
    let adapted = Bradford.adaptation(from: SRGB.xyzFromRGB(.one), to: own(.one))
    let scale = ColourMatrix.diagonal(.init(repeating: 1 / transfer.scale))
    return scale.after(own.inverse ?? .identity).after(adapted).after(SRGB.xyzFromRGB)
  }
}
