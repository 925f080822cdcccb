import Foundation
import TestSupport
import Testing

/// Films that only the decoder finds to be of a kind that cannot be rendered.
@Suite(.enabled(if: FFmpeg.isHere)) struct UnrenderableFilmTests {
  /// A library with a film whose only sound cannot be converted.
  private static func place() throws -> Workplace {
    let place = try Workplace([])
    try FFmpeg.makeFilm(
      place.path("photos/a.mov"),
      ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "adpcm_ms"])
    try recipe(place, "mp4")
    return place
  }

  private static func recipe(_ place: Workplace, _ format: String) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.sound", "version": "1.0.0", "filters": [
        { "filter": "exposure", "stops": 0.3 } ],
        "outputs": [ { "name": "film", "format": "\(format)" } ] }
      """, to: "recipe.json")
  }

  private static func run(
    _ place: Workplace, _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> (reason: String?, text: String, code: Int32) {
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library, "--format", "json"] + options,
      environment: environment)
    return (try result.reasons["a.mov"], result.output, result.code)
  }

  private static let earlier = "result of an earlier run"

  @Test func aLaterRunReportsItWithoutDecodingIt() throws {
    let place = try Self.place()
    let first = try Self.run(place)
    #expect(first.reason == "unsupported-format")
    #expect(!first.text.contains(Self.earlier))
    for options in [["--check"], ["--dry-run"], []] {
      let later = try Self.run(place, options)
      #expect(later.reason == "unsupported-format", "\(options)")
      #expect(later.code == 0)
      #expect(later.text.contains("cannot be converted (\(Self.earlier))"), "\(later.text)")
      #expect(later.text.contains("use --refresh to try it again"))
    }
    let status = try Command.run([
      "status", place.library, "--recipe", place.path("recipe.json"), "--why",
    ])
    #expect(status.output.contains("recipe: unsupported-format"), "\(status.output)")
    #expect(status.output.contains(Self.earlier))
    #expect(status.output.contains("1 photo: 1 unsupported-format"))
  }

  @Test func itIsTriedAgainAfterAChange() throws {
    let place = try Self.place()
    _ = try Self.run(place)
    #expect(try Self.run(place, ["--check", "--refresh"]).reason == "due")
    #expect(try !Self.run(place, ["--refresh"]).text.contains(Self.earlier))
    // A library is installed.
    try FileManager.default.createDirectory(
      atPath: place.path("libraries"), withIntermediateDirectories: true)
    let installed = ["LD_LIBRARY_PATH": place.path("libraries")]
    #expect(try Self.run(place, ["--check"], environment: installed).reason == "due")
    #expect(try Self.run(place, ["--check"]).reason == "unsupported-format")
    // MOV can store the sound.
    try Self.recipe(place, "mov")
    #expect(try Self.run(place, ["--check"]).reason == "due")
    #expect(try Self.run(place).reason == "rendered")
    // Another film has the place of the first one.
    try Self.recipe(place, "mp4")
    let other = try Self.place()
    _ = try Self.run(other)
    try FFmpeg.makeFilm(other.path("photos/a.mov"), FilmCommandTests.kinds[0].options)
    #expect(try Self.run(other).reason == "rendered")
  }

  private static let outputs = """
    { "name": "film", "format": "webm" }, { "name": "frame", "format": "png", "frame": "0s" },
    { "name": "preview", "format": "webp", "every": "50%" }
    """

  private static func makeRecipe(_ place: Workplace, filters: String) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.alpha", "version": "1.0.0", "filters": [ \(filters) ],
        "outputs": [ \(outputs) ] }
      """, to: "recipe.json")
  }

  /// WebM has the alpha channel beside the picture, where FFmpeg's own decoders ignore it.
  @Test(arguments: [["libvpx-vp9", "-cpu-used", "8"], ["libvpx", "-auto-alt-ref", "0"]])
  func aFilmWithAlphaIsRefused(_ codec: [String]) throws {
    let place = try Workplace([])
    let film = place.path("photos/a.webm")
    try FFmpeg.makeFilm(
      film,
      ["-an", "-vf", "format=yuva420p,geq=lum='lum(X,Y)':cb=128:cr=128:a='X'", "-c:v"] + codec)
    for filters in ["", #"{ "filter": "exposure", "stops": 0.2 }"#] {
      try Self.makeRecipe(place, filters: filters)
      let result = try Command.run([
        "run", place.path("recipe.json"), place.library, "--format", "json", "--refresh",
      ])
      #expect(try result.reasons == ["a.webm": "unsupported-format"])
      #expect(result.output.contains("alpha channel"), "\(result.output)")
      #expect(try place.names() == ["a.webm"])
    }
    // FFmpeg keeps the mark of a film whose alpha channel it drops.
    let opaque = place.path("opaque.webm")
    try FFmpeg.run(
      ["-i", film, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-pix_fmt", "yuv420p", opaque])
    #expect(try FFmpeg.probe(opaque, "stream_tags=alpha_mode") == ["1"])
    try FileManager.default.removeItem(atPath: film)
    try FileManager.default.moveItem(atPath: opaque, toPath: film)
    #expect(try place.run().code == 0)
    #expect(try FFmpeg.probe(place.path("photos/a.film.webm"), "stream_tags=alpha_mode") == [])
  }

  /// Old QuickTime files may begin with free space instead of the box with their type.
  @Test func aFilmThatBeginsWithFreeSpaceIsRead() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mov"), FilmCommandTests.kinds[1].options)
    var film = try place.read("a.mov")
    film.replaceSubrange(4..<8, with: Array("free".utf8))
    try place.folder.write(film, to: "photos/a.mov")
    try Self.recipe(place, "mov")
    #expect(try Self.run(place).reason == "rendered")
    #expect(try FFmpeg.times(place.path("photos/a.film.mov")).count == 25)
    // The media data are missing.
    let media = try #require(film.firstRange(of: Array("mdat".utf8)))
    film.replaceSubrange(media, with: Array("free".utf8))
    let movie = try #require(film.firstRange(of: Array("moov".utf8)))
    film.replaceSubrange((media.upperBound + 4)..<(movie.lowerBound - 4), with: [])
    film.replaceSubrange((media.lowerBound - 4)..<media.lowerBound, with: [0, 0, 0, 12])
    try place.folder.write(film, to: "photos/a.mov")
    let result = try Self.run(place)
    #expect(result.reason == "unreadable")
    #expect(result.text.contains("the film cannot be read"), "\(result.text)")
    #expect(result.text.contains("play it to check it"), "\(result.text)")
  }
}
