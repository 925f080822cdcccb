/// A value that a libvips operation accepts.
public enum Argument: Sendable {
  case image(Image)
  case flag(Bool)
  case integer(Int32)
  case number(Double)
  case numbers([Double])
  case text(String)
  case blob([UInt8])
  /// An enumeration value by its nickname, as `"scrgb"` for `VIPS_INTERPRETATION_scRGB`.
  case choice(String)
}
