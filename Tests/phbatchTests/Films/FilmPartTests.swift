import Foundation
import TestRandom
import TestSupport
import Testing

/// Outputs of a part of a film; ffprobe and ffmpeg check the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmPartTests {
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
    try place.writeFilmRecipe(
      #""format": "\#(format)", "from": "\#(part.lowerBound)s", "to": "\#(part.upperBound)s""#)
    #expect(try place.reasons().reasons == ["a.\(format)": "rendered"])
    let made = place.path("photos/a.part.\(format)")
    let wanted = try frames(film, part)
    expectEqualTimes(try FFmpeg.times(made).compactMap(Double.init), wanted.times)
    let all = try digests(film)
    #expect(try digests(made) == wanted.numbers.map { all[$0] })
    let matrix = "stream_side_data=rotation"
    #expect(try FFmpeg.probe(made, matrix) == FFmpeg.probe(film, matrix))
    let sizes = try [film, made].map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes[1] < sizes[0])
    #expect(try place.leftovers().isEmpty)
    #expect(try place.reasons().reasons == ["a.\(format)": "up-to-date"])
  }

  /// WebM, MKV and fragmented MP4 films have no edit lists, so their parts are encoded anew.
  @Test(arguments: FilmCommandTests.kinds)
  func aPartOfAFilmIsEncodedWithTheFramesOfTheRange(_ kind: FilmCommandTests.Kind) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(kind.name)")
    try FFmpeg.makeFilm(film, kind.options)
    try place.writeFilmRecipe(
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
      expectEqualTimes(times, try frames(film, part).times)
      #expect(times.first ?? 1 < 0.001)
      #expect(try FFmpeg.soundDigests(made).count > 0)
    }
  }

  /// Packets that cannot be copied are encoded again, with a warning that states the reason.
  @Test(arguments: [
    (0, nil), (1, nil), (2, "not in the ISO base media format"),
    (3, "not in the ISO base media format"), (4, "fragmented"),
  ])
  func aPartThatCannotBeCopiedIsEncodedWithAWarning(_ number: Int, _ reason: String?) throws {
    let place = try Workplace([])
    let kind = FilmCommandTests.kinds[number]
    try FFmpeg.makeFilm(place.path("photos/\(kind.name)"), kind.options)
    let format = #""format": "\#(kind.format)""#
    try place.writeFilmRecipe(#"\#(format), "from": "0.4s" }, { "name": "whole", \#(format)"#)
    let run = try place.run()
    #expect(run.code == 0)
    let said = run.output + run.messages
    if let reason {
      #expect(said.contains("'part' is encoded again, because") && said.contains(reason), "\(said)")
    } else {
      #expect(!said.contains("is encoded again"), "\(said)")
    }
    #expect(!said.contains("'whole' is encoded again"), "\(said)")
  }

  /// Recordings made by browsers state no duration; it follows from their frames.
  @Test func aFilmThatStatesNoDurationHasPartsAndAMiddle() throws {
    let place = try Workplace([])
    // ffmpeg cannot go back in a pipe to write the duration.
    let film = try FFmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-c:v", "libvpx-vp9",
      "-cpu-used", "8", "-g", "10", "-f", "webm", "-",
    ])
    try place.folder.write(film, to: "photos/a.webm")
    let path = place.path("photos/a.webm")
    #expect(try FFmpeg.probe(path, "format=duration") == ["N/A"])
    try place.writeFilmRecipe(
      #""format": "webm", "from": "25%", "to": "1s" }, "#
        + #"{ "name": "frame", "format": "png", "frame": "50%" }, "#
        + #"{ "name": "late", "format": "webm", "from": "1.96s""#)
    #expect(try place.reasons().reasons == ["a.webm": "rendered"])
    let times = try FFmpeg.times(place.path("photos/a.part.webm")).compactMap(Double.init)
    expectEqualTimes(times, try frames(path, 0.5..<1).times)
    #expect(try FFmpeg.times(place.path("photos/a.late.webm")).count == 1)
    let frame = try FFmpeg.frame(0, of: place.path("photos/a.frame.png"))
    let numbers = [0, 20, 25, 30, 49]
    let differences = try numbers.map { number in
      let other = try FFmpeg.frame(number, of: path)
      return zip(frame, other).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    }
    #expect(differences.min() == differences[2], "\(differences)")
  }

  /// A film in the container and the codec of its output is copied.
  @Test func aWholeWebMFilmIsCopied() throws {
    let place = try Workplace([])
    let kind = FilmCommandTests.kinds[2]
    try FFmpeg.makeFilm(place.path("photos/\(kind.name)"), kind.options)
    try place.writeFilmRecipe(#""format": "webm""#)
    #expect(try place.run().code == 0)
    #expect(try place.read("vp9.part.webm") == place.read(kind.name))
  }

  /// The warnings of outputs with different ranges are in the order of the recipe.
  @Test func warningsAreInTheOrderOfTheRecipe() throws {
    let place = try Workplace([])
    let kind = FilmCommandTests.kinds[4]
    try FFmpeg.makeFilm(place.path("photos/\(kind.name)"), kind.options)
    let names = ["d", "b", "a", "c"]
    let outputs = names.enumerated().map { number, name in
      #"{ "name": "\#(name)", "format": "mp4", "from": "0.\#(number + 1)s" }"#
    }
    try place.folder.write(
      """
      { "identifier": "org.example.part", "version": "1.0.0", "filters": [],
        "outputs": [ \(outputs.joined(separator: ", ")) ] }
      """, to: "recipe.json")
    let run = try place.run()
    #expect(run.code == 0, "\(run.messages)")
    let said = run.output + run.messages
    let places = try names.map { name in
      try #require(said.range(of: "'\(name)' is encoded again")?.lowerBound)
    }
    #expect(places == places.sorted())
  }

  /// A plan counts the frames of each part of a film, because each part is decoded and rendered on
  /// its own.
  @Test func aPlanCountsTheFramesOfEachPart() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), FilmCommandTests.kinds[0].options)
    func seconds(_ outputs: String...) throws -> Double {
      let list = outputs.enumerated().map { #"{ "name": "o\#($0)", "format": "mp4"\#($1) }"# }
      try place.folder.write(
        """
        { "identifier": "org.example.part", "version": "1.0.0",
          "filters": [ { "filter": "exposure", "stops": 1 } ],
          "outputs": [ \(list.joined(separator: ", ")) ] }
        """, to: "recipe.json")
      let file = place.path("shards.plan")
      let plan = try Command.run([
        "plan", place.path("recipe.json"), place.library, "--shards", "1", "-o", file,
      ])
      #expect(plan.code == 0, "\(plan.messages)")
      let text = String(decoding: try place.folder.read("shards.plan"), as: UTF8.self)
      try FileManager.default.removeItem(atPath: file)
      let photo = try #require(text.split(separator: "\n").first { $0.contains("\"render\"") })
      let json = try JSONSerialization.jsonObject(with: Data(photo.utf8)) as? [String: Any]
      return try #require(json?["seconds"] as? Double)
    }
    let whole = try seconds("")
    let parts = try seconds("", #", "from": "0.2s""#, #", "from": "0.6s""#)
    #expect(abs(parts / whole - 2.2) < 0.1)
    let same = try seconds(#", "from": "0.2s""#, #", "from": "0.2s""#)
    #expect(same > 0.8 * whole && same < 2 * 0.8 * whole, "the film is decoded once for both")
  }

  /// Both versions of the list of chapters are cut to the part.
  @Test(arguments: [0, 1])
  func theChaptersOfAPartAreThoseInIt(_ version: Int) throws {
    let place = try Workplace([])
    let whole = place.path("whole.mp4")
    try FFmpeg.makeFilm(whole, FilmCommandTests.kinds[0].options)
    let chapters = [(0, 300, "Start"), (300, 700, "Middle"), (700, 1000, "End")]
    try place.folder.write(
      ";FFMETADATA1\n"
        + chapters.map { "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n" }
        .joined(), to: "chapters.txt")
    let film = place.path("photos/a.mp4")
    try FFmpeg.run([
      "-i", whole, "-i", place.path("chapters.txt"), "-map_metadata", "1", "-c", "copy", film,
    ])
    var bytes = try Array(Data(contentsOf: URL(filePath: film)))
    func offset(of name: String) throws -> Int {
      try #require(
        bytes.indices.dropLast(4).last { bytes[$0..<($0 + 4)].elementsEqual(name.utf8) })
    }
    // Readers do not find the track with the same chapters without this reference.
    let reference = try offset(of: "chap")
    bytes.replaceSubrange(reference..<(reference + 4), with: "none".utf8)
    if version == 0 {
      // The older version lacks four bytes; the same number of bytes follows the list.
      let start = try offset(of: "chpl")
      let size = bytes[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
      bytes[start + 4] = 0
      let list = Array(bytes[(start + 12)..<(start - 4 + size)])
      bytes.replaceSubrange((start + 8)..<(start - 4 + size), with: list + [0, 0, 0, 0])
    }
    try place.folder.write(bytes, to: "photos/a.mp4")
    func titles(_ path: String) throws -> [String] {
      try FFmpeg.probe(path, "chapter=start_time:chapter_tags=title")
    }
    #expect(try titles(film) == ["0.000000,Start", "0.300000,Middle", "0.700000,End"])
    try place.writeFilmRecipe(#""format": "mp4", "from": "0.4s", "to": "0.8s""#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    #expect(
      try titles(place.path("photos/a.part.mp4")) == ["0.000000,Middle", "0.300000,End"])
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
    try place.writeFilmRecipe(
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
    try place.writeFilmRecipe(#""format": "mp4", \#(range)"#)
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
    let count = TestVolume.isWhole ? 30 : 12
    for number in 0..<count {
      var tables = Array(bytes[(start + 4)...])
      for _ in 0..<(1 << (number % 4)) { random.mutate(&tables) }
      try place.folder.write(Array(bytes[...(start + 3)]) + tables, to: "photos/\(number).mp4")
    }
    try place.writeFilmRecipe(#""format": "mp4", "from": "0.3s", "to": "0.8s""#)
    let (reasons, _) = try place.reasons()
    #expect(reasons.count == count)
    let known: Set = ["rendered", "unreadable", "truncated", "unsupported-format", "encode-failed"]
    #expect(Set(reasons.values).isSubset(of: known))
    #expect(try place.leftovers().isEmpty)
  }

  /// Sizes and numbers of samples that no film has are reported.
  @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1]] as [[UInt8]])
  func samplesThatNoFilmHasAreReported(_ size: [UInt8]) throws {
    let place = try Workplace([])
    let film = place.path("whole.mov")
    try FFmpeg.makeFilm(
      film, ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    let bytes = try Array(Data(contentsOf: URL(filePath: film)))
    let name = Array("stsz".utf8)
    let tables = bytes.indices.dropLast(4).filter { bytes[$0..<($0 + 4)].elementsEqual(name) }
    #expect(tables.count == 2)
    for (number, table) in tables.enumerated() {
      var bytes = bytes
      bytes.replaceSubrange((table + 8)..<(table + 16), with: size + [0xFF, 0xFF, 0xFF, 0xFF])
      try place.folder.write(bytes, to: "photos/\(number).mov")
    }
    try place.writeFilmRecipe(#""format": "mov", "from": "0.3s", "to": "0.8s""#)
    let (reasons, _) = try place.reasons()
    #expect(reasons.count == 2)
    let known: Set = ["rendered", "unreadable", "truncated", "unsupported-format", "encode-failed"]
    #expect(Set(reasons.values).isSubset(of: known), "\(reasons)")
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
      try place.writeFilmRecipe(output)
      let result = try place.run()
      #expect(result.code != 0)
      #expect(result.messages.contains(word))
    }
  }
}
