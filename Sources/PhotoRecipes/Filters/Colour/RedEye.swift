import Glibc

/// Removes the red of pupils that a flash lit.
///
/// In each eye, pixels with a redness above a limit become grey, with the value (G + B) ÷ 2 × (1 −
/// `darken`). Reflections of the flash on the eye are white, so they stay.
///
/// - Redness: `R² ÷ (G² + B² + k)` of display-encoded channels. It is about 1 for skin, and 3 to 15
///   for a red pupil.
/// - In named areas, k is 14 ÷ 255² and the limit is 2.2.
/// - In the eyes of faces, where lids and shadows are red too, k is 40² ÷ 255². The limit is 3, or
///   1.5 times the median redness of the skin of all faces if that is greater, as in the light of a
///   lamp.
/// - Transition: the change fades in over a difference of 0.03 between R² and limit × (G² + B² +
///   k).
/// - Source: M. Gaubatz, R. Ulichney, "Automatic Red-Eye Detection and Correction", IEEE
///   International Conference on Image Processing (2002): the redness, and the grey of a pupil.
public struct RedEye: MeasuringFilter {
  public static let name = "redEye"
  public static let summary = "Removes the red of pupils that a flash lit."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
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

  public var seesFaces: Bool { areas == nil }

  /// The k of the redness and the lowest limit, in named areas (the 14 of the source, for values of
  /// 0…1) and in the eyes of faces.
  private static let named = (least: 14.0 / (255 * 255), limit: 2.2)
  private static let detected = (least: 1_600.0 / (255 * 255), limit: 3.0)
  /// The difference between R² and its limit over which the change fades in.
  private static let fade = 0.03

  private static func redness(_ pixel: ColourMatrix.Vector) -> Double {
    pixel.x * pixel.x / (pixel.y * pixel.y + pixel.z * pixel.z + named.least)
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let eyes =
      areas.map { $0.areas.compactMap { Self.eye($0, view.full) } }
      ?? view.faces.flatMap { face in FaceEllipse.eyes.map { Self.eye($0, face, view.full) } }
    guard let first = eyes.first else { return input }
    let mask = eyes.count == 1 ? first : Mask(.combination(.add, eyes))
    let rule = areas == nil ? Self.detected : Self.named
    let ofSkin = areas == nil ? view.skinMedian(of: Self.redness) ?? 0 : 0
    let program = PointProgram(correction(above: max(rule.limit, 1.5 * ofSkin), rule.least))
    let corrected = graph.append(.program(program), input)
    return graph.append(.blend(Blend(mask: mask)), input, corrected)
  }

  /// The instructions that make pixels with a redness above `limit` grey.
  private func correction(above limit: Double, _ least: Double) -> [PointProgram.Instruction] {
    // The first channel becomes 0.5 + (R² − limit × (G² + B² + k)) ÷ 2.
    let excess = ColourMatrix(
      .init(0.5, -limit / 2, -limit / 2), .zero, .zero,
      offset: .init(0.5 - limit * least / 2, 0, 0))
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

  /// The mask of an eye of a face.
  private static func eye(_ eye: FaceEllipse, _ face: Face, _ frame: Size) -> Mask {
    let size = Placement.Point(Double(frame.width), Double(frame.height))
    let edge = Double(frame.shortEdge)
    let right = face.right * size
    let down = face.down * size
    let radii = eye.radii * .init(length(right), length(down)) / edge
    return Mask(
      .radial(
        centre: face.centre + eye.centre.x * face.right + eye.centre.y * face.down, radii: radii,
        angle: atan2(right.y, right.x) * 180 / .pi, feather: 0.2))
  }

  private static func length(_ vector: Placement.Point) -> Double {
    (vector * vector).sum().squareRoot()
  }
}
