public import Notation

/// Lays an image over the photo.
///
/// The step's `opacity` makes the image transparent, and its `blend` blends the image with the
/// photo below it. The image is upright and has the colours in which it is rendered as a photo: its
/// profile counts, and floating-point samples are linear light, 0…1, with an alpha of 0…1. Colours
/// outside sRGB are clipped, also for other outputs. If the image is moved out of the photo, the
/// report has a warning.
public struct Watermark: MarkFilter {
  public static let name = "watermark"
  public static let summary = "Lays an image, such as a logo, over the photo."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting("image", \.image, .file, "The image; required. PNG with alpha works best."),
    Setting("tile", \.isTiled, .flag, "Whether copies of the image cover the photo."),
    Setting(
      "spacing", \.spacing, .number(.fraction, 0...10),
      "The distance between copies, as a fraction of the image's longer edge."
    ).usually(0...2),
    Setting(
      "angle", \.angle, .number(.degrees, -180...180), "The rotation of the image, clockwise."),
    Setting("gravity", \.gravity, Gravity.kind, "The position of the image."),
    Setting(
      "scale", \.scale, .number(.fraction, 0.001...1),
      "The image's width, as a fraction of the photo's width."
    ).usually(0.02...0.6),
    Setting(
      "margin", \.margin, .number(.fraction, 0...0.5),
      "The distance from the photo's edges, as a fraction of its shorter edge."),
    Setting(
      "x", \.x, .number(.fraction, -1...1),
      "The shift to the right, as a fraction of the photo's shorter edge."),
    Setting(
      "y", \.y, .number(.fraction, -1...1),
      "The shift downwards, as a fraction of the photo's shorter edge."),
    Setting("shadow", \.shadow, .colour, "The colour of a soft shadow behind the image."),
  ]

  public var image = NamedFile(path: "", folder: "")
  public var gravity = Gravity.southeast
  public var scale = 0.2
  public var margin = 0.03
  public var x = 0.0
  public var y = 0.0
  public var isTiled = false
  public var spacing = 0.5
  public var angle = 0.0
  public var shadow: Colour?

  public init() {}

  public static var example: Self {
    with { $0.image = NamedFile(path: "watermark.png", folder: "") }
  }

  public var contradiction: Problem? {
    image.path.isEmpty ? .missingKey("image", in: "'watermark'") : nil
  }

  public func drawing(blended mode: BlendMode) -> Drawing {
    var overlay = Overlay(file: image, gravity: gravity, scale: scale, margin: margin)
    overlay.offset = .init(x, y)
    overlay.angle = angle
    overlay.shadow = shadow
    if isTiled { overlay.tiling = Overlay.Tiling(spacing: spacing) }
    overlay.mode = mode
    return .image(overlay)
  }
}
