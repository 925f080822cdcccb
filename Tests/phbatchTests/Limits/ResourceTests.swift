import Foundation
import SystemPackage
import TestSupport
import Testing

/// The memory and processes of a run, and the sandbox of its workers.
@Suite struct ResourceTests {
  private static let turn = #""filters": [ { "filter": "rotate", "angle": 90 } ],"#

  private static func place(width: Int, height: Int) throws -> Workplace {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: width, height: height)
    try place.folder.write(
      """
      {"identifier": "org.example.turn", "version": "1.0.0", "variant": "web", \(turn)
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """, to: "recipe.json")
    return place
  }

  /// Pictures that are too large for the memory are buffered in a file, and the rendition has the
  /// same bytes.
  @Test func aRunWithLittleMemoryGivesTheSameBytes() throws {
    let place = try Self.place(width: 5000, height: 4000)
    #expect(try place.run("recipe", "--output", place.path("much")).code == 0)
    let result = try place.run("recipe", "--output", place.path("little"), "--memory", "170M")
    #expect(result.code == 0, "\(result.messages)")
    #expect(
      try place.folder.read("much/a.web.jpg") == place.folder.read("little/a.web.jpg"))
  }

  /// A dry run does not read a photo without a sidecar to its end.
  @Test(.enabled(if: Tracer.isPossible)) func aDryRunDoesNotReadNewPhotosCompletely() throws {
    let place = try Workplace()
    try place.recipe()
    // The added bytes follow the picture, so a run reads them only for the photo's digest.
    let photo = try place.read("a.jpg") + [UInt8](repeating: 7, count: 3 << 20)
    try place.folder.write(photo, to: "photos/a.jpg")
    func bytesRead(_ arguments: [String]) throws -> Int {
      let trace = place.path("trace")
      let result = try Command.run(
        ["run", place.folder["recipe.json"].string, place.library] + arguments,
        prefix: Tracer.prefix("pread64", to: trace, "-y"))
      #expect(result.code == 0, "\(result.messages)")
      let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      return calls.filter { $0.contains("/a.jpg>") }.compactMap {
        $0.split(separator: " ").last.flatMap { Int($0) }
      }.reduce(0, +)
    }
    #expect(try bytesRead(["--dry-run"]) < 1 << 20)
    #expect(try bytesRead([]) >= photo.count)
  }

  /// A command that renders forks its first workers, so that no program needs to be started for
  /// them.
  ///
  /// The first thread does not fork them, because Swift's locks have already recorded its thread
  /// identifier. In a child process, two threads that wait for the same lock would then wait
  /// forever.
  @Test(.enabled(if: Tracer.isPossible)) func theFirstWorkersAreForkedBeforeARun() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    let trace = place.path("trace")
    let result = try place.run(
      "recipe", "--jobs", "2",
      prefix: Tracer.prefix("execve,clone,clone3,fork,vfork", to: trace))
    #expect(result.code == 0, "\(result.messages)")
    let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    #expect(calls.count { $0.contains("execve(") } == 1)
    let first = try #require(calls.first?.prefix { $0 != " " })
    let forks = calls.filter {
      $0.contains("clone") && $0.contains("SIGCHLD") && !$0.contains("CLONE_THREAD")
    }
    #expect(forks.count == 2)
    #expect(forks.allSatisfy { $0.prefix { $0 != " " } != first })
  }

  /// If stderr is closed, a file that a run opens could get its descriptor number; the run must not
  /// write messages into that file.
  @Test func aRunWithClosedStandardDescriptorsDamagesNoFile() throws {
    func place() throws -> Workplace {
      let place = try Workplace(["a.jpg", "b.jpg"])
      try place.recipe()
      try place.folder.write("no photo", to: "photos/c.jpg")
      return place
    }
    let environment = ["SOURCE_DATE_EPOCH": "1700000000"]
    let usual = try place()
    #expect(try usual.run("recipe", environment: environment).code == 3)
    let closed = try place()
    let result = try closed.run(
      "recipe", environment: environment,
      prefix: ["sh", "-c", #"exec "$0" "$@" 0<&- 1>&- 2>&-"#])
    // The exit code for failed photos takes precedence over the exit code for results that could
    // not be written.
    #expect(result.code == 3)
    let files = try closed.snapshot()
    #expect(files.keys.sorted() == (try usual.snapshot().keys.sorted()))
    for name in ["a.web.jpg", "b.web.jpg", "c.jpg"] {
      #expect(try closed.read(name) == usual.read(name))
    }
  }

  /// A worker that the command forked in advance ends with the command, even if no photo needed it.
  @Test(.enabled(if: Tracer.isPossible)) func forkedWorkersEndWithTheirCommand() throws {
    let place = try Workplace()
    try place.recipe()
    let trace = place.path("trace")
    for _ in 0..<2 {
      // strace ends only when all processes that it traces have ended.
      let result = try place.run(
        "recipe", "--jobs", "2", prefix: Tracer.prefix("none", to: trace))
      #expect(result.code == 0, "\(result.messages)")
      let ends = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      #expect(ends.count { $0.hasSuffix("exited with 0 +++") } >= 3)
    }
  }

  @Test func aPhotoAboveTheMemoryLimitIsReportedWithItsMemory() throws {
    let place = try Self.place(width: 3000, height: 2000)
    let result = try place.run("recipe", "--memory", "100M")
    #expect(result.code == 3)
    #expect(result.messages.contains("a.jpg: out-of-memory (about "))
    #expect(result.messages.contains("--memory"))
    // With a higher memory limit, the photo is tried again.
    #expect(try place.run("recipe", "--memory", "1G").code == 0)
  }

  @Test(arguments: ["much", "-5", "1Q"]) func aMemoryLimitThatIsNotASizeIsRefused(
    _ size: String
  ) throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run("recipe", "--memory=\(size)")
    #expect(result.code == 64)
    #expect(result.messages.contains("--memory must be a size"))
  }

  @Test func doctorReportsLimitsAndFormats() throws {
    let result = try Command.run(["doctor"])
    #expect(result.code == 0)
    for beginning in [
      "sandbox: ", "memory: a run takes at most ", "temporary files: ", "processor: ",
      "formats read: jpeg, png", "libvips 8.",
    ] {
      #expect(result.lines.contains { $0.hasPrefix(beginning) }, "\(beginning)")
    }
  }

  @Test func explainPrintsThePredictedMemory() throws {
    let place = try Self.place(width: 600, height: 400)
    let photo = place.path("photos/a.jpg")
    let text = try Command.run(["explain", place.path("recipe.json"), photo]).output
    #expect(text.contains("Predicted peak memory of its worker\n  "))
    let json = try Command.run(
      ["explain", place.path("recipe.json"), photo, "--format", "json"]
    ).output
    #expect(json.contains(#""spilledBytes""#))
  }

  /// A run leaves only renditions, sidecars and the state folder, and nothing in TMPDIR.
  @Test func aRunLeavesNoFilesInTheTemporaryFolder() throws {
    let place = try Workplace()
    try place.recipe()
    let scratch = place.path("scratch")
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false)
    #expect(try place.run(environment: ["TMPDIR": scratch]).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
  }
}
