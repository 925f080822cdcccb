import PhotoRecipes
import TestSupport
import Testing

/// A crop keeps a rectangle of the photo, with unchanged pixels.
@Suite struct CropFilterTests {
  private static let photo = Samples.noise(60, 40, maximum: 65_535)

  @Test(arguments: [
    (#""left": 7, "top": 5, "width": 20, "height": 11"#, [7, 5, 20, 11]),
    (#""right": "25%", "bottom": 10"#, [0, 0, 45, 30]),
    (#""width": 0.5, "height": 10, "gravity": "southeast""#, [30, 30, 30, 10]),
    (#""aspect": "1:1""#, [10, 0, 40, 40]),
    (#""aspect": "3:1", "gravity": "north""#, [0, 0, 60, 20]),
  ])
  func croppedPixelsAreUnchanged(_ settings: String, _ box: [Int]) throws {
    let found = try CropFilter.applied(to: Self.photo, settings)
    #expect(found == Self.photo.part(box[0], box[1], box[2], box[3]))
  }

  @Test func contradictorySettingsOfACropAreRefused() throws {
    CropFilter.expectRefusal(of: #""left": 1, "right": 1, "width": 5"#, "'left', 'right' and")
    CropFilter.expectRefusal(of: #""left": 1, "aspect": "1:1""#, "both 'aspect' and edges")
    CropFilter.expectRefusal(of: #""width": 0"#, "remove the whole photo")
    CropFilter.expectRefusal(of: #""left": 0.6, "right": 0.4"#, "remove the whole photo")
    CropFilter.expectRefusal(of: #""bottom": 1.0"#, "remove the whole photo")
    try CropFilter.expectNoChange(#""gravity": "north""#)
  }
}
