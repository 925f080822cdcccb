/// Where, and how much, a step changes the photo.
///
/// Positions are fractions of the frame as it is at that step, from the left and from the top;
/// lengths are parts of its shorter edge.
public struct Mask: Sendable, Hashable {
  public indirect enum Shape: Sendable, Hashable {
    /// Nothing before `from`, everything beyond `to`.
    case linear(from: Placement.Point, to: Placement.Point)
    /// Everything inside an ellipse, turned clockwise by `angle` degrees; the outer `feather` part
    /// of its radius, 0…1, fades to nothing.
    case radial(centre: Placement.Point, radii: Placement.Point, angle: Double, feather: Double)
    /// Everything inside by the even–odd rule; the edge is soft over `feather` to either side. A wide
    /// one, of more than 0.02, is a Gaussian blur of sigma `feather ÷ √5`.
    case polygon([Placement.Point], feather: Double)
    /// Pixels of an OKLab lightness.
    case luminance(ClosedRange<Double>, feather: Double)
    /// Pixels of a colour, by their distance from it in the (a, b) plane of OKLab.
    case colour(Colour, tolerance: Double, feather: Double)
    /// The luminance of an image, stretched over the frame; blurred by a Gaussian of sigma
    /// `feather`, in parts of its shorter edge.
    case image(NamedFile, feather: Double)
    /// A matte or a range of depths that the photo's file has; it follows what changed the frame.
    case auxiliary(AuxiliaryMap)
    case combination(Cover.Combination, [Mask])
  }

  public var shape: Shape
  /// The sigma of a Gaussian that blurs the coverage; only of places, as what pixels look like is
  /// known of no neighbour.
  public var feather = 0.0
  public var isInverted = false
  /// The coverage is multiplied by it, 0…1.
  public var density = 1.0

  public init(_ shape: Shape) { self.shape = shape }

  /// The deepest nesting of masks.
  static let deepest = 6
  /// The largest number of pictures that one mask may read.
  static let mostPictures = 8
  /// Polygons with more of it are blurred: a step of the distance from the edge has creases where two
  /// edges are as near.
  static let thinFeather = 0.02

  /// The image files that the mask reads.
  public var images: [NamedFile] {
    switch shape {
    case .image(let file, _): [file]
    case .combination(_, let parts): parts.flatMap(\.images)
    case .linear, .radial, .polygon, .luminance, .colour, .auxiliary: []
    }
  }

  /// The number of pictures that the mask reads: files, pictures in the photo's own file, and
  /// blurred coverages.
  var pictureCount: Int {
    let own = feather > 0 ? 1 : 0
    return switch shape {
    case .image, .auxiliary: own + 1
    case .polygon(_, let feather) where feather > Self.thinFeather: own + 1
    case .combination(_, let parts): parts.reduce(own) { $0 + $1.pictureCount }
    case .linear, .radial, .polygon, .luminance, .colour: own
    }
  }

  /// True if the coverage depends on the photo's colours.
  var dependsOnColours: Bool {
    switch shape {
    case .luminance, .colour: true
    case .combination(_, let parts): parts.contains(where: \.dependsOnColours)
    case .linear, .radial, .polygon, .image, .auxiliary: false
    }
  }
}
