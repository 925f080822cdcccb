import TestSupport
import Testing
import Vips

/// Truncated photos for which the decoder fills in the missing pixels and reports success.
@Suite struct CutPhotoTests {
  @Test func photosWithMissingPixelsAreReportedAsTruncated() throws {
    let place = try Workplace([])
    try place.recipe()
    let whole = try SyntheticPhoto.jpeg(width: 300, height: 200)
    let half = Array(whole.prefix(whole.count / 2))
    let zeros = [UInt8](repeating: 0, count: whole.count - half.count)
    let restarts = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 300, height: 200), "jpegsave_target",
      ["restart-interval": .integer(4)])
    let gif = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 96, height: 64), "gifsave_target")
    let files: [String: (bytes: [UInt8], reason: String)] = [
      "ended.jpg": (half + [0xFF, 0xD9], "truncated"), "joined.jpg": (half + whole, "truncated"),
      "emptied.jpg": (half + zeros, "truncated"),
      "emptied.gif": (
        gif.prefix(gif.count / 2) + [UInt8](repeating: 0, count: gif.count / 2), "unreadable"
      ),
      "whole.jpg": (whole, "rendered"), "padded.jpg": (whole + zeros, "rendered"),
      "two.jpg": (whole + whole, "rendered"), "restarts.jpg": (restarts, "rendered"),
      "more.jpg": (restarts + Array("and a maker's data \u{00FF}".utf8), "rendered"),
      "whole.gif": (gif, "rendered"),
    ]
    for (name, file) in files { try place.folder.write(file.bytes, to: "photos/\(name)") }
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{name}.{output}.{ext}""#)
    let (reasons, code) = try place.reasons()
    #expect(code == 3)
    #expect(reasons == files.mapValues(\.reason))
  }

  /// Truncation is also detected when a photo is read as separate planes, for one output or
  /// several, in any output format.
  @Test(arguments: [
    [#""name": "a", "format": "png", "filters": [{"filter": "resize", "longEdge": 900}]"#],
    [
      #""name": "a", "format": "jpeg", "filters": [{"filter": "resize", "longEdge": 900}]"#,
      #""name": "b", "format": "png", "filters": [{"filter": "resize", "longEdge": 1500}]"#,
      #""name": "c", "format": "webp", "filters": [{"filter": "resize", "longEdge": 1200}]"#,
    ],
  ])
  func aTruncatedPhotoIsDetectedEvenIfTheDecoderReducesIt(_ outputs: [String]) throws {
    let place = try Workplace([])
    let whole = try SyntheticPhoto.jpeg(width: 2100, height: 1700)
    let most = Array(whole.prefix(whole.count * 2 / 3))
    let files: [String: (bytes: [UInt8], reason: String)] = [
      "cut.jpg": (most, "truncated"), "ended.jpg": (most + [0xFF, 0xD9], "truncated"),
      "whole.jpg": (whole, "rendered"), "padded.jpg": (whole + [0, 0, 0], "rendered"),
    ]
    for (name, file) in files { try place.folder.write(file.bytes, to: "photos/\(name)") }
    try place.recipe(output: outputs.joined(separator: "}, {"))
    let (reasons, _) = try place.reasons()
    #expect(reasons == files.mapValues(\.reason))
  }
}
