import Foundation
import TestSupport
import Testing

/// Films whose groups of pictures are open: frames refer to frames before the last key frame.
@Suite(.enabled(if: FFmpeg.isHere)) struct OpenGroupTests {
  private static let open =
    ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=10:min-keyint=10:bframes=3:scenecut=0"]
    + ["-pix_fmt", "yuv420p"]

  private static func film(_ place: Workplace, _ name: String) throws -> String {
    let path = place.path(name)
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"]
        + ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"] + open + ["-c:a", "aac"],
      to: path)
    return path
  }

  private static let exposure = #"{ "filter": "exposure", "stops": 0.2 }"#

  /// A part and a frame can begin at any frame.
  @Test(arguments: ["mp4", "mov"], [0.6, 0.8, 1.04])
  func partsAndFramesBeginAnywhere(_ format: String, _ from: Double) throws {
    let place = try Workplace([])
    let film = try Self.film(place, "photos/a.\(format)")
    let start = #""from": "\#(from)s", "to": "1.6s""#
    try place.writeFilmRecipe(
      #""format": "\#(format)", \#(start) }, { "name": "changed", "format": "\#(format)", "#
        + #"\#(start), "filters": [ \#(Self.exposure) ] }, "#
        + #"{ "name": "frame", "format": "png", "frame": "\#(from)s""#)
    let run = try place.run()
    #expect(run.code == 0, "\(run.messages)")
    let first = Int((from * 25).rounded())
    let part = place.path("photos/a.part.\(format)")
    for number in [0, 1, 39 - first] {
      #expect(
        try FFmpeg.frame(number, of: part) == FFmpeg.frame(first + number, of: film), "\(number)")
    }
    for made in [part, place.path("photos/a.changed.\(format)")] {
      expectEqualTimes(
        try FFmpeg.times(made).compactMap(Double.init),
        (0..<(40 - first)).map { 0.04 * Double($0) })
    }
    let frame = try FFmpeg.frame(0, of: place.path("photos/a.frame.png"))
    let wanted = try FFmpeg.frame(first, of: film)
    #expect(zip(frame, wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +) < 8 * frame.count)
  }

  /// A film without its first packets begins with an open group, as after a cut in a phone.
  @Test(arguments: ["mp4", "mov", "mkv"])
  func aFilmCanBeginWithAnOpenGroup(_ container: String) throws {
    let place = try Workplace([])
    let whole = try Self.film(place, "whole.mp4")
    let film = place.path("photos/a.\(container)")
    try FFmpeg.encode(["-ss", "1", "-i", whole, "-c", "copy"], to: film)
    let format = container == "mkv" ? "mp4" : container
    try place.writeFilmRecipe(#""format": "\#(format)""#, filters: Self.exposure)
    let run = try place.run()
    #expect(run.code == 0, "\(run.messages)")
    #expect(try FFmpeg.times(place.path("photos/a.part.\(format)")) == FFmpeg.times(film))
  }
}
