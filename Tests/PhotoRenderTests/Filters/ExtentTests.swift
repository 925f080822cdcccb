import TestSupport
import Testing

/// Radii and sizes that a recipe gives as parts of the frame.
@Suite struct ExtentTests {
  private static func photo(_ width: Int) throws -> [UInt8] {
    try Samples.noise(width, width / 2).file()
  }

  /// A radius stated as a part of the frame equals that part of the longer edge in pixels, at every
  /// size of the frame.
  @Test(arguments: [
    (#""filter": "blur", "radius": "#, "1%", 0.01),
    (#""filter": "soften", "amount": 0.7, "radius": "#, "1.5%", 0.015),
    (#""filter": "bloom", "amount": 1, "radius": "#, "0.75%", 0.0075),
    (#""filter": "tiltShift", "radius": "#, "2%", 0.02),
    (#""filter": "sharpen", "amount": 1, "halo": 0.5, "radius": "#, "0.75%", 0.0075),
    (#""filter": "grain", "amount": 0.5, "size": "#, "0.5%", 0.005),
  ])
  func aRadiusAsAPartOfTheFrameEqualsThatManyPixels(
    _ step: String, _ part: String, _ factor: Double
  ) throws {
    for width in [400, 800] {
      let photo = try Self.photo(width)
      let expected = try Studio.develop(photo, "[{\(step)\(factor * Double(width))}]")
      #expect(try Studio.develop(photo, #"[{\#(step)"\#(part)"}]"#) == expected, "\(width)")
      #expect(expected != photo)
    }
  }

  /// A part that is smaller than the smallest allowed radius is rendered with the smallest radius.
  @Test func aTooSmallPartOfTheFrameBecomesTheSmallestRadius() throws {
    let photo = try Self.photo(400)
    func sharpened(_ radius: String) throws -> [UInt8] {
      try Studio.develop(photo, #"[{"filter": "sharpen", "amount": 1, "radius": \#(radius)}]"#)
    }
    #expect(try sharpened(#""0.01%""#) == sharpened("0.3"))
  }

  /// If a radius in pixels is too small to have an effect, the same radius as a part of the frame
  /// has no effect either.
  @Test(arguments: [
    #""filter": "blur", "radius": "0%""#, #""filter": "blur", "radius": "0.05%""#,
    #""filter": "blur", "kind": "motion", "radius": "0.05%""#,
    #""filter": "blur", "kind": "zoom", "radius": "0.0001%""#,
    #""filter": "tiltShift", "radius": "0.2%""#,
  ])
  func aVerySmallPartOfTheFrameHasNoEffect(_ step: String) throws {
    let photo = try Self.photo(400)
    #expect(try Studio.develop(photo, "[{\(step)}]") == Studio.develop(photo, "[]"))
  }
}
