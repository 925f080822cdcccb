import Notation

/// Corrects the errors of the lens by its profile in the database of lensfun.
///
/// The lens is found by the camera, the lens and the focal length in the photo's metadata. The
/// photo is resampled once, together with later steps that straighten it or correct perspective.
public struct LensFilter: Filter {
  public static let name = "lens"
  public static let summary =
    "Corrects distortion, vignetting and coloured edges by the profile of the lens."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting(
      "distortion", \.distortion, .flag, identity: false, "Whether bent lines become straight."),
    Setting(
      "vignetting", \.vignetting, .flag, identity: false,
      "Whether the corners become as bright as the centre."),
    Setting(
      "tca", \.tca, .flag, identity: false,
      "Whether coloured edges (transverse chromatic aberration) are removed."),
    Setting(
      "scale", \.scale, .number(.factor, 0.5...2),
      "The magnification; by default the smallest with which no border is empty."),
    Setting(
      "camera", \.camera, .text,
      "The camera as the database names it, in place of that in the photo's metadata."),
    Setting(
      "lens", \.lens, .text,
      "The lens as the database names it, in place of that in the photo's metadata."),
    Setting(
      "focalLength", \.focalLength, .number(.millimetres, 1...5000),
      "The focal length as written on the lens, in place of that in the photo's metadata."
    ).usually(10...600),
    Setting(
      "aperture", \.aperture, .number(.factor, 0.5...128),
      "The f-number, in place of that in the photo's metadata."
    ).usually(1...22),
    Setting(
      "distance", \.distance, .number(.metres, 0.01...10000),
      "The distance of the subject, which changes vignetting a little; 1000 if it is unknown."
    ).usually(0.3...100),
    Setting(
      "colour", \.colour, .colour, "The colour of borders that a small 'scale' leaves empty."),
  ]

  public var distortion = true
  public var vignetting = true
  public var tca = true
  public var scale: Double?
  public var camera = ""
  public var lens = ""
  public var focalLength: Double?
  public var aperture: Double?
  public var distance: Double?
  public var colour = Colour.white

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var correction = LensCorrection()
    correction.distortion = distortion
    correction.vignetting = vignetting
    correction.tca = tca
    correction.scale = scale
    correction.given.camera = camera
    correction.given.lens = lens
    correction.given.focalLength = focalLength
    correction.given.aperture = aperture
    correction.given.distance = distance
    var warp = Warp(.lens(correction))
    warp.keeping = scale == nil ? .shape : .all
    warp.colour = colour
    return graph.append(.warp(warp), input)
  }
}
