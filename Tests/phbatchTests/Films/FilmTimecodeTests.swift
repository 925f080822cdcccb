import TestSupport
import Testing

/// Timecodes of films and of their parts; ffprobe reads them.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmTimecodeTests {
  private func timecodes(_ path: String) throws -> Set<String> {
    Set(try FFmpeg.probe(path, "stream_tags=timecode").filter { !$0.isEmpty })
  }

  private func place(rate: String, _ timecode: String) throws -> Workplace {
    let place = try Workplace([])
    try FFmpeg.makeFilm(
      place.path("photos/a.mov"), rate: rate,
      ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-timecode", timecode])
    return place
  }

  /// The rate of a film, the start of its timecode, the start of a part, and the timecode there.
  static let parts = [
    ("25", "01:00:00:00", "0.4s", "01:00:00:10"), ("25", "01:00:00:00", "0s", "01:00:00:00"),
    // The numbers 00 and 01 of a minute are skipped.
    ("30000/1001", "00:00:59;28", "0.1001s", "00:01:00;03"),
    ("30000/1001", "00:00:59:28", "0.1001s", "00:01:00:01"),
    ("24", "10:00:00:00", "25%", "10:00:00:06"),
  ]

  @Test(arguments: parts.indices) func aPartBeginsWithItsOwnTimecode(_ number: Int) throws {
    let (rate, whole, start, wanted) = Self.parts[number]
    let place = try place(rate: rate, whole)
    #expect(try timecodes(place.path("photos/a.mov")) == [whole])
    let formats = ["mov", "mp4", "webm"]
    let outputs = formats.map { #"{ "name": "\#($0)", "format": "\#($0)", "from": "\#(start)" }"# }
    for filters in ["", #"{ "filter": "exposure", "stops": 0.2 }"#] {
      try place.folder.write(
        """
        { "identifier": "org.example.timecode", "version": "1.0.0",
          "filters": [ \(filters) ], "outputs": [ \(outputs.joined(separator: ", ")) ] }
        """, to: "recipe.json")
      #expect(try place.run().code == 0)
      for format in formats {
        let found = try timecodes(place.path("photos/a.\(format).\(format)"))
        #expect(found == [wanted], "\(format) \(filters)")
      }
    }
  }

  @Test func aWholeFilmKeepsItsTimecode() throws {
    let place = try place(rate: "25", "01:00:00:00")
    for format in ["mov", "mp4"] {
      try place.writeFilmRecipe(
        #""format": "\#(format)""#, filters: #"{ "filter": "exposure", "stops": 0.2 }"#)
      #expect(try place.run("recipe", "--strict").code == 0)
      #expect(try timecodes(place.path("photos/a.part.\(format)")) == ["01:00:00:00"])
    }
  }
}
