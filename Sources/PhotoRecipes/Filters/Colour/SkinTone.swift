import Glibc

/// Gives skin the hue that people prefer, as if the light on it had another colour.
///
/// The present colour of the skin is a given colour, or the mean, in linear light, of unclipped
/// pixels within `radius` of a position on the skin, or, without a position, on the skin of all
/// faces in the photo. Without faces, the filter has no effect.
///
/// The preferred colour has the same lightness, and the hue 48° and the chroma 25 of CIELAB; below
/// a lightness of 50 the chroma is reduced in proportion, as in dark skin. `warmth` w adds 8° × w
/// to the hue and multiplies the chroma by 1 + 0.4 w.
///
/// Colours are adapted from the present chromaticity towards the preferred one by Bradford's cone
/// responses in linear light. The change is the fraction `strength` of the distance between the two
/// in CIE 1960 uv. The luminance of white does not change. The distance is limited to 0.06, because a
/// colour that is farther away is not skin, or the light on it cannot be corrected. At a black or
/// completely clipped position, and on grey skin, as in black-and-white photos, the filter has no
/// effect.
///
/// No colour passes the preferred one, because parts of the same skin may be in other light: an arm in
/// the sun would turn green if the face is in red light. With p, the (a, b) of a pixel in OKLab, d, the
/// change of the skin's (a, b) at full strength, and t, the preferred colour at the pixel's lightness,
/// with a chroma proportional to it, a pixel changes by `(t − p) · w ÷ (d · w)`, limited to 0…1. The
/// vector w is d with a quarter of its component along t, because hue matters more than chroma.
///
/// Greys, and colours opposite to skin, stay. With p, the chroma of a pixel in OKLab along the hue of
/// the present skin, and C, the skin's chroma (at least 0.015), the change is multiplied by
/// `smoothstep((p − 0.8 C) ÷ w + 1)`. The width w of the transition is 0.7 C, or twice the change of
/// the skin's (a, b) without `warmth` if that is greater: otherwise skin would get patches. Greys then
/// change in part, because skin that is so far from the preferred hue is in coloured light, as they
/// are.
/// - Source: S.-H. Chen, H.-S. Chen, N. Ohta, M. R. Luo, "The Effect of Chromatic and Lightness
///   Components for Preferred Skin Color Reproduction on a Display", J. Imaging Science and
///   Technology 57 (2013): chroma 25.4, hue 50.5°. Later experiments by Luo with four kinds of skin
///   found 24.7 and 46.1° for all of them. The two skins of the ColorChecker have the chromas 25
///   and 19.
public struct SkinTone: SamplingFilter {
  public static let name = "skinTone"
  public static let summary = "Gives skin a pleasing hue, and keeps greys."
  public static let revision = 6
  public static let settings: [Setting<Self>] =
    sampling(
      place: "A position on the skin; the faces in the photo if left out.",
      colour: "The skin's current colour, in place of the position.") + [
      Setting(
        "strength", \.strength, .number(.fraction, 0...1), identity: 0,
        "The strength of the correction; 1 gives the skin the target colour."),
      Setting(
        "warmth", \.warmth, .number(.strength, -1...1),
        "The target colour: −1 is paler and rosier, 1 more golden."),
    ]

  public var sample = ColourSample()
  public var strength = 0.5
  public var warmth = 0.0

  public init() {}

  public var seesFaces: Bool { sample.place == nil && sample.colour == nil }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let light =
      sample.place.map { view.light(around: $0.point, radius: sample.radius) } ?? view.skinLight
    return append(to: &graph, after: input, correcting: light)
  }

  /// The instructions correct colours like skin, and keep the others.
  public func instructions(
    correcting light: ColourMatrix.Vector
  ) -> [PointProgram.Instruction] {
    let skin = Self.lab(light)
    let chroma = hypot(skin.y, skin.z)
    if chroma < Self.leastChroma { return [] }
    let matrix = correction(of: light)
    var plain = self
    plain.warmth = 0
    let change = Self.lab(plain.correction(of: light)(light)) - skin
    let reference = max(0.015, chroma)
    let width = max(0.7 * reference, 2 * hypot(change.y, change.z))
    // Half of the smoothstep's argument, because coverages are computed from values of 0…1.
    let along = ColourMatrix.Vector(0, skin.y, skin.z) / (2 * width * chroma)
    let target = Self.lab(correction(of: light, strength: 1)(light))
    guard let left = Self.distanceLeft(from: skin, to: target) else { return [] }
    let parts = ColourMatrix(along, left, .zero, offset: .init(0.5 - 0.4 * reference / width, 0, 0))
    let second = ColourMatrix(.init(0, 1, 0), .zero, .zero)
    return [
      .save, .matrix(OKLab.lmsFromRGB), .curve(.cubeRoot), .matrix(OKLab.labFromLMS),
      .matrix(parts), .cover(Cover(.range(0.5...1, feather: 0.5))),
      .matrix(second), .channels(red: [Self.inverseSmoothstep], green: [], blue: []),
      .cover(Cover(.range(1...1, feather: 1))), .combine(.intersect), .restore,
      .save, .matrix(matrix), .mix(opacity: 1, isMasked: true),
    ]
  }

  /// The weights of (L, a, b) whose sum is 1 for the skin's colour, and 0 or less for colours that
  /// the change would not bring closer to the target; nil if the skin has the target colour.
  private static func distanceLeft(
    from skin: ColourMatrix.Vector, to target: ColourMatrix.Vector
  ) -> ColourMatrix.Vector? {
    let change = SIMD2(target.y - skin.y, target.z - skin.z)
    let preferred = SIMD2(target.y, target.z)
    let across = SIMD2(-target.z, target.y) / max(hypot(target.y, target.z), .leastNormalMagnitude)
    let turn = (change * across).sum()
    let way = chromaWeight * change + (1 - chromaWeight) * turn * across
    let length = (change * way).sum()
    if length < 1e-12 || target.x <= 0 { return nil }
    return .init((preferred * way).sum() / target.x, -way.x, -way.y) / length
  }

  /// The weight of differences in chroma beside those across it.
  private static let chromaWeight = 0.25

  /// Makes the edge of a coverage a straight line.
  private static let inverseSmoothstep = Curve.sampled(
    (0...256).map { 0.5 - sin(asin(1 - Double($0) / 128) / 3) })

  /// The OKLab colour of linear light.
  private static func lab(_ light: ColourMatrix.Vector) -> ColourMatrix.Vector {
    OKLab.labFromLMS(OKLab.lmsFromRGB(light).mapped(.cubeRoot))
  }

  public func correction(of light: ColourMatrix.Vector) -> ColourMatrix {
    correction(of: light, strength: strength)
  }

  private func correction(of light: ColourMatrix.Vector, strength: Double) -> ColourMatrix {
    let skin = SRGB.xyzFromRGB(light)
    let found = UniformChromaticity.uv(skin)
    let way = UniformChromaticity.uv(wanted(LabColour.lightness(skin)).xyz) - found
    let length = (way * way).sum().squareRoot()
    let part = strength * min(1, Self.farthest / max(length, .leastNormalMagnitude))
    let adapted = Bradford.adaptation(
      from: UniformChromaticity.xyz(found), to: UniformChromaticity.xyz(found + part * way))
    let white = Primaries.xyz(Primaries.d65)
    let kept = ColourMatrix.diagonal(.init(repeating: 1 / adapted(white).y)).after(adapted)
    return SRGB.rgbFromXYZ.after(kept).after(SRGB.xyzFromRGB)
  }

  /// The chroma in OKLab below which skin is taken for that of a black-and-white photo.
  private static let leastChroma = 0.004

  /// The upper limit of the distance, in CIE 1960 uv, between the present and the preferred colour.
  private static let farthest = 0.06

  /// The preferred skin colour at a lightness.
  private func wanted(_ lightness: Double) -> LabColour {
    LabColour(
      lightness: lightness, chroma: 25 * min(1, lightness / 50) * (1 + 0.4 * warmth),
      hue: 48 + 8 * warmth)
  }
}
