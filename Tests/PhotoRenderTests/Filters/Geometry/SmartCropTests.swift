import PhotoRecipes
import TestSupport
import Testing

/// Crop rectangles that contain the most interesting part of a photo.
@Suite struct SmartCropTests {
  /// A plain wall with coloured noise in columns 150 to 189 of 240.
  private static let photo: Samples = {
    let noise = Samples.noise(240, 80)
    return Samples(240, 80) { x, y in (150..<190).contains(x) ? noise[x, y] : [90, 90, 90] }
  }()

  /// The first column of the photo that is in the crop; the test compares the crop with all
  /// possible crops.
  private static func start(_ settings: String) throws -> Int? {
    let found = try SmartCrop.applied(to: photo, #""aspect": "1:1"\#(settings)"#)
    try #require(found.width == 80 && found.height == 80)
    return (0...160).first { photo.part($0, 0, 80, 80) == found }
  }

  @Test(arguments: ["", #", "strategy": "attention""#, #", "strategy": "entropy""#])
  func theCropKeepsTheMostInterestingPart(_ strategy: String) throws {
    let start = try #require(try Self.start(strategy))
    #expect((110...150).contains(start), "\(start)")
  }

  /// A focus at a given position is in the middle of the crop, except near an edge, where the crop
  /// stops at the frame.
  ///
  /// For a focus at column 150 of 240, the crop is columns 110 to 189.
  @Test func theFocusIsInTheMiddleOfTheCrop() throws {
    let middle = try Self.start(#", "strategy": "focal", "focus": [0.625, 0.5]"#)
    #expect(middle == 110)
    let end = try Self.start(#", "strategy": "focal", "focus": [0.99, 0.5]"#)
    #expect(end == 160)
  }

  @Test func smartCropRequiresAnAspectAndAllowsAFocusOnlyForFocal() {
    SmartCrop.expectRefusal(of: "", "aspect")
    SmartCrop.expectRefusal(
      of: #""aspect": "1:1", "strategy": "entropy", "focus": [0.5, 0.5]"#,
      "'focus' of 'smartCrop' does not work")
  }
}
