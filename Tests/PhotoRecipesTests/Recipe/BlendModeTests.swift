import Notation
import Testing

@testable import PhotoRecipes

/// The blend modes have the names and formulas of section 10 of W3C's "Compositing and Blending
/// Level 1".
@Suite struct BlendModeTests {
  private typealias Pixel = SIMD3<Double>

  private static let recommended = [
    "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
    "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color",
    "luminosity",
  ]

  private static func recipe(_ mode: String) -> RecipeText {
    RecipeText(filters: #"[{"filter": "exposure", "stops": 1, "blend": "\#(mode)"}]"#)
  }

  private static func mode(_ name: String) throws -> BlendMode {
    try recipe(name).recipe().steps[0].blend
  }

  @Test(arguments: recommended) func theBlendModesOfTheRecommendationAreRead(_ name: String) throws
  {
    // A recipe may contain the spelling "color", but "colour" is always written.
    let written = name.replacing("color", with: "colour")
    #expect(try Self.mode(name).json == .string(written))
    #expect(try Self.mode(written) == Self.mode(name))
  }

  @Test func anUnknownBlendModeIsAnError() {
    for name in ["colored", "Color", "color-"] {
      #expect(!diagnostics(Self.recipe(name)).isEmpty, "\(name)")
    }
  }

  /// Pairs of a backdrop colour and a source colour.
  private static let pairs: [(Pixel, Pixel)] = {
    let levels = [0, 0.2, 0.25, 0.5, 0.7, 1]
    let colours = levels.flatMap { r in levels.map { g in Pixel(r, g, (r + 2 * g) / 3) } }
    return colours.flatMap { backdrop in colours.map { (backdrop, $0) } }
  }()

  private static func expect(
    _ name: String, _ formula: (_ backdrop: Pixel, _ source: Pixel) -> Pixel
  ) throws {
    let mode = try mode(name)
    for (backdrop, source) in pairs {
      let error = mode(source, on: backdrop) - formula(backdrop, source)
      #expect(error.max() < 1e-12 && error.min() > -1e-12, "\(name) \(backdrop) \(source)")
    }
  }

  /// Applies a formula to each channel separately.
  private static func channels(
    _ formula: @escaping (Double, Double) -> Double
  ) -> (Pixel, Pixel) -> Pixel {
    { b, s in Pixel(formula(b.x, s.x), formula(b.y, s.y), formula(b.z, s.z)) }
  }

  @Test func dodgeAndBurnMatchTheFormulas() throws {
    try Self.expect(
      "color-dodge",
      Self.channels { b, s in
        if b == 0 { return 0 }
        if s == 1 { return 1 }
        return min(1, b / (1 - s))
      })
    try Self.expect(
      "color-burn",
      Self.channels { b, s in
        if b == 1 { return 1 }
        if s == 0 { return 0 }
        return 1 - min(1, (1 - b) / s)
      })
  }

  private static func luminosity(_ c: Pixel) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  /// The colour with another luminosity, by the functions `SetLum` and `ClipColor` of the W3C
  /// recommendation.
  private static func with(_ luminosity: Double, _ colour: Pixel) -> Pixel {
    var c = colour + (luminosity - Self.luminosity(colour))
    let (l, n, x) = (Self.luminosity(c), c.min(), c.max())
    if n < 0 { c = l + (c - l) * l / (l - n) }
    if x > 1 { c = l + (c - l) * (1 - l) / (x - l) }
    return c
  }

  @Test func theModeColourTakesHueAndSaturationFromTheSource() throws {
    try Self.expect("color") { b, s in Self.with(Self.luminosity(b), s) }
    try Self.expect("luminosity") { b, s in Self.with(Self.luminosity(s), b) }
  }
}
