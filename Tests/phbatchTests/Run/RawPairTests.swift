import TestSupport
import Testing

/// Selects one photo of a pair that a camera wrote: a raw photo and a JPEG of the same name.
@Suite struct RawPairTests {
  private static func place() throws -> Workplace {
    let place = try Workplace(["a.jpg", "b.jpg"])
    let file = SyntheticDNG(width: 60, height: 40) { x, _, _ in Double(x) / 100 }
    try place.folder.write(file.bytes, to: "photos/a.dng")
    try place.folder.write(file.bytes, to: "photos/c.dng")
    return place
  }

  @Test func onlyTheJPEGOfARawPairIsRenderedByDefault() throws {
    let place = try Self.place()
    try place.recipe()
    #expect(
      try place.reasons().reasons == [
        "a.dng": "not-selected", "a.jpg": "rendered", "b.jpg": "rendered", "c.dng": "rendered",
      ])
    // The JPEG rendition of `c.dng` is not treated as a JPEG that the camera wrote beside it.
    #expect(try place.reasons().reasons["c.dng"] == "up-to-date")
  }

  @Test func onlyTheRawPhotoOfAPairIsRenderedOnRequest() throws {
    let place = try Self.place()
    try place.recipe(more: #""inputs": {"rawAndJPEG": "raw", "raw": {"look": "linear"}},"#)
    #expect(
      try place.reasons().reasons == [
        "a.dng": "rendered", "a.jpg": "not-selected", "b.jpg": "rendered", "c.dng": "rendered",
      ])
  }

  @Test func bothFilesOfARawPairAreRenderedOnRequest() throws {
    let place = try Self.place()
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{name}.web.{ext}""#,
      more: #""inputs": {"rawAndJPEG": "both"},"#)
    let reasons = try place.reasons().reasons
    #expect(reasons["a.dng"] == "rendered" && reasons["a.jpg"] == "rendered")
  }
}
