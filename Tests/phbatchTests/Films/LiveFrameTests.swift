import Foundation
import TestSupport
import Testing

/// The visible part of an iPhone's film, and the place of the still image in it.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere && Corpus.isHere)) struct LiveFrameTests {
  /// Edits the film of a Live Photo; returns it, and the rendition.
  private static func edited(
    _ filters: String, more: String = ""
  ) throws -> (film: [UInt8], made: [UInt8], width: [String]) {
    let place = try Workplace([])
    let source = try #require(Corpus.folder) + "/live/edit/IMG_5492.mov"
    try FileManager.default.copyItem(atPath: source, toPath: place.path("photos/a.mov"))
    try place.writeFilmRecipe(
      #""format": "mov", "codec": "h264", "effort": 0\#(more)"#, filters: filters)
    let run = try place.run()
    #expect(run.code == 0, "\(run.output + run.messages)")
    let width = try FFmpeg.probe(
      place.path("photos/a.part.mov"), "stream=width", ["-select_streams", "v"])
    return (try place.read("a.mov"), try place.read("a.part.mov"), width)
  }

  /// The box `clap` of a film; nil if it has none.
  private static func visiblePart(_ film: [UInt8]) -> [UInt8]? {
    film.firstRange(of: [0, 0, 0, 40] + Array("clap".utf8)).map {
      Array(film[$0.lowerBound..<min(film.count, $0.lowerBound + 40)])
    }
  }

  private static let place = Array("live-photo-still-image-transform".utf8)
  private static let time = Array("com.apple.quicktime.still-image-time".utf8)

  @Test(arguments: ["", #", "from": "1.3s", "to": "1.6s""#])
  func anEditInTheSameFrameKeepsThem(_ part: String) throws {
    let (film, made, width) = try Self.edited(
      #"{ "filter": "exposure", "stops": 0.3 }"#, more: part)
    #expect(width == ["1920"])
    #expect(Self.visiblePart(made) != nil)
    #expect(Self.visiblePart(made) == Self.visiblePart(film))
    #expect(try ExifTool.tags(of: made)["Track1:CleanApertureDimensions"] == "1744 1308")
    #expect(made.firstRange(of: Self.time) != nil && made.firstRange(of: Self.place) != nil)
  }

  @Test(arguments: ["", #", "from": "1.3s", "to": "1.6s""#])
  func aCropDropsThem(_ part: String) throws {
    let (_, made, width) = try Self.edited(
      #"{ "filter": "crop", "left": "40%", "top": "40%", "width": "10%", "height": "10%" }"#,
      more: part)
    #expect(width == ["192"])
    #expect(Self.visiblePart(made) == nil)
    #expect(try ExifTool.tags(of: made)["Track1:CleanApertureDimensions"] == nil)
    #expect(made.firstRange(of: Self.time) != nil && made.firstRange(of: Self.place) == nil)
  }

  /// A crop that has the size of the film by chance shows other margins.
  @Test func aCropThatIsEnlargedDropsThem() throws {
    let (_, made, width) = try Self.edited(
      """
      { "filter": "crop", "left": "25%", "top": "25%", "width": "50%", "height": "50%" },
      { "filter": "resize", "percent": 200, "enlarge": true }
      """, more: #", "from": "1.3s", "to": "1.6s""#)
    #expect(width == ["1920"])
    #expect(Self.visiblePart(made) == nil)
    #expect(try ExifTool.tags(of: made)["Track1:CleanApertureDimensions"] == nil)
  }
}
