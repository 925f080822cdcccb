/// What becomes of the samples that a point program gives, which says how exact it has to be.
public enum ProgramEnd: Sendable, Hashable {
  /// They may be written with 16 bits.
  case fine
  /// They are rounded to 8 bits in the end.
  case display
  /// They are clipped and rounded to 8 bits next.
  case shown

  var precision: SampledCurve.Precision { self == .fine ? .fine : .display }
}
