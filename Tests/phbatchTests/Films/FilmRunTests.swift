import Foundation
import TestSupport
import Testing

/// Film outputs with a maximum size, progress, and runs over films that are stopped.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmRunTests {
  private static let exposure = #"{ "filter": "exposure", "stops": 0.3 }"#

  private func recipe(_ place: Workplace, _ output: String, filters: String = exposure) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.films", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ { "name": "film", \(output) } ] }
      """, to: "recipe.json")
  }

  @Test(arguments: FilmCommandTests.kinds.prefix(3))
  func maxBytesLowersTheQualityOfAFilm(_ kind: FilmCommandTests.Kind) throws {
    let place = try Workplace([])
    let film = place.path("photos/\(kind.name)")
    // Noise has no limit of size, unlike the sound.
    try FFmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=10:duration=1,noise=alls=30:allf=t"]
        + ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=8000"]
        + kind.options + [film])
    let stem = (kind.name as NSString).deletingPathExtension
    let made = "\(stem).film.\(kind.format)"
    try recipe(place, #""format": "\#(kind.format)""#)
    #expect(try place.reasons().reasons == [kind.name: "rendered"])
    let limit = try place.read(made).count * 2 / 3
    try recipe(place, #""format": "\#(kind.format)", "maxBytes": \#(limit), "minQuality": 5"#)
    let result = try Command.run([
      "run", place.path("recipe.json"), place.library, "--format", "json",
    ])
    let event = try result.events.first { $0["event"] as? String == "asset-done" }
    let rendition = (event?["renditions"] as? [[String: Any]])?.first
    #expect((5..<75).contains(rendition?["quality"] as? Int ?? 0))
    let size = try place.read(made).count
    #expect(size <= limit)
    #expect(size > limit / 3)
    #expect(try FFmpeg.times(place.path("photos/\(made)")) == FFmpeg.times(film))
    #expect(try place.leftovers().isEmpty)
  }

  @Test func aFilmThatCannotFitIsOverBudget() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), FilmCommandTests.kinds[0].options)
    for filters in [Self.exposure, ""] {
      try recipe(place, #""format": "mp4", "maxBytes": 2000"#, filters: filters)
      let result = try place.run()
      #expect(result.code == 3)
      let text = result.output + result.messages
      #expect(text.contains("over-budget"))
      #expect(text.contains("more than the 2000 that 'maxBytes' allows"))
      #expect(try place.names() == ["a.mp4"])
    }
  }

  /// Without a change, a film's bytes are copied only if they fit.
  @Test func aFilmThatFitsIsCopied() throws {
    let place = try Workplace([])
    try FFmpeg.makeFilm(place.path("photos/a.mp4"), FilmCommandTests.kinds[0].options)
    try recipe(place, #""format": "mp4", "maxBytes": 10000000"#, filters: "")
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    #expect(try place.read("a.film.mp4") == place.read("a.mp4"))
  }

  /// A film whose rendering takes several seconds.
  private func makeLongFilm(_ place: Workplace) throws {
    try FFmpeg.encode(
      [
        "-f", "lavfi", "-i", "testsrc2=size=480x270:rate=25:duration=60", "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p",
      ], to: place.path("photos/a.mp4"))
  }

  /// Starts a run, and returns when the first event about frames has arrived.
  private func started(_ place: Workplace) throws -> RunningCommand {
    let command = try Command.start([
      "run", place.path("recipe.json"), place.library, "--format", "json",
    ])
    #expect(
      try eventually { try !command.isRunning || command.outputSoFar().contains("asset-progress") })
    return command
  }

  /// A run that is stopped while it renders a film ends between two frames, and leaves nothing.
  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aRunOverAFilmIsStoppedByASignal(signal: Int32, code: Int32) throws {
    let place = try Workplace([])
    try makeLongFilm(place)
    try recipe(place, #""format": "mp4", "effort": 8"#)
    let command = try started(place)
    let workers = Processes.children(of: command.number)
    #expect(!workers.isEmpty)
    command.send(signal)
    let result = try command.result()
    #expect(result.code == code)
    #expect(Processes.haveEnded(workers))
    #expect(try place.leftovers().isEmpty)
    #expect(try place.names() == ["a.mp4"])
    let progress = try result.events.filter { $0["event"] as? String == "asset-progress" }
    #expect(!progress.isEmpty)
    for event in progress {
      #expect(event["file"] as? String == "a.mp4")
      #expect(event["of"] as? Int == 1500)
      #expect((1..<1500).contains(event["frames"] as? Int ?? 0))
    }
  }
}
