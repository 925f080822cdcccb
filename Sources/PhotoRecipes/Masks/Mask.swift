/// The area in which a step changes the photo, and the strength of the change there.
///
/// Positions are fractions of the frame at that step, from the left and from the top; lengths are
/// fractions of its shorter edge.
public struct Mask: Sendable, Hashable {
  public indirect enum Shape: Sendable, Hashable {
    /// A gradient from 0 at `from` to 1 at `to`.
    case linear(from: Placement.Point, to: Placement.Point)
    /// The inside of an ellipse, rotated clockwise by `angle` degrees; the coverage fades to 0 over
    /// the outer fraction `feather` of the radius, 0…1.
    case radial(centre: Placement.Point, radii: Placement.Point, angle: Double, feather: Double)
    /// The inside of a polygon by the even–odd rule; the edge is soft over `feather` on either
    /// side. An edge with a `feather` above 0.02 is a Gaussian blur of sigma `feather ÷ √5`.
    case polygon([Placement.Point], feather: Double)
    /// The pixels in a range of OKLab lightness.
    case luminance(ClosedRange<Double>, feather: Double)
    /// The pixels near a colour, by their distance in the (a, b) plane of OKLab.
    case colour(Colour, tolerance: Double, feather: Double)
    /// The luminance of an image, stretched over the frame and blurred by a Gaussian; its sigma is
    /// `feather` as a fraction of the image's shorter edge.
    case image(NamedFile, feather: Double)
    /// A matte or a range of depths from an auxiliary picture in the photo's file; it follows
    /// changes of the frame.
    case auxiliary(AuxiliaryMap)
    /// A part of all faces in the photo, with soft edges; it follows changes of the frame.
    case face(FaceMap.Part)
    case combination(Cover.Combination, [Mask])
  }

  public var shape: Shape
  /// The sigma of a Gaussian that blurs the coverage.
  ///
  /// The blur applies only to masks of positions: a mask of colours has no access to neighbouring
  /// pixels.
  public var feather = 0.0
  public var isInverted = false
  /// The factor by which the coverage is multiplied, 0…1.
  public var density = 1.0

  public init(_ shape: Shape) { self.shape = shape }

  /// The maximum nesting depth of masks.
  static let deepest = 6
  /// The maximum number of pictures that one mask may read.
  static let mostPictures = 8
  /// The limit of `feather` above which a polygon is blurred.
  ///
  /// Wider edges are not computed from the distance to the nearest edge, because creases would be
  /// visible where two edges are equally near.
  static let thinFeather = 0.02

  /// The image files that the mask reads.
  public var images: [NamedFile] {
    switch shape {
    case .image(let file, _): [file]
    case .combination(_, let parts): parts.flatMap(\.images)
    case .linear, .radial, .polygon, .luminance, .colour, .auxiliary, .face: []
    }
  }

  /// True if the mask depends on the faces in the photo.
  public var readsFaces: Bool {
    switch shape {
    case .face: true
    case .combination(_, let parts): parts.contains(where: \.readsFaces)
    case .linear, .radial, .polygon, .luminance, .colour, .image, .auxiliary: false
    }
  }

  /// The number of pictures that the mask reads: files, pictures in the photo's own file, coverages
  /// of faces, and blurred coverages.
  var pictureCount: Int {
    let own = feather > 0 ? 1 : 0
    return switch shape {
    case .image, .auxiliary, .face: own + 1
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
    case .linear, .radial, .polygon, .image, .auxiliary, .face: false
    }
  }
}
