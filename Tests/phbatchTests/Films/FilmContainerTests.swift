import Foundation
import TestSupport
import Testing

/// Films in containers that cannot store their codec or their sound.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmContainerTests {
  private func recipe(_ place: Workplace, _ outputs: String, filters: String) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.containers", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ \(outputs) ] }
      """, to: "recipe.json")
  }

  private static let exposure = #"{ "filter": "exposure", "stops": 0.3 }"#

  /// A film, the outputs of a recipe, and a part of the message about the film.
  struct Refusal: Sendable, CustomStringConvertible {
    let kind: FilmCommandTests.Kind
    let outputs: String
    let message: String

    var description: String { outputs }
  }

  /// Sound in a codec that MP4 can store and WebM cannot, and that is not decoded.
  private static let mp2 = FilmCommandTests.Kind(
    name: "mp2.mkv", options: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "mp2"],
    format: "mp4")

  private static let webM =
    "webm cannot store the film's sound in 'mp2', and it cannot be converted; the format mp4 can store"

  static let refusals = [
    Refusal(
      kind: mp2, outputs: #"{ "name": "a", "format": "webm", "codec": "vp9" }"#,
      message: webM),
    // The encoder of AV1 is ended before it has got a frame.
    Refusal(
      kind: mp2, outputs: #"{ "name": "a", "format": "webm", "codec": "av1" }"#,
      message: webM),
    Refusal(
      kind: mp2,
      outputs: #"{ "name": "a", "format": "mp4", "codec": "av1" }, "#
        + #"{ "name": "b", "format": "webm" }"#, message: webM),
    Refusal(
      kind: FilmCommandTests.Kind(
        name: "adpcm.mkv",
        options: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "adpcm_ms"], format: "mp4"),
      outputs: #"{ "name": "a", "format": "mp4" }"#,
      message: "mp4 cannot store the film's sound in 'adpcm_ms', and it cannot be converted"),
  ]

  @Test(arguments: refusals) func aFilmWhoseSoundCannotBeConvertedIsRefusedAtOnce(
    _ refusal: Refusal
  ) throws {
    let place = try Workplace([])
    let name = refusal.kind.name
    try FFmpeg.makeFilm(place.path("photos/\(name)"), refusal.kind.options)
    try recipe(place, refusal.outputs, filters: Self.exposure)
    let result = try Command.run([
      "run", place.path("recipe.json"), place.library, "--format", "json",
    ])
    #expect(try result.reasons == [name: "unsupported-format"])
    #expect(result.output.contains(refusal.message), "\(result.output)")
    #expect(try place.names() == [name])
  }

  /// MOV stores neither VP9 nor AV1, so `source` is H.264.
  @Test(arguments: [["libvpx-vp9", "-cpu-used", "8"], ["libsvtav1", "-preset", "12"]])
  func aFilmWhoseCodecMOVCannotStoreBecomesH264(_ encoder: [String]) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mp4")
    try FFmpeg.makeFilm(
      film, ["-c:v"] + encoder + ["-pix_fmt", "yuv420p", "-c:a", "aac"])
    for filters in [Self.exposure, ""] {
      try recipe(place, #"{ "name": "film", "format": "mov" }"#, filters: filters)
      #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
      let made = place.path("photos/a.film.mov")
      let picture = ["-select_streams", "v"]
      #expect(try FFmpeg.probe(made, "stream=codec_name", picture) == ["h264"])
      #expect(try FFmpeg.times(made) == FFmpeg.times(film))
      #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    }
  }

  /// Each converted track needs an encoder, so there are at most 32.
  @Test func moreThan32TracksAreLeftOutWithAWarning() throws {
    let place = try Workplace([])
    let maps = Array(repeating: ["-map", "1:a"], count: 34).flatMap(\.self)
    try FFmpeg.makeFilm(
      place.path("photos/a.mov"),
      ["-map", "0:v"] + maps + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    try recipe(
      place, #"{ "name": "film", "format": "mp4" }, { "name": "own", "format": "mov" }"#,
      filters: Self.exposure)
    let run = try place.run()
    #expect(run.code == 0)
    #expect(
      run.messages.contains(
        "not in 'film': the film's sound after 32 tracks, because no more are converted"),
      "\(run.messages)")
    #expect(!run.messages.contains("not in 'own'"))
    for (file, count) in [("a.film.mp4", 32), ("a.own.mov", 34)] {
      let made = place.path("photos/\(file)")
      let sound = try FFmpeg.probe(made, "stream=codec_type", ["-select_streams", "a"])
      #expect(sound.count == count, "\(file)")
    }
  }

  /// AAC states unusual layouts in its own header.
  @Test(arguments: [("3.1", 4), ("6.1", 7), ("hexadecagonal", 16)])
  func unusualLayoutsAreKeptInAAC(_ layout: String, _ count: Int) throws {
    let place = try Workplace([])
    let sources = Array(repeating: "0.2*sin(2*PI*440*t)", count: count).joined(separator: "|")
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-f", "lavfi", "-i"]
        + ["aevalsrc=\(sources):s=48000:d=1:c=\(layout)", "-c:v", "libx264"]
        + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"], to: place.path("photos/a.mov"))
    try recipe(place, #"{ "name": "film", "format": "mp4" }"#, filters: Self.exposure)
    let run = try place.run()
    #expect(run.code == 0 && !run.messages.contains("warning"), "\(run.messages)")
    let made = place.path("photos/a.film.mp4")
    let sound = ["-select_streams", "a"]
    #expect(try FFmpeg.probe(made, "stream=codec_name,channels", sound) == ["aac,\(count)"])
  }
}
