import PhotoRecipes
import Testing

/// Rectangles that hold what is interesting.
@Suite struct SmartCropTests {
  /// Coloured noise from 150 to 190 of 240 columns; the rest is a plain wall.
  private static let photo: Samples = {
    let noise = Samples.noise(240, 80)
    return Samples(240, 80) { x, y in (150..<190).contains(x) ? noise[x, y] : [90, 90, 90] }
  }()

  /// The first column of the photo that is kept, found by a pixel of the noise.
  private static func start(_ settings: String) throws -> Int? {
    let found = try SmartCrop.applied(to: photo, #""aspect": "1:1"\#(settings)"#)
    try #require(found.width == 80 && found.height == 80)
    return (0...160).first { photo.part($0, 0, 80, 80) == found }
  }

  @Test(arguments: ["", #", "strategy": "attention""#, #", "strategy": "entropy""#])
  func theInterestingPartIsKept(_ strategy: String) throws {
    let start = try #require(try Self.start(strategy))
    #expect((110...150).contains(start), "\(start)")
  }

  /// Columns 110 to 189 have the point in their middle; near an end the frame stops it.
  @Test func aFocusStandsInTheMiddle() throws {
    let middle = try Self.start(#", "strategy": "focal", "focus": [0.625, 0.5]"#)
    #expect(middle == 110)
    let end = try Self.start(#", "strategy": "focal", "focus": [0.99, 0.5]"#)
    #expect(end == 160)
  }

  @Test func aShapeIsNeededAndAFocusOnlyForFocal() {
    SmartCrop.expectRefusal(of: "", "aspect")
    SmartCrop.expectRefusal(
      of: #""aspect": "1:1", "strategy": "entropy", "focus": [0.5, 0.5]"#, "keeps no point")
  }
}
