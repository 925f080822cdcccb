import Foundation
import Glibc
import TestSupport
import Testing

/// Locks, signals, and workers that die.
@Suite(.serialized) struct InterruptionTests {
  /// A library that keeps a run busy for a while: large photos, one at a time.
  private static func busyPlace() throws -> Workplace {
    let place = try Workplace([])
    let photo = try SyntheticPhoto.jpeg(width: 3600, height: 2400)
    for number in 1...12 { try place.folder.write(photo, to: "photos/\(number).jpg") }
    try place.recipe(output: #""name": "web", "format": "webp", "effort": 6"#)
    return place
  }

  /// Starts a run and returns when a photo is being worked on.
  private static func started(
    _ place: Workplace, _ options: [String] = []
  ) throws -> RunningCommand {
    let run = ["run", place.path("recipe.json"), place.library, "--jobs", "1", "--format", "json"]
    let command = try Command.start(run + options)
    while command.isRunning, try !command.outputSoFar().contains("asset-start") { usleep(5_000) }
    // Into the middle of a photo.
    usleep(300_000)
    return command
  }

  private static func workers(of process: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { number in
      let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && fields[0] != "Z" && Int32(fields[1]) == process
    }
  }

  /// Waits for processes to be gone; whether they are.
  private static func areGone(_ processes: [Int32]) -> Bool {
    for _ in 0..<1_000 {
      if processes.allSatisfy({ kill($0, 0) != 0 }) { return true }
      usleep(10_000)
    }
    return false
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signalEndsTheRunWhole(signal: Int32, code: Int32) throws {
    let place = try Self.busyPlace()
    let before = try place.snapshot()
    let command = try Self.started(place)
    let workers = Self.workers(of: command.number)
    #expect(workers.count == 1)
    command.send(signal)
    #expect(try command.result().code == code)
    #expect(Self.areGone(workers))
    #expect(try place.leftovers() == [])
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    // Each rendition has its sidecar.
    let names = after.keys.filter { $0.hasSuffix(".webp") }.map { $0.prefix { $0 != "." } }
    #expect(names.allSatisfy { after["\($0).jpg.phbatch.json"] != nil })
    #expect(names.count < 12)
    let rest = try place.reasons()
    #expect(rest.code == 0)
    #expect(rest.reasons.values.filter { $0 == "up-to-date" }.count == names.count)
  }

  /// From before the command hears of signals to when it has nothing left to do.
  @Test func noSignalIsLost() throws {
    let place = try Workplace(["a.png"])
    try place.recipe()
    for number in 0..<40 {
      let watch = try Command.start(["watch", place.path("recipe.json"), place.library, "--quiet"])
      usleep(UInt32(number * 3_000))
      watch.send(number.isMultiple(of: 2) ? SIGTERM : SIGINT)
      #expect(try watch.result().code == (number.isMultiple(of: 2) ? 143 : 130))
    }
    #expect(try place.reasons().code == 0)
  }

  @Test func killedRunLeavesNothingThatTheNextDoesNotRemove() throws {
    let place = try Self.busyPlace()
    let command = try Self.started(place)
    let workers = Self.workers(of: command.number)
    command.send(SIGKILL)
    #expect(try command.result().code == 128 + SIGKILL)
    #expect(Self.areGone(workers))
    #expect(try place.leftovers().isEmpty == false)
    #expect(try place.reasons().code == 0)
    #expect(try place.leftovers() == [])
    #expect(try place.run().output == "12 up-to-date\n")
  }

  @Test func killedWorkerCostsNothingButTime() throws {
    let place = try Self.busyPlace()
    let command = try Self.started(place)
    for worker in Self.workers(of: command.number) { kill(worker, SIGKILL) }
    let result = try command.result()
    #expect(result.code == 0)
    #expect(try result.reasons.values.allSatisfy { $0 == "rendered" })
    #expect(try place.leftovers() == [])
  }

  @Test func secondRunIsToldWhoHoldsTheLibrary() throws {
    let place = try Self.busyPlace()
    let first = try Self.started(place)
    let second = try place.run()
    #expect(second.code == 75)
    #expect(second.messages.contains("phbatch run"))
    #expect(second.messages.contains("process \(first.number)"))
    #expect(second.messages.contains("--wait"))
    // Looking is always possible.
    #expect(try place.run("recipe", "--check").code == 2)
    let third = try Command.start([
      "run", place.path("recipe.json"), place.library, "--wait", "100",
    ])
    usleep(200_000)
    #expect(third.isRunning)
    first.send(SIGTERM)
    _ = try first.result()
    #expect(try third.result().code == 0)
  }

  @Test func photoThatTakesTooLongCostsOnePhoto() throws {
    let place = try Workplace(["b.jpg"])
    let large = try SyntheticPhoto.jpeg(width: 4000, height: 4000)
    try place.folder.write(large, to: "photos/a.jpg")
    try place.recipe(output: #""name": "web", "format": "webp", "effort": 6, "lossless": true"#)
    let command = try Self.started(place, ["--timeout", "15"])
    // The worker hangs, whatever the speed of the machine.
    for worker in Self.workers(of: command.number) { kill(worker, SIGSTOP) }
    let result = try command.result()
    #expect(result.code == 3)
    #expect(try result.reasons == ["a.jpg": "timeout", "b.jpg": "rendered"])
    #expect(try place.leftovers() == [])
  }

  @Test(.enabled(if: geteuid() == 0)) func fullDiskIsSaidToBeFull() throws {
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
    #expect(result.messages.contains("free some space"))
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    #expect(try place.leftovers() == [])
    let made = after.keys.filter { $0.hasSuffix(".tif") || $0.hasSuffix(".tiff") }
    #expect(made.count == after.keys.filter { $0.hasSuffix(".phbatch.json") }.count)
  }
}
