/// The space in which a filter's formula holds.
///
/// Primaries are those of sRGB, white is D65.
public enum WorkingSpace: String, Sendable {
  /// Light itself: 1.0 is diffuse white.
  case linear
  /// sRGB's transfer function applied, as on a display and in most files.
  case encoded
  /// Björn Ottosson's perceptual space; L 0…1, a and b about −0.4…0.4.
  case oklab
  /// The filter moves pixels and looks at no colour.
  case none
}

extension WorkingSpace {
  /// Instructions from display-encoded values into this space.
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

  /// Instructions from this space back to display-encoded values.
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
