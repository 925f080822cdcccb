import Foundation
import TestSupport
import Testing

/// Filters that measure places of a film measure them in each frame.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmPlacesTests {
  /// A dark square moves along a bright, striped wall.
  private static let source =
    "color=c=black:s=320x240:r=10:d=2,format=gray,geq=lum='if(lt(abs(X-60-12*N),45)*lt(abs(Y-120),"
    + "70),40+20*lt(mod(X,20),10),170+20*lt(mod(X,20),10))',format=yuv420p"

  /// The largest mean difference of a block of 16 × 16 pixels between two grey pictures.
  private static func difference(
    _ one: [UInt8], _ other: [UInt8], _ width: Int = 320, _ height: Int = 240
  ) -> Double {
    let edge = 16
    var largest = 0.0
    for top in stride(from: 0, to: height, by: edge) {
      for left in stride(from: 0, to: width, by: edge) {
        var sum = 0
        for y in top..<(top + edge) {
          for x in left..<(left + edge) {
            sum += abs(Int(one[y * width + x]) - Int(other[y * width + x]))
          }
        }
        largest = max(largest, Double(sum) / Double(edge * edge))
      }
    }
    return largest
  }

  private static func grey(_ path: String, _ seek: [String] = []) throws -> [UInt8] {
    try FFmpeg.run(
      seek + ["-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
  }

  @Test(arguments: [
    #"{ "filter": "clarity", "amount": 1 }"#, #"{ "filter": "shadows", "amount": 0.6 }"#,
    #"{ "filter": "clahe", "clipLimit": 6, "strength": 1 }"#,
    #"{ "filter": "clarity", "amount": 0.5 }, { "filter": "highlights", "amount": -0.5 }"#,
  ])
  func aFrameOfAFilmIsThatFrameAsAPhoto(_ filters: String) throws {
    let place = try Workplace([])
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", Self.source, "-c:v", "libx264", "-crf", "4"],
      to: place.path("photos/a.mp4"))
    try place.folder.write(
      """
      { "identifier": "org.example.places", "version": "1.0.0", "filters": [ \(filters) ],
        "outputs": [ { "name": "film", "format": "mp4", "quality": 100, "effort": 1 },
                     { "name": "still", "format": "png", "frame": "1.8s" } ] }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let still = try Self.grey(place.path("photos/a.still.png"))
    let film = try Self.grey(place.path("photos/a.film.mp4"), ["-ss", "1.8"])
    let original = try Self.grey(place.path("photos/a.mp4"), ["-ss", "1.8"])
    #expect(still.count == 320 * 240 && film.count == still.count)
    #expect(Self.difference(original, still) > 3)
    #expect(Self.difference(film, still) < 2.5)
  }

  /// The film of a Live Photo is measured frame by frame, not as its photo.
  @Test(.enabled(if: ExifTool.isHere)) func theFilmOfALivePhotoIsMeasuredByFrames() throws {
    let live = try LivePhotoPlace()
    try live.recipe(LivePhotoPlace.keeping, filters: #"{ "filter": "clarity", "amount": 1 }"#)
    #expect(try live.place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    let alone = try Workplace([])
    try FileManager.default.copyItem(
      atPath: live.path("a.mov"), toPath: alone.path("photos/b.mov"))
    try alone.folder.write(
      """
      { "identifier": "org.example.alone", "version": "1.0.0",
        "filters": [ { "filter": "clarity", "amount": 1 } ],
        "outputs": [ { "name": "out", "format": "png", "frame": "100%" } ] }
      """, to: "recipe.json")
    #expect(try alone.run().code == 0)
    let still = try Self.last(alone.path("photos/b.out.png"))
    let film = try Self.last(live.path("a.out.mov"))
    #expect(still.count == 96 * 64 && film.count == still.count)
    #expect(Self.difference(still, film, 96, 64) < 6)
  }

  /// The last frame of a film of 96 × 64 pixels, or such a picture, in grey.
  private static func last(_ path: String) throws -> [UInt8] {
    try FFmpeg.run(
      ["-i", path, "-map", "0:v:0", "-f", "rawvideo"] + ["-pix_fmt", "gray", "-"]
    ).suffix(96 * 64).map(\.self)
  }
}
