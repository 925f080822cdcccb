import Testing

@testable import PhotoMetadata

@Suite struct EXIFTextTests {
  /// Swift would sort the marks for each comparison of the text.
  @Test(arguments: [(256, true), (258, false), (200_000, false)])
  func aTextWithTooManyCombiningMarksIsNotRead(_ count: Int, _ isRead: Bool) {
    let text = "a" + String(repeating: "\u{301}\u{316}", count: count / 2)
    var exif = EXIF()
    exif.set(.make, text: text)
    #expect((exif.text(.make) != nil) == isRead)
  }
}
