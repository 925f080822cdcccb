import Glibc
public import Notation

/// Removes the red of pupils that a flash lit.
///
/// A pupil is a round red spot whose surroundings are not red (see `RedSpot`). In a circle around
/// it, pixels with a redness above a limit become grey, with the value (G + B) ÷ 2 × (1 − `darken`).
/// Reflections of the flash on the eye are white, so they stay.
///
/// - Redness: `R² ÷ (G² + B² + k)` of display-encoded channels, with k = 14 ÷ 255². It is about 1
///   for skin, and 3 to 15 for a red pupil.
/// - The limit is 2.2. In the eyes of faces, it is 1.5 times the median redness of the skin of all
///   faces if that is greater, as in the light of a lamp. If the pupil cannot be told from its
///   surroundings, higher limits up to 7 are tried. Beyond, a photo in the light of a lamp has only
///   noise in dark places.
/// - In the eyes of faces, a pupil is at least 2.1 times as red as its surroundings, and the ratio of
///   its axes is at least 0.6. The rims of glasses in the light of a lamp have red spots, too, but
///   they are long, or less red.
/// - In a named area, each pupil is changed that is at least half as large as the largest one; the
///   ratio of its axes is at least 0.57, so that lips stay. In an area without a pupil and without a
///   long red spot, all of the area is changed; a face's eye without a pupil stays.
/// - Transition: the change fades in over a difference of 0.03 between R² and limit × (G² + B² +
///   k).
/// - Source: M. Gaubatz, R. Ulichney, "Automatic Red-Eye Detection and Correction", IEEE
///   International Conference on Image Processing (2002): the redness, and the grey of a pupil.
public struct RedEye: MeasuringFilter {
  public static let name = "redEye"
  public static let summary = "Removes the red of pupils that a flash lit."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let revision = 5
  /// In a reduced copy of this edge, the pupil of the smallest face that is detected has a radius of
  /// about 4 pixels.
  public static let viewEdge = 1_536
  public static let settings: [Setting<Self>] = [
    Setting(
      "areas", \.areas, .areas,
      "Rectangles around the eyes. If left out, the eyes of the photo's faces are used."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The strength of the correction; 1 makes a red pupil grey."),
    Setting("darken", \.darken, .number(.fraction, 0...1), "How much darker a pupil becomes."),
  ]

  public var areas: Areas?
  public var strength = 1.0
  public var darken = 0.2

  public init() {}

  public var contradiction: Problem? {
    guard let outside = areas?.areas.firstIndex(where: { !$0.isInside }) else { return nil }
    return .contradiction(
      "area \(outside + 1) of 'redEye' reaches beyond the frame",
      remedy: "give left + width and top + height that are at most 1")
  }

  public var seesFaces: Bool { areas == nil }

  /// The k of the redness: the 14 of the source, for values of 0…1.
  private static let least = 14.0 / (255 * 255)
  private static let limit = 2.2
  /// The factors of the limit that are tried, because the lids can be nearly as red as the pupil.
  private static let limits = [1, 1.3, 1.7, 2.2]
  private static let mostLimit = 7.0
  private static let inFaces = RedSpot.Demands(roundness: 0.6, contrast: 2.1)
  private static let inAreas = RedSpot.Demands(roundness: 0.57, contrast: 1)
  /// The difference between R² and its limit over which the change fades in.
  private static let fade = 0.03
  /// The radius of a pupil, as a fraction of half the width of its face.
  private static let ofFace = 0.03...0.32
  /// The radius of a pupil, as a fraction of half the shorter edge of a named area.
  private static let ofArea = 0.03...0.95

  private static func redness(_ pixel: ColourMatrix.Vector) -> Double {
    pixel.x * pixel.x / (pixel.y * pixel.y + pixel.z * pixel.z + least)
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let limit =
      areas == nil
      ? max(Self.limit, 1.5 * (view.skinMedian(of: Self.redness) ?? 0)) : Self.limit
    typealias Eye = (mask: Mask, limit: Double)
    let limits = Self.limits.map { $0 * limit }.filter { $0 <= max(limit, Self.mostLimit) }
    func spots(in window: RedSpot.Window, above limit: Double) -> RedSpot.Spots {
      RedSpot.spots(
        in: window, of: view, redderThan: limit,
        demands: areas == nil ? Self.inFaces : Self.inAreas, Self.redness)
    }
    func pupil(in window: RedSpot.Window) -> Eye? {
      for limit in limits {
        if let spot = spots(in: window, above: limit).pupils.first {
          return (Self.circle(around: spot, view), limit)
        }
      }
      return nil
    }
    func eyes(in area: Areas.Area) -> [Eye] {
      guard let window = Self.window(area, view.size) else { return [] }
      var found: [(spot: RedSpot, limit: Double)] = []
      var hasLongSpot = false
      for limit in limits {
        let spots = spots(in: window, above: limit)
        hasLongSpot = hasLongSpot || spots.hasLongSpot
        for spot in spots.pupils where !found.contains(where: { $0.spot.overlaps(spot) }) {
          found.append((spot, limit))
        }
      }
      guard let largest = found.map(\.spot.reach).max() else {
        return hasLongSpot ? [] : Self.eye(area, view.full).map { [($0, limit)] } ?? []
      }
      return found.filter { $0.spot.reach >= largest / 2 }.map {
        (Self.circle(around: $0.spot, view), $0.limit)
      }
    }
    let eyes =
      areas.map { $0.areas.flatMap(eyes) }
      ?? view.faces.flatMap { face in
        FaceEllipse.eyes.compactMap { pupil(in: Self.window($0, face, view.size)) }
      }
    return eyes.reduce(input) { photo, eye in
      let program = PointProgram(correction(above: eye.limit))
      return graph.append(
        .blend(Blend(mask: eye.mask)), photo, graph.append(.program(program), photo))
    }
  }

  /// The instructions that make pixels with a redness above `limit` grey.
  private func correction(above limit: Double) -> [PointProgram.Instruction] {
    // The first channel becomes 0.5 + (R² − limit × (G² + B² + k)) ÷ 2.
    let excess = ColourMatrix(
      .init(0.5, -limit / 2, -limit / 2), .zero, .zero,
      offset: .init(0.5 - limit * Self.least / 2, 0, 0))
    let grey = (1 - darken) / 2
    let row = ColourMatrix.Vector(0, grey, grey)
    let isRed = Cover(.range((0.5 + Self.fade / 2)...1, feather: Self.fade / 2))
    return [
      .save, .save, .curve(.power(2)), .matrix(excess), .cover(isRed), .restore,
      .matrix(ColourMatrix(row, row, row)),
      .mix(opacity: strength, isMasked: true),
    ]
  }

  /// The mask of an eye in a rectangle: the ellipse that touches its edges; nil if it is empty.
  private static func eye(_ area: Areas.Area, _ frame: Size) -> Mask? {
    if area.width <= 0 || area.height <= 0 { return nil }
    let edge = Double(frame.shortEdge)
    return Mask(
      .radial(
        centre: .init(area.left + area.width / 2, area.top + area.height / 2),
        radii: .init(
          area.width * Double(frame.width) / edge / 2,
          area.height * Double(frame.height) / edge / 2), angle: 0, feather: 0.2))
  }

  /// The ellipse in which the pupil of an area is looked for; nil if it is empty.
  private static func window(_ area: Areas.Area, _ size: Size) -> RedSpot.Window? {
    let edges = SIMD2(area.width * Double(size.width), area.height * Double(size.height))
    if edges.min() <= 0 { return nil }
    let half = edges.min() / 2
    return RedSpot.Window(
      centre: SIMD2(area.left * Double(size.width), area.top * Double(size.height)) + edges / 2,
      right: SIMD2(edges.x / 2, 0), down: SIMD2(0, edges.y / 2),
      radii: ofArea.lowerBound * half...ofArea.upperBound * half)
  }

  /// The ellipse in which the pupil of a face's eye is looked for.
  private static func window(
    _ eye: FaceEllipse, _ face: Face, _ size: Size
  ) -> RedSpot.Window {
    let scale = SIMD2(Double(size.width), Double(size.height))
    let (right, down) = (face.right * scale, face.down * scale)
    let centre = face.centre * scale + eye.centre.x * right + eye.centre.y * down
    let half = (right * right).sum().squareRoot()
    return RedSpot.Window(
      centre: centre, right: eye.radii.x * around * right, down: eye.radii.y * around * down,
      radii: ofFace.lowerBound * half...ofFace.upperBound * half)
  }

  /// The part by which the ellipse for the search is larger than an eye, because faces are detected
  /// only roughly.
  private static let around = 1.4

  /// The mask of a pupil: a circle that is a little larger.
  private static func circle(around spot: RedSpot, _ view: PhotoView) -> Mask {
    let size = SIMD2(Double(view.size.width), Double(view.size.height))
    let radius = (1.2 * spot.reach + 1) / Double(view.size.shortEdge)
    return Mask(
      .radial(
        centre: .init(spot.centre / size), radii: .init(radius, radius), angle: 0, feather: 0.15))
  }
}
