import Foundation
import TestSupport
import Testing

/// Sound that the container of an output cannot store, and that is re-encoded.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmSoundTests {
  /// A film of 2 s with a tone that rises, so that each moment of its sound is known.
  struct Source: Sendable, CustomStringConvertible {
    let name: String
    let sound: [String]

    var description: String { "\(name) \(sound.joined(separator: " "))" }

    func make(in place: Workplace, more: [String] = []) throws {
      let codec = name.hasSuffix("webm") ? ["libvpx-vp9", "-cpu-used", "8"] : ["libx264"]
      try FFmpeg.encode(
        ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"]
          + ["-f", "lavfi", "-i", RisingTone.source, "-g", "10", "-pix_fmt", "yuv420p"]
          + ["-c:v"] + codec + sound + more, to: place.path("photos/\(name)"))
    }
  }

  /// An output of a source, and the facts about its sound.
  struct Conversion: Sendable, CustomStringConvertible {
    let source: Source
    let format: String
    let codec: String
    let rate: Int
    let channels: Int

    var description: String { "\(source) to \(format)" }

    init(
      _ name: String, _ sound: [String], to format: String, _ codec: String, _ rate: Int,
      _ channels: Int
    ) {
      source = Source(name: name, sound: sound)
      (self.format, self.codec, self.rate, self.channels) = (format, codec, rate, channels)
    }
  }

  static let conversions = [
    Conversion("a.mov", ["-c:a", "aac"], to: "webm", "opus", 48000, 1),
    Conversion(
      "a.mp4", ["-c:a", "aac", "-ar", "44100", "-ac", "2"], to: "webm", "opus", 48000, 2),
    Conversion("a.mov", ["-c:a", "pcm_s16le", "-ar", "44100"], to: "webm", "opus", 48000, 1),
    Conversion("a.mov", ["-c:a", "alac"], to: "webm", "opus", 48000, 1),
    Conversion("a.mov", ["-c:a", "libmp3lame"], to: "webm", "opus", 48000, 1),
    Conversion("a.mov", ["-c:a", "ac3"], to: "webm", "opus", 48000, 1),
    Conversion("a.mkv", ["-c:a", "flac"], to: "webm", "opus", 48000, 1),
    // Packets of one second.
    Conversion(
      "a.mkv", ["-af", "asetnsamples=n=48000:p=0", "-c:a", "pcm_s16le", "-ac", "2"], to: "webm",
      "opus", 48000, 2),
    Conversion(
      "a.mov", ["-c:a", "pcm_s16be", "-ar", "44100", "-ac", "2"], to: "mp4", "aac", 44100, 2),
    Conversion("a.mov", ["-c:a", "pcm_s24le"], to: "mp4", "aac", 48000, 1),
    Conversion("a.mkv", ["-c:a", "flac"], to: "mov", "aac", 48000, 1),
    // The muxer of MOV refuses Opus only in the header.
    Conversion("a.webm", ["-c:a", "libopus"], to: "mov", "aac", 48000, 1),
  ]

  private static let exposure = #"{ "filter": "exposure", "stops": 0.3 }"#

  private func recipe(_ place: Workplace, _ outputs: String) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.sound", "version": "1.0.0",
        "filters": [ \(Self.exposure) ], "outputs": [ \(outputs) ] }
      """, to: "recipe.json")
  }

  /// Renders the output `film`; returns its path and the messages of the run.
  private func rendered(
    _ place: Workplace, _ format: String, more: String = ""
  ) throws -> (path: String, messages: String) {
    try recipe(place, #"{ "name": "film", "format": "\#(format)"\#(more) }"#)
    let run = try place.run()
    let messages = run.output + run.messages
    #expect(run.code == 0, "\(messages)")
    return (place.path("photos/a.film.\(format)"), messages)
  }

  /// The samples of a film's sound, at 48 kHz, mixed to one channel.
  private func samples(_ path: String, track: Int = 0) throws -> [Double] {
    let bytes = try FFmpeg.run([
      "-i", path, "-map", "0:a:\(track)", "-ac", "1", "-ar", "48000", "-f", "s16le", "-",
    ])
    return stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      Double(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32768
    }
  }

  /// Compares sound with the rising tone from a time on, at several places.
  private func expectTone(
    _ sound: [Double], from start: Double = 0, at places: [Double] = [0, 0.7, 1.6],
    within tolerance: Double = 0.000_5
  ) throws {
    for place in places {
      let first = Int(place * 48000)
      try #require(sound.count >= first + 2400)
      let best = try #require(RisingTone.shift(of: Array(sound[first...]), from: start + place))
      #expect(abs(best) <= tolerance, "\(best) s at \(place) s")
    }
  }

  private func facts(_ path: String) throws -> [String] {
    try FFmpeg.probe(path, "stream=codec_name,sample_rate,channels", ["-select_streams", "a"])
  }

  /// The conversion is what the recipe states, so it is no warning.
  @Test(arguments: conversions) func soundThatTheContainerCannotStoreIsReencoded(
    _ conversion: Conversion
  ) throws {
    let place = try Workplace([])
    let source = conversion.source
    try source.make(in: place)
    let film = place.path("photos/\(source.name)")
    let (made, messages) = try rendered(place, conversion.format)
    #expect(!messages.contains("sound"), "\(messages)")
    #expect(
      try facts(made) == ["\(conversion.codec),\(conversion.rate),\(conversion.channels)"])
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    let (old, new) = (try samples(film), try samples(made))
    // The end of the last frame is cut off, except where ffmpeg ignores the end of an edit list.
    let excess = new.count - old.count
    #expect(excess >= -1 && excess <= (conversion.format == "webm" ? 1 : 1024), "\(excess)")
    try expectTone(new)
    #expect(try place.reasons().reasons == [source.name: "up-to-date"])
  }

  /// Sound that the container can store keeps its bytes, without a warning.
  @Test(arguments: [
    ("a.mov", ["-c:a", "aac"], "mp4"), ("a.mkv", ["-c:a", "libvorbis"], "webm"),
  ])
  func otherSoundIsCopied(_ name: String, _ sound: [String], _ format: String) throws {
    let place = try Workplace([])
    try Source(name: name, sound: sound).make(in: place)
    let (made, messages) = try rendered(place, format)
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(place.path("photos/\(name)")))
    #expect(!messages.contains("sound"), "\(messages)")
  }

  /// FFmpeg cannot copy the sound of a 3GP film to MOV; MP4 keeps its bytes.
  @Test(.enabled(if: Corpus.isHere), arguments: ["mov", "mp4"])
  func theSoundOfA3GPFilmBecomesAACInMOVOnly(_ format: String) throws {
    let place = try Workplace([])
    let folder = try #require(Corpus.folder) + "/video/metadata-extractor/"
    let film = place.path("photos/a.3gp")
    try FileManager.default.copyItem(atPath: folder + "sample.3gp", toPath: film)
    let (made, messages) = try rendered(place, format)
    let codec = try FFmpeg.probe(made, "stream=codec_name", ["-select_streams", "a"])
    #expect(codec == [format == "mov" ? "aac" : "amr_nb"])
    #expect(!messages.contains("sound"), "\(messages)")
  }

  /// Sound that is copied from a container that states the delay of its codec has this delay once.
  @Test(arguments: ["libopus", "aac"]) func copiedSoundKeepsItsDelay(_ codec: String) throws {
    let place = try Workplace([])
    try Source(name: "a.mkv", sound: ["-c:a", codec]).make(in: place)
    let made = try rendered(place, "mp4").path
    let (first, sound) = (["-select_streams", "a"], "packet=pts_time")
    let (old, new) = try (
      FFmpeg.probe(place.path("photos/a.mkv"), sound, first).compactMap(Double.init),
      FFmpeg.probe(made, sound, first).compactMap(Double.init)
    )
    // An edit list can hide the last packet.
    #expect(old.count > 50 && new.count >= old.count - 1)
    for (old, new) in zip(old, new) { #expect(abs(new - old) < 0.001) }
  }

  @Test(arguments: [
    ("a.mov", ["-c:a", "aac", "-ar", "44100"], "webm", 0.4, 1.6),
    ("a.mov", ["-c:a", "aac"], "webm", 0.52, 1.2),
    ("a.mov", ["-c:a", "pcm_s16le"], "mp4", 0.8, 1.6),
  ])
  func theSoundOfAPartIsThatOfItsFrames(
    _ name: String, _ sound: [String], _ format: String, _ from: Double, _ end: Double
  ) throws {
    let place = try Workplace([])
    try Source(name: name, sound: sound).make(in: place)
    let made = try rendered(place, format, more: #", "from": "\#(from)s", "to": "\#(end)s""#).path
    #expect(try FFmpeg.times(made).count == Int((25 * (end - from)).rounded()))
    let new = try samples(made)
    let excess = Double(new.count) / 48000 - (end - from)
    #expect(abs(excess) < (format == "webm" ? 0.000_1 : 0.025), "\(excess)")
    try expectTone(new, from: from, at: [0, 0.3, end - from - 0.1])
  }

  /// Each channel has a tone of its own.
  @Test(arguments: [
    ("5.1", 6, ["-c:a", "aac"], 6), ("5.1(side)", 6, ["-c:a", "pcm_s16le"], 6),
    ("7.1", 8, ["-c:a", "pcm_s16le"], 8), ("4.0", 4, ["-c:a", "pcm_s16le"], 2),
    ("5.1", 6, ["-c:a", "pcm_s16le", "-af", "asetnsamples=n=16384"], 6),
    // Layouts that cannot be mixed.
    ("BL+BR", 2, ["-c:a", "pcm_s16le"], 2), ("FL+FC", 2, ["-c:a", "pcm_s16le"], 2),
    ("FL+LFE", 2, ["-c:a", "pcm_s16le"], 2), ("SL+SR", 2, ["-c:a", "pcm_s16le"], 2),
    ("TFL+TFR", 2, ["-c:a", "pcm_s16le"], 2),
  ])
  func channelsAreKept(_ layout: String, _ count: Int, _ sound: [String], _ kept: Int) throws {
    let place = try Workplace([])
    let tones = [300, 400, 500, 60, 700, 800, 900, 1000].prefix(count)
    let sources = tones.map { "0.2*sin(2*PI*\($0)*t)" }.joined(separator: "|")
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-f", "lavfi", "-i"]
        + ["aevalsrc=\(sources):s=48000:d=1:c=\(layout)", "-c:v", "libx264"]
        + ["-pix_fmt", "yuv420p"] + sound, to: place.path("photos/a.mov"))
    let (made, messages) = try rendered(place, "webm")
    #expect(try facts(made) == ["opus,48000,\(kept)"])
    let mixed = "'film' is mixed down to stereo, because Opus has no layout for its channels"
    #expect(messages.contains(mixed) == (kept < count), "\(messages)")
    let bytes = try FFmpeg.run(["-i", made, "-f", "s16le", "-"])
    for (channel, tone) in tones.prefix(kept).enumerated() {
      #expect(Self.strongest(of: Array(tones), in: bytes, channel, of: kept) == tone)
    }
  }

  /// The strongest of several tones in a channel of interleaved 16-bit samples, at 48 kHz.
  private static func strongest(
    of tones: [Int], in bytes: [UInt8], _ channel: Int, of channels: Int
  ) -> Int? {
    let samples = (4800..<28800).map { number in
      let place = 2 * (number * channels + channel)
      return Double(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
    }
    func strength(_ tone: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (number, sample) in samples.enumerated() {
        let angle = 2 * Double.pi * Double(tone) * Double(number) / 48000
        real += sample * cos(angle)
        imaginary += sample * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    return tones.max { strength($0) < strength($1) }
  }

  /// Both tracks are re-encoded, also for several outputs, and keep their languages.
  @Test func allTracksAndOutputsHaveSound() throws {
    let place = try Workplace([])
    try Source(name: "a.mov", sound: ["-c:a", "pcm_s16le"]).make(
      in: place,
      more: ["-map", "0", "-map", "1", "-map", "1", "-c:a:1", "aac"]
        + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=jpn"])
    try recipe(
      place,
      ["webm", "mp4", "mov"].map { #"{ "name": "\#($0)", "format": "\#($0)" }"# }
        .joined(separator: ","))
    let run = try place.run()
    #expect(run.code == 0, "\(run.output + run.messages)")
    let codecs = ["webm": ["opus", "opus"], "mp4": ["aac", "aac"], "mov": ["pcm_s16le", "aac"]]
    for (format, codecs) in codecs {
      let made = place.path("photos/a.\(format).\(format)")
      let language = ["-select_streams", "a"]
      #expect(try FFmpeg.probe(made, "stream=codec_name", language) == codecs)
      #expect(try FFmpeg.probe(made, "stream_tags=language", language) == ["eng", "jpn"])
      for track in [0, 1] { try expectTone(samples(made, track: track)) }
    }
  }

  private static let damage = "the sound of 'film' is silent where that of the film is damaged"

  /// A damaged packet is silent, and the sound after it keeps its time.
  @Test(arguments: [
    ("mov", "aac", 40..<43, 41_000..<41_500), ("mov", "ac3", 26..<28, 40_200..<41_500),
    ("mkv", "flac", 9..<10, 41_500..<45_500),
  ])
  func damagedPacketsAreSilent(
    _ container: String, _ codec: String, _ packets: Range<Int>, _ silent: Range<Int>
  ) throws {
    let place = try Workplace([])
    let name = "a.\(container)"
    try Source(name: name, sound: ["-c:a", codec]).make(in: place)
    try damage(place, name, packets: packets)
    let (made, messages) = try rendered(place, "webm")
    #expect(messages.contains(Self.damage), "\(messages)")
    let sound = try samples(made)
    #expect(sound[silent].allSatisfy { abs($0) < 0.02 })
    try expectTone(sound, at: [0, 0.7, 1.2, 1.6])
  }

  @Test func aFilmWhoseSoundCannotBeDecodedIsRefused() throws {
    let place = try Workplace([])
    try Source(name: "a.mov", sound: ["-c:a", "aac"]).make(in: place)
    try damage(place, "a.mov", packets: 0..<Int.max)
    try recipe(place, #"{ "name": "film", "format": "webm" }"#)
    let run = try place.run()
    let messages = run.output + run.messages
    #expect(messages.contains("the film's sound is damaged and cannot be decoded"), "\(messages)")
    #expect(try place.names() == ["a.mov"])
  }

  @Test func oneGoodTrackIsEnough() throws {
    let place = try Workplace([])
    try Source(name: "a.mov", sound: ["-c:a", "aac"]).make(
      in: place, more: ["-map", "0", "-map", "1", "-map", "1"])
    try damage(place, "a.mov", packets: 0..<Int.max)
    let (made, messages) = try rendered(place, "webm")
    #expect(messages.contains(Self.damage), "\(messages)")
    try expectTone(samples(made, track: 1))
  }

  /// Overwrites packets of the first track with sound.
  private func damage(_ place: Workplace, _ name: String, packets: Range<Int>) throws {
    let film = place.path("photos/\(name)")
    let isMatroska = name.hasSuffix("mkv")
    let list = try FFmpeg.probe(
      film, "packet=size,pos",
      (isMatroska ? [] : ["-ignore_editlist", "1"]) + ["-select_streams", "a:0"])
    var bytes = try place.read(name)
    // In MKV, the track, the time and the flags precede the data.
    let header = isMatroska ? 4 : 0
    for line in list[packets.clamped(to: list.indices)] {
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      for offset in 0..<numbers[0] { bytes[numbers[1] + header + offset] = 0xFF }
    }
    try Data(bytes).write(to: URL(filePath: film))
  }

  /// A wrong time stamp of one packet, as in damaged files, neither moves nor silences the sound.
  @Test(arguments: [(0, 20_000), (40, 20_000), (40, -300)])
  func aSingleWrongTimeIsIgnored(_ number: Int, _ milliseconds: Int) throws {
    let place = try Workplace([])
    try Source(name: "a.mkv", sound: ["-c:a", "pcm_s16le"]).make(in: place)
    let film = place.path("photos/a.mkv")
    let list = try FFmpeg.probe(film, "packet=pos", ["-select_streams", "a"])
    let position = try #require(Int(list[number].split(separator: ",")[0]))
    // A signed time in milliseconds follows the number of the track.
    var bytes = try place.read("a.mkv")
    let time = Int16(bitPattern: UInt16(bytes[position + 1]) << 8 | UInt16(bytes[position + 2]))
    let wrong = UInt16(bitPattern: time + Int16(milliseconds))
    bytes[position + 1] = UInt8(wrong >> 8)
    bytes[position + 2] = UInt8(wrong & 0xFF)
    try Data(bytes).write(to: URL(filePath: film))
    let (made, messages) = try rendered(place, "webm")
    #expect(!messages.contains("sound"), "\(messages)")
    let sound = try samples(made)
    #expect(abs(sound.count - 96_000) <= 48, "\(sound.count)")
    // MKV rounds the time of the second packet, which replaces that of the first one, to 1 ms.
    try expectTone(sound, at: [0, 0.7, 0.85, 1.6], within: number == 0 ? 0.001 : 0.000_5)
  }

  /// A gap between the time stamps becomes silence of the same duration.
  ///
  /// For the first of very short packets after the gap, the resampler returns nothing.
  @Test(arguments: [
    ("mp4", ["-c:a", "aac"], 40...49, 41_000..<47_000),
    (
      "mkv", ["-ar", "44100", "-af", "asetnsamples=n=8:p=0", "-c:a", "pcm_s16le"], 4400...5500,
      35_600..<43_600
    ),
  ])
  func gapsAreSilent(
    _ container: String, _ codec: [String], _ packets: ClosedRange<Int>, _ gap: Range<Int>
  ) throws {
    let place = try Workplace([])
    let name = "whole.\(container)"
    try Source(name: name, sound: codec).make(in: place)
    try FFmpeg.run([
      "-i", place.path("photos/\(name)"), "-c", "copy", "-bsf:a",
      "noise=drop=between(n\\,\(packets.lowerBound)\\,\(packets.upperBound))",
      place.path("photos/a.\(container)"),
    ])
    try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    let (made, messages) = try rendered(place, "webm")
    #expect(!messages.contains("damaged"))
    let sound = try samples(made)
    #expect(sound[gap].allSatisfy { abs($0) < 0.01 })
    try expectTone(sound, at: [0, 0.6, 1.2, 1.6])
  }

  /// Sound with a slow clock is stretched by less than the ear notices, and stays in sync.
  @Test func soundDoesNotDrift() throws {
    let place = try Workplace([])
    // The tone has 96,000 samples; by its time stamps, it lasts 2.008 s.
    try Source(name: "a.mkv", sound: ["-af", "asetpts=PTS*1.004", "-c:a", "pcm_s16le"])
      .make(in: place)
    let sound = try samples(rendered(place, "webm").path)
    #expect(abs(sound.count - 96_384) < 240, "\(sound.count)")
  }

  /// Sound that is not decoded is left out with a warning if the film has other sound.
  @Test func otherTracksReplaceSoundThatIsNotDecoded() throws {
    let place = try Workplace([])
    try Source(name: "a.mkv", sound: ["-c:a", "aac"]).make(
      in: place, more: ["-map", "0", "-map", "1", "-map", "1", "-c:a:1", "adpcm_ms"])
    let (made, messages) = try rendered(place, "webm")
    #expect(messages.contains("not in 'film': the film's sound in 'adpcm_ms'"), "\(messages)")
    #expect(try facts(made) == ["opus,48000,1"])
  }

  /// Real films of phones.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: ["video/android-vfr.mp4", "video/metadata-extractor/with-gps.mov"])
  func aFilmOfAPhoneHasSoundInWebM(_ path: String) throws {
    let place = try Workplace([])
    let name = "a.\((path as NSString).pathExtension)"
    let film = place.path("photos/\(name)")
    try FileManager.default.copyItem(
      atPath: #require(Corpus.folder) + "/" + path, toPath: film)
    let made = try rendered(place, "webm", more: #", "codec": "vp9", "effort": 0, "to": "1.2s""#)
      .path
    #expect(try facts(made).first?.hasPrefix("opus,48000") == true)
    let (old, new) = (try samples(film), try samples(made))
    #expect(abs(new.count - 57_600) <= 48)
    // The difference to the source is small compared with the sound.
    let pairs = zip(old[4800..<52_800], new[4800..<52_800])
    let error = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let power = old[4800..<52_800].reduce(0) { $0 + $1 * $1 }
    #expect(error <= 0.1 * power)
  }
}
