import Foundation
import TestSupport
import Testing

/// Runs over films that are killed and begun again.
@Suite(.enabled(if: FFmpeg.isHere)) struct FilmResumptionTests {
  /// A library with a film of 700 frames, and a recipe that encodes it in about two seconds.
  private static func library(_ format: String, colours: String = "") throws -> Workplace {
    let place = try Workplace([])
    try FFmpeg.encode(
      ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=28\(colours)"]
        + ["-f", "lavfi", "-i", "sine=frequency=440:duration=28", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-pix_fmt", "yuv420p"], to: place.path("photos/a.mp4"))
    try place.folder.write(
      """
      { "identifier": "org.example.films", "version": "1.0.0",
        "filters": [ { "filter": "exposure", "stops": 0.3 } ],
        "outputs": [ { "name": "film", \(format) } ] }
      """, to: "recipe.json")
    return place
  }

  private static func start(_ place: Workplace) throws -> RunningCommand {
    try Command.start(["run", place.path("recipe.json"), place.library])
  }

  /// The path of the record of the film's finished segments; nil if there is none.
  private static func record(_ place: Workplace) throws -> String? {
    let folder = place.path("photos/.phbatch/films")
    let records = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    #expect(records.count < 2)
    return records.first.map { "\(folder)/\($0)" }
  }

  /// Kills a run after its first segment; returns the path of the film's record.
  ///
  /// `whole` has the bytes of the film; a segment is a third of it. A run that ends before this
  /// process notices its progress is done anew.
  private static func killed(_ place: Workplace, _ whole: [UInt8]) throws -> String {
    func size(_ path: String) -> Int {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }
    let isKilled = try (0..<20).contains { _ in
      let command = try start(place)
      #expect(
        try eventually {
          try !command.isRunning || record(place).map(size) ?? 0 > whole.count * 45 / 100
        })
      command.send(SIGKILL)
      if try command.result().code == 128 + SIGKILL { return true }
      try Shell.run("cd '\(place.library)' && rm -r .phbatch a.film.* a.mp4.phbatch.json")
      return false
    }
    try #require(isKilled)
    #expect(try place.names().allSatisfy { !$0.hasPrefix("a.film") })
    return try #require(try record(place))
  }

  private static func finished(_ place: Workplace, _ name: String) throws -> [UInt8] {
    #expect(try place.reasons().reasons == ["a.mp4": "rendered"])
    let folder = place.path("photos/.phbatch/films")
    #expect(!FileManager.default.fileExists(atPath: folder))
    return try place.read(name)
  }

  /// A run that continues gives the bytes of a run that was not interrupted, also if the record
  /// ends early or is damaged.
  @Test(
    arguments: [
      (#""format": "mp4", "effort": 4"#, "a.film.mp4", ["cut", "damage"]),
      (#""format": "mov", "codec": "hevc", "effort": 2"#, "a.film.mov", [""]),
      // The sound is re-encoded as Opus.
      (#""format": "webm", "codec": "vp9", "effort": 0"#, "a.film.webm", [""]),
    ])
  func aKilledRunIsContinuedWithTheSameBytes(
    _ format: String, _ name: String, _ changes: [String]
  ) throws {
    let whole = try Self.finished(Self.library(format), name)
    let place = try Self.library(format)
    let record = try Self.killed(place, whole)
    let recorded = try Data(contentsOf: URL(filePath: record))
    #expect(recorded.count > 10_000)
    try Shell.run("cp -a '\(place.library)' '\(place.path("killed"))'")
    for change in changes {
      try Shell.run(
        "rm -r '\(place.library)' && cp -a '\(place.path("killed"))' '\(place.library)'")
      var bytes = recorded
      if change == "cut" { bytes = bytes.dropLast(bytes.count / 3) }
      if change == "damage" { bytes[bytes.count / 2] ^= 1 }
      try bytes.write(to: URL(filePath: record))
      let isSame = try Self.finished(place, name) == whole
      #expect(isSame, "\(change)")
    }
  }

  /// The recorded frames are not rendered again: those of another film's record stay.
  @Test func recordedFramesAreNotRenderedAgain() throws {
    let format = #""format": "mp4", "effort": 4"#
    let (first, second) = (
      try Self.library(format), try Self.library(format, colours: ",negate")
    )
    let whole = try Self.finished(Self.library(format), "a.film.mp4")
    let other = try Data(contentsOf: URL(filePath: Self.killed(first, whole)))
    let record = try Self.killed(second, whole)
    try other.write(to: URL(filePath: record))
    _ = try Self.finished(first, "a.film.mp4")
    _ = try Self.finished(second, "a.film.mp4")
    let films = [first, second].map { $0.path("photos/a.film.mp4") }
    for (number, isSame) in [(0, true), (249, true), (699, false)] {
      let frames = try films.map { try FFmpeg.frame(number, of: $0) }
      #expect((frames[0] == frames[1]) == isSame, "frame \(number)")
    }
    #expect(try FFmpeg.times(films[0]) == FFmpeg.times(films[1]))
  }
}
