import Foundation
import TestSupport
import Testing

/// Tracks beside the picture, in films whose container changes; ffprobe checks the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmTrackTests {
  private static let exposure = #"{ "filter": "exposure", "stops": 0.2 }"#

  /// Makes a film with H.264 and AAC, and with a text as subtitles or as chapters.
  private func makeFilm(
    _ place: Workplace, _ name: String, adding text: String, as file: String,
    _ options: [String]
  ) throws {
    let plain = place.path("plain.mp4")
    try FFmpeg.makeFilm(plain, ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"])
    try place.folder.write(text, to: file)
    try FFmpeg.run(
      ["-i", plain, "-i", place.path(file), "-c", "copy"] + options
        + [place.path("photos/\(name)")])
  }

  @Test func aSubtitleEndsWithThePart() throws {
    let place = try Workplace([])
    let subtitles = "1\n00:00:00,100 --> 00:00:01,000\nLong\n\n"
    try makeFilm(
      place, "a.mp4", adding: subtitles, as: "text.srt",
      ["-map", "0", "-map", "1", "-c:s", "mov_text"])
    try place.writeFilmRecipe(
      #""format": "mov", "from": "0.2s", "to": "0.6s" }, "#
        + #"{ "name": "own", "format": "mp4", "from": "0.2s", "to": "0.6s""#)
    #expect(try place.run().code == 0)
    for file in ["a.part.mov", "a.own.mp4"] {
      let times = try FFmpeg.probe(
        place.path("photos/\(file)"), "packet=pts_time,duration_time", ["-select_streams", "s"])
      #expect(times == ["0.000000,0.400000"], "\(file)")
    }
  }

  /// The muxer writes the chapters and the timecode, so their tracks are not missing.
  @Test func chaptersAndTimecodesAreNotReportedAsMissing() throws {
    let place = try Workplace([])
    let chapters = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=Start\n"
    try makeFilm(
      place, "a.mov", adding: chapters, as: "chapters.txt",
      ["-map_metadata", "1", "-timecode", "01:00:00:00"])
    let film = place.path("photos/a.mov")
    #expect(try FFmpeg.probe(film, "stream=codec_type").filter { $0 == "data" }.count == 2)
    try place.writeFilmRecipe(
      #""format": "mp4" }, { "name": "web", "format": "webm""#, filters: Self.exposure)
    let run = try place.run("recipe", "--strict")
    #expect(run.code == 0, "\(run.output + run.messages)")
    for file in ["a.part.mp4", "a.web.webm"] {
      let made = place.path("photos/\(file)")
      #expect(try FFmpeg.probe(made, "chapter_tags=title") == ["Start"], "\(file)")
      #expect(try FFmpeg.probe(made, "stream_tags=timecode").contains("01:00:00:00"), "\(file)")
    }
  }

  /// MKV states no duration of packets with these codecs.
  @Test(arguments: ["aac", "alac"]) func theLastPacketOfSoundIsHeard(_ codec: String) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mkv")
    try FFmpeg.makeFilm(film, ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", codec])
    try place.writeFilmRecipe(
      #""format": "mov" }, { "name": "other", "format": "mp4""#, filters: Self.exposure)
    #expect(try place.run().code == 0)
    let sound = ["-select_streams", "a"]
    // ffprobe leaves out packets after the end that the edit list states.
    let packets = try FFmpeg.probe(film, "packet=size", sound)
    for file in ["a.part.mov", "a.other.mp4"] {
      let made = place.path("photos/\(file)")
      #expect(try FFmpeg.probe(made, "packet=size", sound) == packets, "\(file)")
    }
  }
}
