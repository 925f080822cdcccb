import Foundation
import TestRandom
import TestSupport
import Testing

/// Runs over films; ffprobe and ffmpeg check the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmCommandTests {
  /// Twelve adjustments.
  static let adjustments = """
    { "filter": "exposure", "stops": 0.3 }, { "filter": "contrast", "amount": 0.2 },
    { "filter": "highlights", "amount": -0.3 }, { "filter": "shadows", "amount": 0.3 },
    { "filter": "whites", "amount": 0.1 }, { "filter": "blacks", "amount": -0.1 },
    { "filter": "saturation", "amount": 0.2 }, { "filter": "vibrance", "amount": 0.2 },
    { "filter": "brightness", "amount": 0.02 }, { "filter": "gamma", "gamma": 1.1 },
    { "filter": "sepia", "intensity": 0.1 }, { "filter": "hue", "angle": 4 }
    """

  /// A container and codecs of a film, and the format of its rendition.
  struct Kind: Sendable, CustomStringConvertible {
    let name: String
    let options: [String]
    let format: String
    var codec = "source"

    var description: String { name }
    var container: String { (name as NSString).pathExtension }
  }

  static let kinds = [
    Kind(
      name: "h264.mp4", options: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"],
      format: "mp4"),
    Kind(
      name: "hevc.mov",
      options: ["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"]
        + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"],
      format: "mov"),
    Kind(
      name: "vp9.webm", options: ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"],
      format: "webm"),
    Kind(
      name: "h264.mkv", options: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"],
      format: "mp4"),
    Kind(
      name: "fragments.mp4",
      options: ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        + ["-movflags", "frag_keyframe+empty_moov"],
      format: "mp4"),
  ]

  private func recipe(
    _ place: Workplace, _ output: String, filters: String = adjustments, more: String = ""
  ) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.film", "version": "1.0.0", \(more)
        "filters": [ \(filters) ], "outputs": [ { "name": "film", \(output) } ] }
      """, to: "recipe.json")
  }

  @Test(arguments: kinds) func aRenderedFilmKeepsItsSoundAndFrameTimes(_ kind: Kind) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(kind.name)")
    try FFmpeg.makeFilm(film, kind.options)
    try recipe(place, #""format": "\#(kind.format)", "quality": 60"#)
    let before = try place.read(kind.name)
    let (reasons, code) = try place.reasons()
    #expect(reasons == [kind.name: "rendered"])
    #expect(code == 0)
    let stem = (kind.name as NSString).deletingPathExtension
    let made = place.path("photos/\(stem).film.\(kind.format)")
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    #expect(try !FFmpeg.soundDigests(film).isEmpty)
    let facts = "stream=codec_name,width,height"
    #expect(try FFmpeg.probe(made, facts) == FFmpeg.probe(film, facts))
    #expect(try place.read(kind.name) == before)
    #expect(try place.sidecar(kind.name).contains("\(stem).film.\(kind.format)"))
    #expect(try place.leftovers().isEmpty)
    #expect(try place.reasons().reasons == [kind.name: "up-to-date"])
  }

  @Test func aRevertedFilmIsRenderedAgainWithTheSameBytes() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), Self.kinds[0].options)
    try recipe(place, #""format": "mp4""#)
    let check = try place.reasons("recipe", "--check")
    #expect(check.reasons == ["a.mp4": "due"])
    #expect(try !place.names().contains("a.film.mp4"))
    _ = try place.run()
    let first = try place.read("a.film.mp4")
    let reverted = try Command.run(["revert", place.path("photos/a.mp4"), "--yes"])
    #expect(reverted.code == 0)
    #expect(try !place.names().contains("a.film.mp4"))
    _ = try place.run("recipe", "--redo")
    #expect(try place.read("a.film.mp4") == first)
  }

  /// A frame of a rendered film equals the frame rendered as a photo, except for the small changes
  /// by the film encoder at its highest quality.
  @Test func aFrameOfAFilmIsRenderedLikeAPhoto() throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mp4")
    // The film's chroma has no edges, so the two programs interpolate it to nearly the same values.
    try FFmpeg.run([
      "-f", "lavfi", "-i",
      "nullsrc=size=128x96:rate=10:duration=1,format=yuv420p,"
        + "geq=lum='50+X/2+Y/3':cb='112+X/4':cr='140-Y/6'",
      "-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv420p", "-color_range", "tv", "-colorspace",
      "bt709", film,
    ])
    try recipe(place, #""format": "mp4", "quality": 100, "effort": 8"#)
    _ = try place.run()
    for number in TestVolume.one(of: 2, [0, 4, 9]) {
      let png = place.path("frame.png")
      try FFmpeg.run([
        "-y", "-i", film, "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "-sws_flags",
        "accurate_rnd+full_chroma_int+full_chroma_inp+bilinear", "-pix_fmt", "rgb24", png,
      ])
      let still = try Workplace([])
      try FileManager.default.copyItem(atPath: png, toPath: still.path("photos/a.png"))
      try recipe(still, #""format": "png""#)
      _ = try still.run()
      let wanted = try FFmpeg.frame(0, of: still.path("photos/a.film.png"))
      let found = try FFmpeg.frame(number, of: place.path("photos/a.film.mp4"))
      #expect(wanted.count == found.count)
      let differences = zip(wanted, found).map { abs(Int($0) - Int($1)) }
      let mean = Double(differences.reduce(0, +)) / Double(max(1, differences.count))
      #expect(mean < 0.8)
      // One level of chroma is up to two levels of blue, and the encoder changes some chroma
      // samples.
      #expect(differences.max() ?? 255 <= 8)
    }
  }

  @Test func aRecipeWithoutFiltersCopiesTheBytesOfAFilm() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), Self.kinds[0].options)
    try recipe(place, #""format": "mp4""#, filters: "")
    _ = try place.run()
    #expect(try place.read("a.film.mp4") == place.read("a.mp4"))
  }

  /// Players of WebM know no rotation matrix, so its frames are stored as they are displayed.
  @Test(arguments: ["webm", "mp4"]) func aRotatedFilmIsUprightInEachContainer(
    _ format: String
  ) throws {
    let place = try Workplace([])
    let (plain, film) = (place.path("plain.mp4"), place.path("photos/a.mp4"))
    try FFmpeg.makeFilm(plain, size: "128x64", ["-vf", "setsar=4/3"] + Self.kinds[0].options)
    try FFmpeg.run(["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", film])
    try recipe(
      place,
      #""format": "\#(format)", "quality": 90 }, { "name": "first", "format": "png", "frame": "0s""#
    )
    #expect(try place.run().code == 0)
    let made = place.path("photos/a.film.\(format)")
    let isUpright = format == "webm"
    #expect(
      try FFmpeg.probe(made, "stream=width,height,sample_aspect_ratio", ["-select_streams", "v"])
        == [isUpright ? "64,128,3:4" : "128,64,4:3"])
    #expect(try FFmpeg.probe(made, "stream_side_data=rotation").isEmpty == isUpright)
    // ffmpeg rotates a film with a matrix.
    try FFmpeg.run(["-i", made, "-frames:v", "1", place.path("frame.png")])
    let frame = try Samples(file: place.folder.read("frame.png"))
    let poster = try Samples(file: place.read("a.first.png"))
    #expect(frame.width == 64 && frame.height == 128)
    #expect(frame.meanDifference(from: poster) < 8, "\(frame.meanDifference(from: poster))")
  }

  /// A film with a rotation matrix is cropped as it is displayed, and keeps its matrix and its
  /// variable frame rate.
  @Test func aRotatedFilmIsCroppedAsItIsDisplayed() throws {
    let place = try Workplace([])
    let (plain, film) = (place.path("plain.mp4"), place.path("photos/a.mp4"))
    try FFmpeg.makeFilm(
      plain, size: "128x64",
      ["-vf", "select='not(eq(mod(n\\,5)\\,2))'", "-vsync", "vfr"] + Self.kinds[0].options)
    try FFmpeg.run(["-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90", film])
    try recipe(
      place, #""format": "mp4""#,
      filters: #"{ "filter": "crop", "top": 0, "height": "50%" }"#)
    let result = try place.run()
    #expect(result.code == 0)
    let made = place.path("photos/a.film.mp4")
    // As displayed, the film has 64×128 pixels; its upper half has 64×64.
    #expect(try FFmpeg.probe(made, "stream=width,height", ["-select_streams", "v"]) == ["64,64"])
    let matrix = "stream_side_data=rotation"
    #expect(try FFmpeg.probe(made, matrix) == FFmpeg.probe(film, matrix))
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(Set(try FFmpeg.times(film)).count == 20)
  }

  @Test func textsOfAFilmAreKeptUnlessThePolicyDeniesThem() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(
      place.path("photos/a.mp4"),
      Self.kinds[0].options + [
        "-metadata", "location=+48.2000+016.3700/", "-metadata", "title=A walk", "-metadata",
        "creation_time=2024-05-06T07:08:09Z",
      ])
    try recipe(
      place, #""format": "mp4" }, { "name": "plain", "format": "mp4", "metadata": "none""#)
    let result = try place.run()
    #expect(result.code == 0)
    for (tag, text) in [("location", "+48.2000+016.3700/"), ("title", "A walk")] {
      let tags = "format_tags=\(tag)"
      #expect(try FFmpeg.probe(place.path("photos/a.film.mp4"), tags) == [text])
      #expect(try FFmpeg.probe(place.path("photos/a.plain.mp4"), tags).isEmpty)
    }
    let plain = try place.read("a.plain.mp4")
    #expect(!String(decoding: plain, as: UTF8.self).contains("A walk"))
    let dates = "format_tags=creation_time"
    #expect(
      try FFmpeg.probe(place.path("photos/a.film.mp4"), dates) == ["2024-05-06T07:08:09.000000Z"])
    #expect(try FFmpeg.probe(place.path("photos/a.plain.mp4"), dates).isEmpty)
  }

  /// One pass over a film writes all its film outputs; photos get the photo outputs.
  @Test func aRecipeMayHaveOutputsForFilmsAndPhotos() throws {
    let place = try Workplace(["p.jpg"])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), Self.kinds[0].options)
    try recipe(
      place,
      #""format": "mp4" }, { "name": "small", "format": "mp4", "filters": [ { "filter": "#
        + #""resize", "width": 48 } ] }, { "name": "web", "format": "jpeg""#)
    let (reasons, code) = try place.reasons()
    #expect(code == 0)
    #expect(reasons == ["a.mp4": "rendered", "p.jpg": "rendered"])
    #expect(
      try place.names() == [
        "a.film.mp4", "a.mp4", "a.mp4.phbatch.json", "a.small.mp4", "p.jpg", "p.jpg.phbatch.json",
        "p.web.jpg",
      ])
    let size = ["-select_streams", "v"]
    #expect(
      try FFmpeg.probe(place.path("photos/a.small.mp4"), "stream=width,height", size) == ["48,32"])
    #expect(try place.reasons().reasons == ["a.mp4": "up-to-date", "p.jpg": "up-to-date"])
  }

  /// Outputs with a `frame` setting make photos of single frames; the test film has 10 frames per
  /// second, each with another brightness.
  @Test func anOutputForASingleFrameMakesAPhotoOfAFilm() throws {
    let place = try Workplace(["p.jpg"])
    let film = place.path("photos/a.mp4")
    try FFmpeg.run([
      "-f", "lavfi", "-i",
      "nullsrc=size=128x96:rate=10:duration=1.2,format=yuv420p,"
        + "geq=lum='40+12*N+X/4':cb='118+Y/8':cr='130'",
      "-c:v", "libx264", "-qp", "0", "-g", "5", "-bf", "2", "-pix_fmt", "yuv420p", "-color_range",
      "tv", "-colorspace", "bt709", film,
    ])
    let moments = [("0s", 0), ("0.45s", 5), ("0.7s", 7), ("50%", 6), ("100%", 11), ("60s", 11)]
    let outputs = moments.enumerated().map { number, moment in
      #"{ "name": "f\#(number)", "format": "png", "frame": "\#(moment.0)" }"#
    }
    try place.folder.write(
      """
      { "identifier": "org.example.film", "version": "1.0.0",
        "outputs": [ \(outputs.joined(separator: ",")) ] }
      """, to: "recipe.json")
    let result = try Command.run([
      "run", place.path("recipe.json"), place.library, "--format", "json",
    ])
    #expect(result.code == 0)
    let told = try result.events.compactMap { $0["warnings"] as? [String] }.flatMap { $0 }
      .filter { $0.contains("last frame") }
    #expect(told == ["'f5' shows the last frame: the film has only 1.2 s"])
    for (number, moment) in moments.enumerated() {
      let wanted = try FFmpeg.frame(moment.1, of: film)
      let found = try FFmpeg.frame(0, of: place.path("photos/a.f\(number).png"))
      #expect(wanted.count == found.count)
      let differences = zip(wanted, found).map { abs(Int($0) - Int($1)) }
      // Frames differ by 12 levels of luma; the two programs interpolate chroma differently.
      #expect(differences.max() ?? 255 <= 5, "\(moment)")
    }
    #expect(
      try place.reasons().reasons == ["a.mp4": "up-to-date", "p.jpg": "not-selected"])
  }

  @Test func filmsAreNotRenderedWithoutAFilmOutput() throws {
    let place = try Workplace(["p.jpg"])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), Self.kinds[0].options)
    try place.recipe()
    #expect(
      try place.reasons().reasons == ["a.mp4": "unsupported-format", "p.jpg": "rendered"])
    try recipe(place, #""format": "mp4""#)
    #expect(try place.reasons().reasons == ["a.mp4": "rendered", "p.jpg": "not-selected"])
  }

  @Test func conditionsSelectFilmsByTheirFacts() throws {
    let place = try Workplace(["p.jpg"])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), rate: "10", Self.kinds[0].options)
    try FFmpeg.makeFilm(place.path("photos/b.webm"), rate: "25", Self.kinds[2].options)
    for (condition, taken) in [
      (#""codec": "H26?""#, ["a.mp4"]), (#""codec": ["vp9", "av1"]"#, ["b.webm"]),
      (#""fps": ">=20""#, ["b.webm"]), (#""fps": [">9", "<11"]"#, ["a.mp4"]),
      (#""duration": ">0.1""#, ["a.mp4", "b.webm"]), (#""duration": ">=600""#, []),
    ] {
      try recipe(place, #""format": "mp4""#, more: #""select": { "where": { \#(condition) } },"#)
      let reasons = try place.reasons("recipe", "--dry-run").reasons
      let found = reasons.filter { $0.value != "not-selected" }.map(\.key).sorted()
      #expect(found == taken, "\(condition): \(reasons)")
    }
  }

  /// Without the program for films, the report names the package.
  @Test func aRunOverFilmsNamesThePackageOfTheMissingProgram() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), Self.kinds[0].options)
    try recipe(place, #""format": "mp4""#)
    let alone = place.path("phbatch")
    try FileManager.default.copyItem(atPath: Command.executable, toPath: alone)
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library, "--format", "json"],
      environment: ["PHBATCH": alone], prefix: ["sh", "-c", "shift; exec \(alone) \"$@\"", "sh"])
    let event = try result.events.first { $0["event"] as? String == "asset-done" }
    #expect(event?["reason"] as? String == "unsupported-format")
    let hint = try #require(event?["hint"] as? String)
    #expect(hint.contains("phbatch-video"))
  }

  /// Damaged films are reported, or rendered if the damage is harmless; they leave no incomplete
  /// files, and no worker crashes.
  @Test(arguments: kinds) func aDamagedFilmIsReportedOrRenderedWithoutACrash(_ kind: Kind) throws {
    let place = try Workplace([])
    let whole = place.path("whole.\(kind.container)")
    try FFmpeg.makeFilm(whole, rate: "8", kind.options)
    let bytes = try Array(Data(contentsOf: URL(filePath: whole)))
    var random = SeededGenerator(seed: UInt64(bytes.count))
    let count = TestVolume.isWhole ? 20 : 8
    for number in 0..<count {
      var damaged = bytes
      if number < 4 {
        damaged = Array(bytes.prefix(bytes.count * (2 * number + 1) / 9))
      } else {
        for _ in 0..<(1 << (number / 3)) { random.mutate(&damaged) }
      }
      try place.folder.write(damaged, to: "photos/\(number).\(kind.container)")
    }
    try recipe(place, #""format": "\#(kind.format)", "effort": 0"#)
    let (reasons, _) = try place.reasons()
    #expect(reasons.count == count)
    let known: Set = ["rendered", "unreadable", "truncated", "unsupported-format", "encode-failed"]
    #expect(Set(reasons.values).isSubset(of: known))
    for number in 0..<4 { #expect(reasons["\(number).\(kind.container)"] != "rendered") }
    #expect(try place.leftovers().isEmpty)
    for (name, reason) in reasons where reason != "rendered" {
      #expect(try !place.names().contains("\(name).phbatch.json"))
    }
  }

  @Test func outputSettingsThatFilmsDoNotSupportAreRefused() throws {
    let place = try Workplace([])
    for (output, word) in [
      (#""format": "webm", "codec": "h264""#, "webm stores no h264"),
      (#""format": "mov", "codec": "vp9""#, "mov stores no vp9"),
      (#""format": "mp4", "minWidth": 100"#, "does not work with films"),
      (#""format": "mp4", "profile": "prophoto""#, "films are written only"),
      (#""format": "mp4", "current": true"#, "is not a photo"),
      (#""format": "mp4", "codec": "mpeg2""#, "codec"),
      (#""format": "mp4", "frame": "1s""#, "a single frame is a photo"),
      (#""format": "jpeg", "frame": "1m""#, "a time such as"),
      (#""format": "jpeg", "frame": "101%""#, "a time such as"),
      (#""format": "jpeg", "frame": "1s", "current": true"#, "cannot represent the edited film"),
    ] {
      try recipe(place, output)
      let result = try place.run()
      #expect(result.code != 0)
      #expect(result.messages.contains(word))
    }
  }
}
