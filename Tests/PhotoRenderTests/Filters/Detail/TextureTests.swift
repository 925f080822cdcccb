import PhotoRecipes
import TestSupport
import Testing

/// Fine structure in the midtones: the filter multiplies or divides the odds v ÷ (1 − v) of this
/// structure by 2.5.
@Suite struct TextureTests {
  private static let photo = Samples.grain(around: 0.5, deviation: 0.02, 1200, 600)

  /// The values v are near 0.5, where a change of the odds v ÷ (1 − v) is proportional to the
  /// change of v; so the deviation can be compared with the factor of the odds.
  @Test(arguments: [(1, 2.5), (0.5, 1.581), (-1, 0.4)])
  func detailGrowsAsSaid(_ amount: Double, _ factor: Double) throws {
    let found = try Texture.applied(to: Self.photo, #""amount": \#(amount)"#)
    let gain = found.part(50, 50, 200, 100).deviation / Self.photo.part(50, 50, 200, 100).deviation
    #expect(abs(gain / factor - 1) < 0.25, "\(gain), not \(factor)")
    #expect(abs(found.mean - 0.5) < 0.005)
  }

  /// Broad structures, such as waves of a tenth of the frame, stay unchanged; `clarity` changes
  /// these.
  @Test func broadContrastStays() throws {
    let photo = Samples(300, 60, maximum: 65_535) { x, _ in
      Array(repeating: 32_768 + (x % 60 < 30 ? x % 30 : 30 - x % 30) * 150, count: 3)
    }
    let found = try Texture.applied(to: photo, #""amount": 1"#)
    #expect(abs(found.deviation / photo.deviation - 1) < 0.1)
    try Texture.expectNoChange(#""amount": 0"#)
  }
}
