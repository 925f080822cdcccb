import Foundation
import TestRandom
import TestSupport
import Testing

/// Films in HLG and PQ: light above white stays, and only outputs with a profile compress it.
@Suite(.enabled(if: FFmpeg.isHere)) struct HDRFilmTests {
  struct Coding: Sendable, CustomStringConvertible {
    let name: String
    /// The light in cd/m² that a sample of 0…1 represents, before the system gamma.
    let light: @Sendable (Double) -> Double
    let sample: @Sendable (Double) -> Double
    let systemGamma: Double

    var description: String { name }
  }

  /// - Source: Rec. ITU-R BT.2100-2, tables 4 and 5.
  static let codings = [
    Coding(
      name: "smpte2084",
      light: { sample in
        let power = pow(sample, 1 / 78.84375)
        let part = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
        return 10_000 * pow(part, 1 / 0.1593017578125)
      },
      sample: { light in
        let power = pow(max(light, 0) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
      }, systemGamma: 1),
    Coding(
      name: "arib-std-b67",
      light: { sample in
        sample <= 0.5
          ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
      },
      sample: { light in
        light <= 1.0 / 12
          ? (3 * max(light, 0)).squareRoot()
          : 0.17883277 * log(12 * light - 0.28466892) + 0.55991073
      }, systemGamma: 1.2),
  ]

  /// Makes a film of half a second without loss: greys from dark to bright, with weak colours.
  ///
  /// `options` come before the name of the file.
  static func makeFilm(
    _ path: String, _ coding: Coding, primaries: String = "bt2020", more: String = "",
    hasSound: Bool = false, _ options: [String] = []
  ) throws {
    let colours =
      "geq=lum='250+550*X/W':cb='512+60*(Y/H-0.5)':cr='512-60*(X/W-0.5)'"
    try FFmpeg.encode(
      ["-f", "lavfi"]
        + ["-i", "color=size=128x96:rate=10:duration=0.5,format=yuv420p10le,\(colours)"]
        + (hasSound ? ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.5", "-c:a", "aac"] : [])
        + ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params"]
        + [
          "lossless=1:log-level=none:colorprim=\(primaries == "unknown" ? "undef" : primaries)"
            + ":transfer=\(coding.name):colormatrix=bt2020nc:range=limited\(more)"
        ]
        + ["-color_primaries", primaries, "-color_trc", coding.name, "-colorspace", "bt2020nc"]
        + options, to: path)
  }

  /// The first frame as interleaved RGB, 0…1, in the film's own coding.
  static func colours(_ path: String) throws -> [Double] {
    let bytes = try FFmpeg.run([
      "-i", path, "-frames:v", "1", "-vf", "scale=in_color_matrix=bt2020:in_range=limited",
      "-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp", "-pix_fmt", "rgb48le",
      "-f", "rawvideo", "-",
    ])
    return stride(from: 0, to: bytes.count, by: 2).map {
      Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 65_535
    }
  }

  /// The mean and the largest difference of the first frame of `film` from that of `source` after
  /// its displayed light is multiplied by 2^`stops`; light that is clipped does not count.
  static func differences(
    _ film: String, from source: String, _ stops: Double, _ coding: Coding
  ) throws -> (mean: Double, most: Double) {
    let (before, after) = (try colours(source), try colours(film))
    #expect(before.count == 3 * 128 * 96 && after.count == before.count)
    if after.count != before.count { return (1, 1) }
    var (sum, most) = (0.0, 0.0)
    for pixel in stride(from: 0, to: before.count, by: 3) {
      let wanted = lit(Array(before[pixel..<pixel + 3]), by: exp2(stops), coding)
      for band in 0..<3 where wanted[band] < 0.99 {
        let difference = abs(after[pixel + band] - wanted[band])
        (sum, most) = (sum + difference, max(most, difference))
      }
    }
    return (sum / Double(before.count), most)
  }

  /// A colour after its displayed light is multiplied by `gain`.
  private static func lit(_ colour: [Double], by gain: Double, _ coding: Coding) -> [Double] {
    func luminance(_ light: [Double]) -> Double {
      0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
    }
    let scene = colour.map(coding.light)
    let shown = pow(luminance(scene), coding.systemGamma - 1)
    let after = scene.map { $0 * shown * gain }
    let back = pow(luminance(after), 1 / coding.systemGamma - 1)
    return after.map { coding.sample($0 * back) }
  }

  private static func recipe(
    _ place: Workplace, _ stops: Double, format: String = "mov", more: String = ""
  ) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.film", "version": "1.0.0",
        "filters": [ { "filter": "exposure", "stops": \(stops) } ],
        "outputs": [ { "name": "film", "format": "\(format)", "quality": 100 \(more) } ] }
      """, to: "recipe.json")
  }

  @Test(arguments: TestVolume.pairs(codings, [-1, 0.5]))
  func lightIsEditedInTheCodingOfTheFilm(_ coding: Coding, _ stops: Double) throws {
    let place = try Workplace([])
    let source = place.path("photos/a.mov")
    try Self.makeFilm(source, coding)
    try Self.recipe(place, stops)
    let result = try place.run()
    #expect(result.code == 0 && !result.messages.contains("compressed"), "\(result.messages)")
    let film = place.path("photos/a.film.mov")
    let entries = "stream=pix_fmt,color_space,color_transfer,color_primaries"
    #expect(
      try FFmpeg.probe(film, entries, ["-select_streams", "v"])
        == ["yuv420p10le,bt2020nc,\(coding.name),bt2020"])
    #expect(try FFmpeg.times(film) == FFmpeg.times(source))
    let found = try Self.differences(film, from: source, stops, coding)
    #expect(found.mean < 0.003 && found.most < 0.02, "\(found)")
  }

  /// The codecs of other containers get 10 bits and the tags of the film; a film without primaries
  /// has those of BT.2020.
  @Test(arguments: [("mp4", "h264"), ("webm", "vp9"), ("mp4", "av1")])
  func renditionsOfOtherCodecsStateTheCoding(_ format: String, _ codec: String) throws {
    let place = try Workplace([])
    try Self.makeFilm(place.path("photos/a.mov"), Self.codings[1], primaries: "unknown")
    try Self.recipe(
      place, -0.5, format: format,
      more: #", "codec": "\#(codec)", "effort": 0, "gamut": "perceptual""#)
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    let film = place.path("photos/a.film.\(format)")
    let entries = "stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries"
    #expect(
      try FFmpeg.probe(film, entries, ["-select_streams", "v"])
        == ["\(codec),yuv420p10le,bt2020nc,arib-std-b67,bt2020"])
    let brightest = try Self.colours(film).max() ?? 0
    let wanted = try Self.colours(place.path("photos/a.mov")).max() ?? 0
    #expect(brightest > wanted - 0.12 && brightest < wanted - 0.04)
  }

  /// A recipe without a change copies the film, with its data about displays; an edit loses them.
  @Test func aFilmWithoutAnEditIsCopied() throws {
    let place = try Workplace([])
    try Self.makeFilm(
      place.path("photos/a.mov"), Self.codings[0], more: ":hdr10=1:max-cll=900,400")
    try Self.recipe(place, 0)
    let copied = try place.run()
    #expect(copied.code == 0 && !copied.messages.contains("not in the renditions"))
    #expect(try place.read("a.film.mov") == place.read("a.mov"))
    try Self.recipe(place, 1)
    // The original has the bytes of a rendition, and still is no rendition.
    let edited = try place.run()
    #expect(edited.code == 0 && edited.output.contains("1 rendered"), "\(edited.output)")
    #expect(edited.messages.contains("data about the display on which it was graded"))
  }

  /// An output with a profile, and a frame as a photo, are for standard displays.
  @Test func outputsForStandardDisplaysCompressHighlights() throws {
    let place = try Workplace([])
    try Self.makeFilm(place.path("photos/a.mov"), Self.codings[1])
    try Self.recipe(
      place, -0.5,
      more: #"""
        , "profile": "srgb" }, { "name": "poster", "format": "png", "frame": "0s"
        """#)
    let result = try place.run()
    #expect(result.code == 0 && result.messages.contains("highlights were compressed"))
    let film = place.path("photos/a.film.mov")
    let entries = "stream=color_space,color_transfer,color_primaries"
    #expect(try FFmpeg.probe(film, entries, ["-select_streams", "v"]) == ["bt709,bt709,bt709"])
    let (shown, poster) = (
      try FFmpeg.frame(0, of: film), try FFmpeg.frame(0, of: place.path("photos/a.poster.png"))
    )
    let differences = zip(shown, poster).map { abs(Int($0) - Int($1)) }
    #expect(shown.count == poster.count && differences.max() ?? 255 <= 4)
  }
}
