import Foundation
import TestSupport
import Testing

/// The languages of tracks; ffprobe reads them.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmLanguageTests {
  /// The languages of ISO 639-2 with two codes: the terminological and the bibliographic code.
  static let pairs = [
    ("sqi", "alb"), ("hye", "arm"), ("eus", "baq"), ("mya", "bur"), ("zho", "chi"), ("ces", "cze"),
    ("nld", "dut"), ("fra", "fre"), ("kat", "geo"), ("deu", "ger"), ("ell", "gre"), ("isl", "ice"),
    ("mkd", "mac"), ("mri", "mao"), ("msa", "may"), ("fas", "per"), ("ron", "rum"), ("slk", "slo"),
    ("bod", "tib"), ("cym", "wel"),
  ]
  /// Some languages with one code; QuickTime has no number of a script for the last four.
  static let others = ["eng", "swe", "jpn", "hrv", "gle", "fao", "nob", "yue", "roh", "gsw"]

  private func languages(_ path: String) throws -> [String] {
    try FFmpeg.probe(path, "stream_tags=language", ["-select_streams", "a"])
  }

  /// Makes a film with one track for each language.
  private func makeFilm(_ path: String, _ languages: [String]) throws {
    let maps = languages.flatMap { _ in ["-map", "1:a"] }
    let texts = languages.enumerated().flatMap { ["-metadata:s:a:\($0)", "language=\($1)"] }
    try FFmpeg.makeFilm(
      path,
      ["-map", "0:v"] + maps + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"] + texts)
  }

  private func run(_ place: Workplace, _ formats: [String]) throws -> CommandResult {
    let outputs = formats.map { #"{ "name": "\#($0)", "format": "\#($0)" }"# }
    try place.folder.write(
      """
      { "identifier": "org.example.language", "version": "1.0.0", "filters": [
        { "filter": "exposure", "stops": 0.2 } ],
        "outputs": [ \(outputs.joined(separator: ", ")) ] }
      """, to: "recipe.json")
    return try place.run("recipe")
  }

  @Test(arguments: ["mp4", "mkv"]) func languagesStayInOtherContainers(
    _ container: String
  ) throws {
    let place = try Workplace([])
    let codes = Self.pairs.map { container == "mkv" ? $0.1 : $0.0 } + Self.others
    try makeFilm(place.path("photos/a.\(container)"), codes)
    #expect(try languages(place.path("photos/a.\(container)")) == codes)
    let result = try run(place, ["mov", "mp4", "webm"])
    #expect(result.code == 0 && !result.messages.contains("language"), "\(result.messages)")
    for format in ["mov", "mp4", "webm"] {
      let wanted = Self.pairs.map { format == "webm" ? $0.1 : $0.0 } + Self.others
      #expect(try languages(place.path("photos/a.\(format).\(format)")) == wanted, "\(format)")
    }
  }

  /// ffmpeg reads other codes than those of ISO 639-2 for some numbers of QuickTime.
  @Test func languagesOfQuickTimeStay() throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mov")
    let stated = ["ger", "sve", "iri", "hr "]
    try makeFilm(film, stated)
    #expect(try languages(film) == stated)
    #expect(try run(place, ["mp4", "webm", "mov"]).code == 0)
    #expect(try languages(place.path("photos/a.mp4.mp4")) == ["deu", "swe", "gle", "hrv"])
    #expect(try languages(place.path("photos/a.webm.webm")) == ["ger", "swe", "gle", "hrv"])
    // The picture is replaced in the film's own container.
    #expect(try languages(place.path("photos/a.mov.mov")) == stated)
  }

  /// MP4 and MOV have no place for codes of other lengths.
  @Test func aLanguageThatCannotBeStoredIsNamed() throws {
    let place = try Workplace([])
    try makeFilm(place.path("photos/a.mkv"), ["de-CH", "deu"])
    let result = try run(place, ["mov", "webm"])
    #expect(result.code == 0)
    let said = result.output + result.messages
    #expect(said.contains("not in 'mov': the film's language 'de-CH' of a track"), "\(said)")
    #expect(!said.contains("not in 'webm'"), "\(said)")
  }
}
