import PhotoRecipes
import TestSupport
import Testing

/// The filter `auto` applies automatic white balance, exposure and levels in this order; each one
/// measures the result of the previous one.
@Suite struct AutoTests {
  /// A dim scene in warm light.
  private static let scene = Samples(96, 64) { x, y in
    let tone = 20 + (x / 8 + y / 8 * 5) % 12 * 9
    return [tone * 5 / 4, tone, tone * 3 / 4]
  }

  private static func result(_ filters: String) throws -> Samples {
    try Samples(file: Studio.develop(scene.file(), filters))
  }

  @Test func autoEqualsTheThreeFilters() throws {
    let apart =
      #"[{"filter": "autoWhiteBalance"}, {"filter": "autoExposure"},"#
      + #" {"filter": "autoLevels", "strength": 0.5}]"#
    #expect(try Self.result(#"[{"filter": "auto"}]"#) == Self.result(apart))
    try Auto.expectNoChange(#""strength": 0"#)
  }

  @Test func aDimWarmSceneGetsBrighterAndNeutral() throws {
    let found = try Self.result(#"[{"filter": "auto"}]"#)
    func cast(_ photo: Samples) -> Double {
      let pixels = (0..<96 * 64).map { photo[$0 % 96, $0 / 96] }
      return pixels.reduce(0.0) { $0 + Double($1[0] - $1[2]) } / Double(pixels.count)
    }
    func sum(_ photo: Samples) -> Int { photo.values.reduce(0, +) }
    #expect(abs(cast(found)) < cast(Self.scene) / 3)
    #expect(sum(found) > sum(Self.scene) * 5 / 4)
  }
}
