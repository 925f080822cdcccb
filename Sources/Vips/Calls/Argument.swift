/// A value that a libvips operation takes.
///
/// Each is stored as the one GObject type it stands for: an `.integer` is not taken for a
/// `.number`.
public enum Argument: Sendable {
  case image(Image)
  case images([Image])
  case flag(Bool)
  case integer(Int)
  case integers([Int])
  case number(Double)
  case numbers([Double])
  case text(String)
  /// An enumeration value by its nickname, as `"scrgb"` for `VIPS_INTERPRETATION_scRGB`.
  case choice(String)
  /// Flags by their nicknames, as `["exif", "icc"]`; an empty list sets none.
  case choices([String])
  /// Bytes, copied when the argument is set.
  case blob([UInt8])
  case source(Source)
  case target(Target)
  /// An interpolator by its nickname, as `"bicubic"`.
  case interpolate(String)
  /// What a kernel counts in; it keeps a reference.
  case tally(Tally)

  /// The images in this argument.
  var images: [Image] {
    switch self {
    case .image(let image): [image]
    case .images(let images): images
    default: []
    }
  }
}
