import Foundation
import TestRandom
import TestSupport
import Testing

/// Outputs of a part of a film; ffprobe and ffmpeg check the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmPartTests {
  private func recipe(_ place: Workplace, _ output: String, filters: String = "") throws {
    try place.folder.write(
      """
      { "identifier": "org.example.part", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ { "name": "part", \(output) } ] }
      """, to: "recipe.json")
  }

  /// The MD5 digests of the decoded frames, without rotation.
  private func digests(_ path: String) throws -> [String] {
    let output = try FFmpeg.run([
      "-noautorotate", "-i", path, "-map", "0:v:0", "-vsync", "passthrough", "-f", "framemd5", "-",
    ])
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ",").last.map(String.init) ?? "" }
  }

  /// The frames of a film that begin in a range of seconds from its first frame.
  private func frames(
    _ path: String, _ seconds: Range<Double>
  ) throws -> (numbers: [Int], times: [Double]) {
    let times = try FFmpeg.times(path).compactMap(Double.init)
    let numbers = times.indices.filter { number in
      let time = times[number] - times[0] + 1e-6
      return seconds.contains(time)
    }
    return (numbers, numbers.map { times[$0] - times[numbers[0]] })
  }

  private func expectEqual(_ found: [Double], _ wanted: [Double]) {
    #expect(found.count == wanted.count)
    for (first, second) in zip(found, wanted) { #expect(abs(first - second) < 0.002) }
  }

  /// Real films of several cameras, and a part of each in seconds.
  static let films: [(path: String, format: String, part: Range<Double>)] = [
    ("video/android-vfr.mp4", "mp4", 0.5..<1.2), ("video/lychee/train.mov", "mov", 0.4..<0.9),
    ("live/edit/IMG_5492.mov", "mov", 1..<2),
    ("video/metadata-extractor/with-gps.mov", "mov", 1.5..<3),
    ("video/photoprism/earth.mov", "mov", 8.4..<9), ("video/pixel-vp9.mp4", "mp4", 1..<2),
    ("video/h265-10bit.mp4", "mp4", 0.3..<0.7), ("video/rotated-3gp5.mp4", "mp4", 0.5..<1),
  ]

  /// Without other changes, a part has the packets of the film: exactly the frames of the range,
  /// with the same pixels.
  @Test(.enabled(if: Corpus.isHere), arguments: films.indices)
  func aPartOfARealFilmHasItsFrames(_ number: Int) throws {
    let (path, format, part) = Self.films[number]
    let source = try #require(Corpus.folder) + "/" + path
    let place = try Workplace([])
    let film = place.path("photos/a.\(format)")
    try FileManager.default.copyItem(atPath: source, toPath: film)
    try recipe(
      place,
      #""format": "\#(format)", "from": "\#(part.lowerBound)s", "to": "\#(part.upperBound)s""#)
    #expect(try place.reasons().reasons == ["a.\(format)": "rendered"])
    let made = place.path("photos/a.part.\(format)")
    let wanted = try frames(film, part)
    expectEqual(try FFmpeg.times(made).compactMap(Double.init), wanted.times)
    let all = try digests(film)
    #expect(try digests(made) == wanted.numbers.map { all[$0] })
    let matrix = "stream_side_data=rotation"
    #expect(try FFmpeg.probe(made, matrix) == FFmpeg.probe(film, matrix))
    let sizes = try [film, made].map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes[1] < sizes[0])
    #expect(try place.leftovers().isEmpty)
    #expect(try place.reasons().reasons == ["a.\(format)": "up-to-date"])
  }

  /// Sound is uncompressed in this film, so its samples can be compared with those of the source.
  @Test(arguments: ["", #"{ "filter": "exposure", "stops": 0.5 }"#])
  func theSoundOfAPartBeginsAtItsFirstFrame(_ filters: String) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mov")
    try FFmpeg.makeFilm(
      film, ["-c:v", "libx264", "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    // The frame at 0.32 s is the first one after `from`.
    try recipe(place, #""format": "mov", "from": "0.29s", "to": "80%""#, filters: filters)
    #expect(try place.reasons().reasons == ["a.mov": "rendered"])
    let made = place.path("photos/a.part.mov")
    expectEqual(
      try FFmpeg.times(made).compactMap(Double.init), (0..<12).map { 0.04 * Double($0) })
    let sound = { try FFmpeg.run(["-i", $0, "-f", "s16le", "-"]) }
    let (all, part) = (try sound(film), try sound(made))
    let start = 2 * Int((0.32 * 44_100).rounded())
    #expect(part.count == 2 * 21_168)
    #expect(Array(all[start..<(start + part.count)]) == part)
  }

  /// WebM, MKV and fragmented MP4 films have no edit lists, so their parts are encoded anew.
  @Test(arguments: FilmCommandTests.kinds)
  func aPartOfAFilmIsEncodedWithTheFramesOfTheRange(_ kind: FilmCommandTests.Kind) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(kind.name)")
    try FFmpeg.makeFilm(film, kind.options)
    try recipe(
      place,
      #""format": "\#(kind.format)", "from": "0.4s" }, { "name": "start", "#
        + #""format": "\#(kind.format)", "to": "0.2s" }, { "name": "whole", "#
        + #""format": "\#(kind.format)""#,
      filters: #"{ "filter": "exposure", "stops": 0.2 }"#)
    #expect(try place.reasons().reasons == [kind.name: "rendered"])
    let stem = (kind.name as NSString).deletingPathExtension
    // Another output keeps the whole film, with its own time stamps.
    let whole = place.path("photos/\(stem).whole.\(kind.format)")
    #expect(try FFmpeg.times(whole) == FFmpeg.times(film))
    for (name, part) in [("part", 0.4..<9), ("start", 0..<0.2)] {
      let made = place.path("photos/\(stem).\(name).\(kind.format)")
      let times = try FFmpeg.times(made).compactMap(Double.init)
      expectEqual(times, try frames(film, part).times)
      #expect(times.first ?? 1 < 0.001)
      #expect(try FFmpeg.soundDigests(made).count > 0)
    }
  }

  /// A filter that measures uses the first frame of the part; the film's first half is black.
  @Test func filtersMeasureTheFirstFrameOfAPart() throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mp4")
    try FFmpeg.run([
      "-f", "lavfi", "-i",
      "nullsrc=size=64x48:rate=10:duration=2,format=yuv420p,"
        + "geq=lum='if(lt(N,10),16,60+X)':cb=128:cr=128", "-c:v", "libx264", "-qp", "0", film,
    ])
    try recipe(
      place,
      #""format": "mp4", "from": "50%" }, { "name": "frame", "format": "png", "frame": "50%""#,
      filters: #"{ "filter": "autoLevels" }"#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let (part, frame) = (
      try FFmpeg.frame(0, of: place.path("photos/a.part.mp4")),
      try FFmpeg.frame(0, of: place.path("photos/a.frame.png"))
    )
    #expect(part.count == frame.count)
    let differences = zip(part, frame).map { abs(Int($0) - Int($1)) }
    #expect(differences.reduce(0, +) < 4 * differences.count)
  }

  @Test(arguments: [
    (#""from": "4s""#, "the film has only 1 s"), (#""to": "1.5s""#, "the film has only 1 s"),
    (#""from": "80%", "to": "0.5s""#, "'from' is 0.8 s, and 'to' is 0.5 s"),
    (#""from": "0.41s", "to": "0.43s""#, "no frame of the film begins in this part"),
  ])
  func aPartThatAFilmDoesNotHaveIsReported(_ range: String, _ text: String) throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), FilmCommandTests.kinds[0].options)
    try recipe(place, #""format": "mp4", \#(range)"#)
    let result = try place.run()
    #expect(result.code == 3)
    #expect((result.output + result.messages).contains(text))
    #expect(try place.names() == ["a.mp4"])
  }

  /// Damaged tables are reported, or cut if the damage is harmless; no worker crashes.
  @Test func damagedTablesAreReportedOrCutWithoutACrash() throws {
    let place = try Workplace([])
    let whole = place.path("whole.mp4")
    try FFmpeg.makeFilm(
      whole, ["-c:v", "libx264", "-g", "8", "-pix_fmt", "yuv420p", "-c:a", "aac"])
    let bytes = try Array(Data(contentsOf: URL(filePath: whole)))
    let name = Array("moov".utf8)
    let start = try #require(
      bytes.indices.dropLast(4).last { bytes[$0..<($0 + 4)].elementsEqual(name) })
    var random = SeededGenerator(seed: 28)
    for number in 0..<30 {
      var tables = Array(bytes[(start + 4)...])
      for _ in 0..<(1 << (number % 4)) { random.mutate(&tables) }
      try place.folder.write(Array(bytes[...(start + 3)]) + tables, to: "photos/\(number).mp4")
    }
    try recipe(place, #""format": "mp4", "from": "0.3s", "to": "0.8s""#)
    let (reasons, _) = try place.reasons()
    #expect(reasons.count == 30)
    let known: Set = ["rendered", "unreadable", "truncated", "unsupported-format", "encode-failed"]
    #expect(Set(reasons.values).isSubset(of: known))
    #expect(try place.leftovers().isEmpty)
  }

  @Test func rangesThatNoFilmHasAreRefused() throws {
    let place = try Workplace([])
    for (output, word) in [
      (#""format": "mp4", "from": "2s", "to": "2s""#, "not before 'to'"),
      (#""format": "mp4", "from": "50%", "to": "10%""#, "not before 'to'"),
      (#""format": "mp4", "to": "0s""#, "not before 'to'"),
      (#""format": "mp4", "from": "100%""#, "not before 'to'"),
      (#""format": "mp4", "from": 2"#, "a time such as"),
      (#""format": "jpeg", "from": "1s""#, "a part of a film is a film"),
      (#""format": "jpeg", "frame": "1s", "to": "1s""#, "a part of a film is a film"),
    ] {
      try recipe(place, output)
      let result = try place.run()
      #expect(result.code != 0)
      #expect(result.messages.contains(word))
    }
  }
}
