import Foundation
import TestSupport
import Testing

/// The sidecar of a raw photo records the look that was fitted to the photo.
@Suite struct RawLookTests {
  @Test(.enabled(if: Corpus.isHere))
  func aRawPhotoIsRenderedAgainWithTheRecordedLook() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let place = try Workplace([])
    try place.folder.write([UInt8](Data(contentsOf: URL(filePath: path))), to: "photos/a.cr2")
    func recipe(_ size: Int, highlights: String = "blend") throws {
      let resize = #""filters": [{"filter": "resize", "longEdge": \#(size)}]"#
      try place.recipe(
        output: #""name": "web", "format": "png", "path": "{name}.web.{ext}", \#(resize)"#,
        more: #""inputs": {"raw": {"highlights": "\#(highlights)"}},"#)
    }
    try recipe(200)
    #expect(try place.reasons().reasons["a.cr2"] == "rendered")
    let sidecar = try place.sidecar("a.cr2")
    #expect(sidecar.contains(#""look": {"#) && sidecar.contains(#""curve": "0 0 "#))
    let first = try Samples(file: place.read("a.cr2.web.png"))
    func isGrey(_ picture: Samples) -> Bool {
      (0..<50).allSatisfy { index in
        let pixel = picture[index * 4, index * 2]
        return pixel[0] == pixel[1] && pixel[1] == pixel[2]
      }
    }
    #expect(!isGrey(first))
    // The test removes the saturation from the recorded look; a grey rendition shows that the
    // record is used.
    try place.edit("a.cr2") {
      $0.replacing(/"saturation": [0-9.]+/, with: "\"saturation\": 0, \"xLook\": 1")
    }
    try recipe(220)
    #expect(try place.reasons().reasons["a.cr2"] == "rendered")
    #expect(try place.sidecar("a.cr2").contains("xLook"))
    #expect(isGrey(try Samples(file: place.read("a.cr2.web.png"))))
    // Other settings for the development of the raw photo give another look.
    try recipe(220, highlights: "clip")
    #expect(try place.reasons().reasons["a.cr2"] == "rendered")
    #expect(!isGrey(try Samples(file: place.read("a.cr2.web.png"))))
  }

  /// The key of a recorded look is the same in each process, also with the tables of a DNG file.
  @Test(.enabled(if: Corpus.isHere)) func theKeyOfALookIsTheSameInEachRun() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon_eos_6d.dng") })
    let keys = try (0..<2).map { _ in
      let place = try Workplace([])
      try place.folder.write([UInt8](Data(contentsOf: URL(filePath: path))), to: "photos/a.dng")
      let resize = #""filters": [{"filter": "resize", "longEdge": 100}]"#
      try place.recipe(output: #""name": "web", "format": "png", \#(resize)"#)
      #expect(try place.reasons().reasons["a.dng"] == "rendered")
      return try place.sidecar("a.dng").firstMatch(of: /"key": "([0-9a-f]{16})"/).map { "\($0.1)" }
    }
    #expect(keys[0] != nil && keys[0] == keys[1])
  }
}
