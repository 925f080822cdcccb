import Foundation
import TestRandom
import TestSupport
import Testing

/// The sound of a part of a film; ffprobe and ffmpeg check the results.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmPartSoundTests {
  /// Sound is uncompressed in this film, so its samples can be compared with those of the source.
  @Test(arguments: ["", #"{ "filter": "exposure", "stops": 0.5 }"#])
  func theSoundOfAPartBeginsAtItsFirstFrame(_ filters: String) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mov")
    try FFmpeg.makeFilm(
      film, ["-c:v", "libx264", "-g", "10", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"])
    // The frame at 0.32 s is the first one after `from`.
    try place.writeFilmRecipe(#""format": "mov", "from": "0.29s", "to": "80%""#, filters: filters)
    #expect(try place.reasons().reasons == ["a.mov": "rendered"])
    let made = place.path("photos/a.part.mov")
    expectEqualTimes(
      try FFmpeg.times(made).compactMap(Double.init), (0..<12).map { 0.04 * Double($0) })
    let sound = { try FFmpeg.run(["-i", $0, "-f", "s16le", "-"]) }
    let (all, part) = (try sound(film), try sound(made))
    let start = 2 * Int((0.32 * 44_100).rounded())
    #expect(part.count == 2 * 21_168)
    #expect(Array(all[start..<(start + part.count)]) == part)
  }

  /// Packets of sound last longer than a frame, so a part begins within one: it has the packet, and
  /// those that the decoder needs before it, and players skip their start.
  @Test(
    arguments: TestVolume.pairs(
      [
        ("opus.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"], "webm"),
        ("aac.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"], "mp4"),
        ("opus.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "libopus"], "mp4"),
        (
          "aac.mp4",
          ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
            + ["-movflags", "frag_keyframe+empty_moov"], "mp4"
        ),
      ], [0.4, 0.52, 0.8]))
  func theSoundOfAnEncodedPartIsComplete(
    _ kind: (name: String, options: [String], format: String), _ from: Double
  ) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(kind.name)")
    let picture = "testsrc2=size=96x64:rate=25:duration=2"
    try FFmpeg.run(
      ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", RisingTone.source]
        + ["-g", "10"] + kind.options + [film])
    try place.writeFilmRecipe(
      #""format": "\#(kind.format)", "from": "\#(from)s""#,
      filters: #"{ "filter": "exposure", "stops": 0.2 }"#)
    #expect(try place.reasons().reasons == [kind.name: "rendered"])
    let stem = (kind.name as NSString).deletingPathExtension
    let made = place.path("photos/\(stem).part.\(kind.format)")
    let start = ["-select_streams", "a", "-show_entries", "stream=start_time"]
    let begins = try FFmpeg.probe(made, "stream=start_time", start).first.flatMap(Double.init)
    // In WebM, the time stamp is that of the part that players skip.
    let isWebM = kind.format == "webm"
    #expect(try #require(begins) < 0.0015 && (isWebM || abs(#require(begins)) < 0.0015))
    // The picture of ffmpeg's films with Opus begins a few milliseconds after the sound.
    let isOpus = kind.options.contains("libopus")
    let late = try isOpus ? FFmpeg.times(film).first.flatMap(Double.init) ?? 0 : 0
    let bytes = try FFmpeg.run(["-i", made, "-ac", "1", "-ar", "48000", "-f", "s16le", "-"])
    let sound = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      Double(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32768
    }
    try #require(sound.count > 9600)
    let best = try #require(RisingTone.shift(of: sound, from: from + late))
    #expect(abs(best) <= 0.001, "\(best) s")
  }

  /// Sound that an empty entry of its edit list delays keeps the rest of the delay in a part.
  @Test(arguments: [(0.2, 0.8, 0.2, 0.4), (0.52, 0.92, 0, 0.4), (0, 0.24, 0, 0)])
  func theSoundOfAPartBeginsLate(
    _ from: Double, _ end: Double, _ delay: Double, _ duration: Double
  ) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.mov")
    try FFmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-itsoffset", "0.4", "-f",
      "lavfi", "-i", "sine=frequency=440:duration=0.6", "-c:v", "libx264", "-g", "10", "-pix_fmt",
      "yuv420p", "-c:a", "pcm_s16le", film,
    ])
    let start = ["-select_streams", "a", "-show_entries", "stream=start_time"]
    let late = try #require(Double(FFmpeg.probe(film, "stream=start_time", start).first ?? ""))
    #expect(abs(late - 0.4) < 0.001)
    try place.writeFilmRecipe(#""format": "mov", "from": "\#(from)s", "to": "\#(end)s""#)
    #expect(try place.reasons().reasons == ["a.mov": "rendered"])
    let made = place.path("photos/a.part.mov")
    let frames = Int((25 * (end - from)).rounded())
    #expect(try FFmpeg.times(made).count == frames)
    let begins = try FFmpeg.probe(made, "stream=start_time", start).first.flatMap(Double.init)
    if duration == 0 {
      #expect(begins == nil, "nothing of the sound is in the part")
      return
    }
    #expect(try abs(#require(begins) - delay) < 0.001)
    let sound = { try FFmpeg.run(["-i", $0, "-f", "s16le", "-"]) }
    let (all, part) = (try sound(film), try sound(made))
    let first = 2 * Int((44_100 * max(0, from - 0.4)).rounded())
    let count = 2 * Int((44_100 * duration).rounded())
    #expect(part == Array(all[first..<(first + count)]))
  }

  /// The sound has a gap from 0.5 s to 1.5 s, in which the part begins.
  @Test(arguments: ["mp4", "webm"])
  func thePacketsBeforeAGapAreNotInAPart(_ format: String) throws {
    let place = try Workplace([])
    for number in 1...2 {
      try FFmpeg.encode(
        ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.5", "-c:a", "libopus"],
        to: place.path("\(number).webm"))
    }
    try place.folder.write(
      "file 1.webm\nduration 1.5\nfile 2.webm\n", to: "list.txt")
    try FFmpeg.run(
      ["-f", "concat", "-i", place.path("list.txt"), "-f", "lavfi", "-i"]
        + ["testsrc2=size=96x64:rate=25:duration=2", "-map", "1:v", "-map", "0:a", "-c:a", "copy"]
        + ["-c:v", "libvpx-vp9", "-cpu-used", "8", place.path("photos/a.webm")])
    try place.writeFilmRecipe(#""format": "\#(format)", "from": "1s""#)
    #expect(try place.reasons().reasons == ["a.webm": "rendered"])
    let made = place.path("photos/a.part.\(format)")
    let sound = try FFmpeg.run(["-i", made, "-ac", "1", "-ar", "48000", "-f", "s16le", "-"])
    let times = try FFmpeg.probe(made, "frame=pts_time", ["-select_streams", "a"])
    let begins = try #require(times.first.flatMap(Double.init))
    #expect(abs(begins - 0.5) < 0.03, "\(begins) s")
    #expect(abs(sound.count - 48000) < 4000, "\(sound.count) bytes")
  }

  /// A film of 2 s with a tone that rises, and the container of a part of it.
  struct Source: Sendable, CustomStringConvertible {
    let name: String
    let sound: [String]
    let format: String
    /// Without filters, a part of MOV and MP4 is copied; otherwise, only its sound is.
    let filters: String

    var description: String { "\(name) \(sound.joined(separator: " ")) \(filters)" }

    init(_ name: String, _ sound: String..., to format: String, filters: String = "") {
      (self.name, self.format, self.filters) = (name, format, filters)
      self.sound = ["-c:a"] + sound
    }
  }

  private static let exposure = #"{ "filter": "exposure", "stops": 0.2 }"#

  /// Decoders of MP3 and of Opus need several packets before they return the right samples, and
  /// those of AAC need one.
  @Test(
    arguments: TestVolume.pairs(
      [
        Source("a.mov", "libmp3lame", "-b:a", "32k", to: "mov"),
        Source("a.mp4", "libmp3lame", to: "mp4"), Source("a.mp4", "libopus", to: "mp4"),
        Source("a.mov", "aac", to: "mov"),
        Source("a.mkv", "libmp3lame", "-b:a", "32k", to: "mov", filters: exposure),
        Source("a.mkv", "libmp3lame", to: "mp4", filters: exposure),
        Source("a.mkv", "libvorbis", to: "mp4", filters: exposure),
      ], [0.4, 1.2, 1.48]))
  func aPartIsHeardFromItsFirstFrame(_ source: Source, _ from: Double) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(source.name)")
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"]
        + ["-f", "lavfi", "-i", RisingTone.source, "-g", "10", "-pix_fmt", "yuv420p"]
        + ["-c:v", "libx264"] + source.sound, to: film)
    try place.writeFilmRecipe(
      #""format": "\#(source.format)", "from": "\#(from)s""#, filters: source.filters)
    #expect(try place.reasons().reasons == [source.name: "rendered"])
    func sound(_ path: String) throws -> [Double] {
      let bytes = try FFmpeg.run(["-i", path, "-ac", "1", "-ar", "48000", "-f", "s16le", "-"])
      return stride(from: 0, to: bytes.count - 1, by: 2).map { place in
        Double(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32768
      }
    }
    // In MKV, the picture begins after the delay that the encoder of the sound needs.
    let times = try FFmpeg.times(film).compactMap(Double.init)
    let frame = try #require(times.first { $0 - times[0] >= from - 1e-6 })
    // The first packet of Vorbis has no sound, so the time of the first frame counts.
    let heard = try FFmpeg.probe(film, "frame=pts_time", ["-select_streams", "a"])
    let start = heard.first.flatMap(Double.init) ?? 0
    let (all, part) = (
      try sound(film), try sound(place.path("photos/a.part.\(source.format)"))
    )
    // Within 1 ms, because MKV states times in milliseconds; a silent start differs by 0.24.
    let shifts = source.name.hasSuffix("mkv") ? -48...48 : 0...0
    let differences = shifts.map { shift in
      let first = Int((48000 * (frame - start)).rounded()) + shift
      return (0..<2400).reduce(0) { $0 + abs(part[$1] - all[first + $1]) } / 2400
    }
    let least = try #require(differences.min())
    #expect(least < (source.sound.contains("libvorbis") ? 0.06 : 0.004), "\(least)")
  }
}
