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

  /// Snow below a bright sky, fog, and paper with a pale drawing stay bright, also with a small dark
  /// figure in them, and white stays white.
  @Test(arguments: [false, true])
  func brightScenesStayBright(_ hasFigure: Bool) throws {
    func expectBright(_ name: String, _ tone: (Int, Int) -> Int) throws {
      let photo = Samples(240, 160) { x, y in
        if hasFigure && abs(x - 120) < 6 && abs(y - 90) < 8 { return [128, 40, 40] }
        let tone = tone(x, y)
        return [tone - 3, tone - 1, tone]
      }
      let found = try Auto.applied(to: photo)
      func mean(_ samples: Samples) -> Double {
        Double(samples.values.reduce(0, +)) / Double(samples.values.count)
      }
      #expect(mean(found) >= mean(photo) - 12, "\(name): \(mean(photo)), \(mean(found))")
      let (before, after) = (photo.values.max() ?? 0, found.values.max() ?? 0)
      #expect(after >= before - 4, "\(name): \(before), \(after)")
    }
    try expectBright("snow") { x, y in y < 60 ? 204 + y / 3 : 212 + (x * 7 + y * 13) % 36 }
    try expectBright("fog") { x, y in 172 + y / 8 + (x * 7 + y * 13) % 24 }
    try expectBright("paper") { x, y in
      (60..<120).contains(x) && y > 60 ? 205 + (x + y) % 20 : 241 + (x * 7 + y * 13) % 4
    }
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
