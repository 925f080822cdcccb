import Foundation
import TestRandom
import TestSupport
import Testing

/// Films in HLG and PQ inside motion photos and beside Live Photos: they are edited with the photo,
/// and keep light above white.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct HDRPairTests {
  private static let entries =
    "stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries"

  private static func coding(_ film: String) throws -> [String] {
    try FFmpeg.probe(film, entries, ["-select_streams", "v"])
  }

  /// A library with the Live Photo `a.jpg` and `a.mov` of 128×96 pixels.
  private static func livePhoto(_ coding: HDRFilmTests.Coding) throws -> LivePhotoPlace {
    let live = try LivePhotoPlace()
    let key = "com.apple.quicktime.content.identifier=\(LivePhotoPlace.identifier)"
    try HDRFilmTests.makeFilm(
      live.path("a.mov"), coding, hasSound: true,
      ["-metadata", key, "-movflags", "use_metadata_tags"])
    return live
  }

  private static func exposure(_ stops: Double) -> String {
    #"{ "filter": "exposure", "stops": \#(stops) }"#
  }

  @Test(arguments: TestVolume.pairs(HDRFilmTests.codings, [-1, 0.5]))
  func theFilmOfALivePhotoKeepsItsLight(_ coding: HDRFilmTests.Coding, _ stops: Double) throws {
    let live = try Self.livePhoto(coding)
    let photo = try SyntheticPhoto.jpeg(width: 256, height: 192)
    try live.place.folder.write(
      LivePhotoFile.photo(photo, identifier: LivePhotoPlace.identifier), to: "photos/a.jpg")
    try live.recipe(filters: Self.exposure(stops))
    let result = try live.place.run()
    #expect(result.code == 0 && !result.messages.contains("film"), "\(result.messages)")
    #expect(!result.messages.contains("compressed"), "\(result.messages)")
    let (film, made) = (live.path("a.mov"), live.path("a.out.mov"))
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try Self.coding(made) == ["hevc,yuv420p10le,bt2020nc,\(coding.name),bt2020"])
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    #expect(try !FFmpeg.soundDigests(made).isEmpty)
    let found = try HDRFilmTests.differences(made, from: film, stops, coding)
    #expect(found.mean < 0.004 && found.most < 0.03, "\(found)")
    #expect(try live.verify().code == 0)
    #expect(try live.place.reasons().reasons == ["a.jpg": "up-to-date"])
    let first = try live.place.read("a.out.mov")
    _ = try Command.run(["revert", live.path("a.jpg"), "--yes"])
    #expect(try live.place.run("recipe", "--redo").code == 0)
    #expect(try live.place.read("a.out.mov") == first)
  }

  /// A crop, a filter that measures the photo, and a recipe without a change.
  @Test func cropsMeasuresAndCopiesAreThoseOfAllFilms() throws {
    let live = try Self.livePhoto(HDRFilmTests.codings[1])
    try live.recipe(
      filters: LivePhotoPlace.edit + #", { "filter": "autoLevels" }, { "filter": "vignette" }"#)
    let result = try live.place.run()
    #expect(result.code == 0 && !result.messages.contains("film is not"), "\(result.messages)")
    try live.expectPair("a.out.jpg", "a.out.mov")
    let made = live.path("a.out.mov")
    #expect(
      try FFmpeg.probe(made, "stream=width,height", ["-select_streams", "v"]) == ["64,42"])
    #expect(try Self.coding(made) == ["hevc,yuv420p10le,bt2020nc,arib-std-b67,bt2020"])
    try live.recipe(filters: "")
    #expect(try live.place.run().code == 0)
    let (old, new) = (try live.place.read("a.mov"), try live.place.read("a.out.mov"))
    #expect(old.count == new.count && zip(old, new).count { $0 != $1 } <= 36)
  }

  @Test func theFilmOfAMotionPhotoKeepsItsLight() throws {
    let place = try Workplace([])
    let coding = HDRFilmTests.codings[1]
    try HDRFilmTests.makeFilm(place.path("film.mp4"), coding, hasSound: true)
    let film = try place.folder.read("film.mp4")
    let photo = MotionPhotoFile.photo(
      try SyntheticPhoto.jpeg(width: 256, height: 192),
      saying: MotionPhotoFile.listing(film.count))
    try place.folder.write(photo + film, to: "photos/a.jpg")
    try place.folder.write(
      """
      { "identifier": "org.example.motion", "version": "1.0.0",
        "filters": [ \(Self.exposure(-1)) ],
        "outputs": [ { "name": "out", "format": "jpeg", "metadata": "all" } ] }
      """, to: "recipe.json")
    let result = try place.run()
    #expect(result.code == 0 && !result.messages.contains("film"), "\(result.messages)")
    let bytes = try place.read("a.out.jpg")
    let tags = try ExifTool.tags(of: bytes)
    let length = try #require(tags.first { $0.key.hasSuffix("DirectoryItemLength") }?.value)
    try place.folder.write(Array(bytes.suffix(try #require(Int(length)))), to: "made.mp4")
    let made = place.path("made.mp4")
    #expect(try Self.coding(made) == ["hevc,yuv420p10le,bt2020nc,arib-std-b67,bt2020"])
    #expect(try FFmpeg.times(made) == FFmpeg.times(place.path("film.mp4")))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(place.path("film.mp4")))
    let found = try HDRFilmTests.differences(made, from: place.path("film.mp4"), -1, coding)
    #expect(found.mean < 0.004 && found.most < 0.03, "\(found)")
  }
}
