import Foundation
import Glibc
import TestRandom
import TestSupport
import Testing

/// Runs that meet locks, receive signals, or lose their workers.
@Suite(.serialized) struct InterruptionTests {
  private static let photos = 2

  /// A library in which a run takes about a second per photo.
  private static func busyPlace() throws -> Workplace {
    let place = try Workplace([])
    let photo = try SyntheticPhoto.jpeg(width: 2000, height: 1500)
    for number in 1...photos { try place.folder.write(photo, to: "photos/\(number).jpg") }
    try place.recipe(output: #""name": "web", "format": "webp", "effort": 6"#)
    return place
  }

  /// Starts a run, and stops its worker in the middle of a photo.
  ///
  /// A worker that has used more than a tenth of a second of processor time is rendering: waiting
  /// or reading a header takes less.
  private static func started(
    _ place: Workplace, _ options: [String] = [], prefix: [String] = []
  ) throws -> (command: RunningCommand, workers: [Int32]) {
    let run = ["run", place.path("recipe.json"), place.library, "--jobs", "1", "--format", "json"]
    let command = try Command.start(run + options, prefix: prefix)
    var workers: [Int32] = []
    #expect(
      eventually {
        workers = Processes.children(of: command.number)
        return !command.isRunning || workers.contains { Processes.seconds(of: $0) > 0.1 }
      })
    send(SIGSTOP, to: workers)
    return (command, workers)
  }

  private static func send(_ signal: Int32, to processes: [Int32]) {
    for process in processes { kill(process, signal) }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aRunThatIsEndedByASignalLeavesNoIncompleteFiles(signal: Int32, code: Int32) throws {
    let place = try Self.busyPlace()
    let before = try place.snapshot()
    let (command, workers) = try Self.started(place)
    #expect(workers.count == 1)
    command.send(signal)
    Self.send(SIGCONT, to: workers)
    #expect(try command.result().code == code)
    #expect(Processes.haveEnded(workers))
    #expect(try place.leftovers() == [])
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    // Each rendition has its sidecar.
    let names = after.keys.filter { $0.hasSuffix(".webp") }.map { $0.prefix { $0 != "." } }
    #expect(names.allSatisfy { after["\($0).jpg.phbatch.json"] != nil })
    #expect(names.count < Self.photos)
    let rest = try place.reasons()
    #expect(rest.code == 0)
    #expect(rest.reasons.values.filter { $0 == "up-to-date" }.count == names.count)
  }

  /// The system and the shell may both report that the terminal closed.
  @Test func aSecondHangupDoesNotCutARunOff() throws {
    let place = try Self.busyPlace()
    let (command, workers) = try Self.started(place)
    for _ in 1...2 {
      command.send(SIGHUP)
      usleep(100_000)
    }
    Self.send(SIGCONT, to: workers)
    #expect(try command.result().code == 129)
    #expect(try place.leftovers() == [])
  }

  @Test func aRunThatIgnoresHangupsIsNotEndedByOne() throws {
    let place = try Self.busyPlace()
    let (command, workers) = try Self.started(place, prefix: ["nohup"])
    command.send(SIGHUP)
    Self.send(SIGCONT, to: workers)
    let result = try command.result()
    #expect(result.code == 0, "\(result.messages)")
  }

  /// A run that is stopped prints how many photos it has rendered.
  @Test func aStoppedRunPrintsItsTotals() throws {
    let place = try Self.busyPlace()
    try place.folder.write(try SyntheticPhoto.jpeg(width: 60, height: 40), to: "photos/0.jpg")
    // The small photo is done while the worker renders a larger one.
    let (command, workers) = try Self.started(place, ["--format", "text"])
    command.send(SIGINT)
    Self.send(SIGCONT, to: workers)
    let result = try command.result()
    #expect(result.code == 130)
    #expect(result.lines.last?.hasPrefix("stopped: ") == true)
    #expect(result.lines.last?.contains("rendered") == true)
  }

  /// A watch ends at any signal, even if the signal arrives before the watch handles signals, or
  /// when the watch has no work left.
  @Test func aWatchEndsAtASignalWheneverTheSignalArrives() throws {
    let place = try Workplace(["a.png"])
    try place.recipe()
    for number in stride(from: 0, to: 40, by: TestVolume.isWhole ? 1 : 7) {
      let watch = try Command.start(["watch", place.path("recipe.json"), place.library, "--quiet"])
      usleep(UInt32(number * 3_000))
      watch.send(number.isMultiple(of: 2) ? SIGTERM : SIGINT)
      #expect(try watch.result().code == (number.isMultiple(of: 2) ? 143 : 130))
    }
    #expect(try place.reasons().code == 0)
  }

  @Test func leftoversOfAKilledRunAreRemovedByTheNextRun() throws {
    let place = try Self.busyPlace()
    let (command, workers) = try Self.started(place)
    // The command is killed while it has a temporary file in the library.
    #expect(
      try eventually {
        command.send(SIGSTOP)
        if try !command.isRunning || !place.leftovers().isEmpty { return true }
        command.send(SIGCONT)
        Self.send(SIGCONT, to: workers)
        return false
      })
    command.send(SIGKILL)
    Self.send(SIGCONT, to: workers)
    #expect(try command.result().code == 128 + SIGKILL)
    #expect(Processes.haveEnded(workers))
    #expect(try place.leftovers().isEmpty == false)
    #expect(try place.reasons().code == 0)
    #expect(try place.leftovers() == [])
    #expect(try place.run().output == "\(Self.photos) up-to-date\n")
  }

  @Test func aRunSucceedsAlthoughAWorkerIsKilled() throws {
    let place = try Self.busyPlace()
    let (command, workers) = try Self.started(place)
    Self.send(SIGKILL, to: workers)
    let result = try command.result()
    #expect(result.code == 0)
    #expect(try result.reasons.values.allSatisfy { $0 == "rendered" })
    #expect(try place.leftovers() == [])
  }

  @Test func aSecondRunReportsWhichProcessHoldsTheLibraryLock() throws {
    let place = try Self.busyPlace()
    let (first, workers) = try Self.started(place)
    let second = try place.run()
    #expect(second.code == 75)
    #expect(second.messages.contains("phbatch run"))
    #expect(second.messages.contains("process \(first.number)"))
    #expect(second.messages.contains("--wait"))
    // `--check` is possible while another run holds the lock.
    #expect(try place.run("recipe", "--check").code == 2)
    let third = try Command.start([
      "run", place.path("recipe.json"), place.library, "--wait", "600",
    ])
    first.send(SIGTERM)
    Self.send(SIGCONT, to: workers)
    _ = try first.result()
    #expect(try third.result().code == 0)
  }

  @Test func aPhotoThatExceedsTheTimeLimitFailsAlone() throws {
    // On a slow machine, the small photo may also exceed the shorter time limits.
    for limit in [3, 30, 300] {
      let place = try Workplace(["b.jpg"])
      let large = try SyntheticPhoto.jpeg(width: 2000, height: 2000)
      try place.folder.write(large, to: "photos/a.jpg")
      try place.recipe(output: #""name": "web", "format": "webp", "effort": 6, "lossless": true"#)
      let (command, _) = try Self.started(place, ["--timeout", "\(limit)"])
      let result = try command.result()
      #expect(result.code == 3)
      let reasons = try result.reasons
      #expect(try place.leftovers() == [])
      if limit < 300, reasons["b.jpg"] == "timeout" { continue }
      return #expect(reasons == ["a.jpg": "timeout", "b.jpg": "rendered"])
    }
  }

  /// The part of the film that was written before the disk was full does not hide why it ends.
  @Test(.enabled(if: Mounting.isPossible && FFmpeg.isHere), arguments: [150, 200])
  func aRunReportsThatTheDiskIsFullOfAFilm(_ kilobytes: Int) throws {
    let place = try Workplace([])
    let disk = place.library
    try Shell.run("mount -t tmpfs -o size=\(kilobytes)k tmpfs '\(disk)'")
    defer { try? Shell.run("umount '\(disk)'") }
    try FFmpeg.run(
      ["-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=10"]
        + ["-f", "lavfi", "-i", "sine=frequency=440:duration=10:sample_rate=44100"]
        + ["-c:v", "libx264", "-crf", "48", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "32k"]
        + [place.path("photos/a.mov")])
    try place.recipe(output: #""name": "film", "format": "mp4", "quality": 95, "effort": 1"#)
    let result = try place.run()
    #expect(result.code == 73, "\(result.output)\(result.messages)")
    #expect(result.messages.contains("write-failed"))
    #expect(try place.names() == ["a.mov"])
  }

  @Test(.enabled(if: Mounting.isPossible)) func aRunReportsThatTheDiskIsFull() throws {
    let place = try Workplace([])
    let disk = place.library
    try Shell.run("mount -t tmpfs -o size=1500k tmpfs '\(disk)'")
    defer { try? Shell.run("umount '\(disk)'") }
    for number in 1...4 { try place.addPhoto("\(number).jpg", width: 500, height: 400) }
    try place.recipe(output: #""name": "web", "format": "tiff", "compression": "none""#)
    let before = try place.snapshot()
    let result = try place.run()
    #expect(result.code == 73)
    #expect(result.messages.contains("No space left on device"))
    #expect(result.messages.contains("free some disk space"))
    #expect(result.messages.contains("write-failed"))
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    #expect(try place.leftovers() == [])
    let made = after.keys.filter { $0.hasSuffix(".tif") || $0.hasSuffix(".tiff") }
    #expect(made.count == after.keys.filter { $0.hasSuffix(".phbatch.json") }.count)
  }
}
