/// The colour space in which a filter computes.
///
/// The primaries are the primaries of sRGB, and white is D65.
public enum WorkingSpace: String, Sendable {
  /// Linear light: 1.0 is diffuse white.
  case linear
  /// Display-encoded values: sRGB's transfer function applied, as on a display and in most files.
  case encoded
  /// Björn Ottosson's perceptual space; L 0…1, a and b about −0.4…0.4.
  case oklab
  /// No colour space: the filter moves pixels and ignores colours.
  case none
}

extension WorkingSpace {
  /// The instructions that convert display-encoded values to this space.
  var entry: [PointProgram.Instruction] {
    switch self {
    case .encoded, .none: []
    case .linear: [.curve(.decode)]
    case .oklab:
      [
        .curve(.decode), .matrix(OKLab.lmsFromRGB), .curve(.cubeRoot),
        .matrix(OKLab.labFromLMS),
      ]
    }
  }

  /// The instructions that convert this space to display-encoded values.
  var exit: [PointProgram.Instruction] {
    switch self {
    case .encoded, .none: []
    case .linear: [.curve(.encode)]
    case .oklab:
      [
        .matrix(OKLab.lmsFromLab), .curve(.cube), .matrix(OKLab.rgbFromLMS), .curve(.encode),
      ]
    }
  }
}
