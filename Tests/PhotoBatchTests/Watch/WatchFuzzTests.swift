import Foundation
import Glibc
import PhotoLibrary
import Synchronization
import SystemPackage
import TestRandom
import TestSupport
import Testing

@testable import PhotoBatch

/// After any operations on a watched library, its final state is that of a fresh run.
///
/// `PHBATCH_SOAK=1` selects the larger test volumes, `PHBATCH_SEEDS=25-49` the seeds of the random
/// operations.
@Suite(.serialized) struct WatchFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// The source of file system events in a round of the test.
  enum Source: CaseIterable {
    case kernel
    /// Some events are lost, as when the kernel's queue is full.
    case lossy
    /// The kernel reports events for at most six folders.
    case limited
  }

  static let rounds: [(UInt64, Source)] = seeds.map { seed in
    (seed, [.kernel, .lossy, .kernel, .limited, .kernel][Int(seed) % 5])
  }

  private static var seeds: ClosedRange<UInt64> {
    let named = environment["PHBATCH_SEEDS"]?.split(separator: "-").compactMap { UInt64($0) } ?? []
    return named.count == 2 && named[0] <= named[1]
      ? named[0]...named[1] : 0...(TestVolume.isWhole ? 99 : 3)
  }

  @Test(arguments: rounds)
  func afterRandomOperationsAWatchedLibraryEqualsAFreshRun(
    _ seed: UInt64, _ source: Source
  ) async throws {
    let place = try WatchedPlace()
    try await place.begin { options in
      switch source {
      case .kernel: break
      case .lossy: options.events = try? LossyEvents(seed: seed)
      case .limited: options.events = try? Inotify(limit: 6)
      }
    }
    var fuzz = WatchFuzz(place, seed: seed)
    let operations = TestVolume.isWhole ? 5_000 : 100
    for number in 1...operations {
      fuzz.act()
      guard number.isMultiple(of: 100) else { continue }
      // Closes all files before the sync, because the watch waits for files that are open for
      // writing.
      fuzz.finish()
      try await place.sync()
    }
    let fresh = try await FreshRun(place)
    let told = place.takeEvents().compactMap { event -> String? in
      guard case .run(.finished(let outcome)) = event,
        fresh.differences.contains(where: { $0.hasPrefix(outcome.path.string) })
      else { return nil }
      return "\(outcome.path): \(outcome.reason), \(outcome.detail ?? "")"
    }
    #expect(fresh.differences == [], "seed \(seed); what was told of them: \(told)")
    #expect(fresh.photos > 0)
    #expect(try place.files().filter { $0.contains(".phbatch-") } == [])
    try await place.end()
    print("watch: \(operations) operations, \(fresh.photos) photos equal after seed \(seed)")
  }

  /// The operations cause many more events than the kernel's queue can store.
  @Test func allPhotosAmongEightyThousandNewFilesAreFound() async throws {
    let place = try WatchedPlace()
    try await place.begin()
    let count = TestVolume.isWhole ? 80_000 : 4_500
    try place.makeFolder("many")
    let folder = place.library.appending("many").string
    // The ratio of files to photos: one photo per this many files.
    let share = TestVolume.isWhole ? 8 : 45
    let photos = try (0..<share).map { number in
      let (width, height) = (8 + number, 70 - number)
      return (width, height, Data(try SyntheticPhoto.jpeg(width: width, height: height)))
    }
    // The photos are written to another folder first and then renamed, so that they arrive faster
    // than a watch can scan.
    let stage = place.folder["stage"].string
    try FileManager.default.createDirectory(atPath: stage, withIntermediateDirectories: false)
    for number in stride(from: 0, to: count, by: share) {
      let photo = photos[number / share % share].2
      try photo.write(to: URL(filePath: "\(stage)/\(number).jpg"))
    }
    for number in 0..<count {
      if number.isMultiple(of: share) {
        try #require(rename("\(stage)/\(number).jpg", "\(folder)/\(number).jpg") == 0)
      } else {
        close(creat("\(folder)/\(number).txt", 0o600))
      }
    }
    try place.addPhoto("b.png", 2)
    try await place.sync()
    let wanted = stride(from: 0, to: count, by: share).map { "many/\($0).jpg.web.png" }
    let found = try place.files().filter { $0.hasSuffix(".web.png") }
    #expect(found == (wanted + ["b.png.web.png"]).sorted())
    for (index, name) in wanted.enumerated() {
      let (width, height, _) = photos[index % share]
      // The bytes of a PNG file that contain its size.
      let size = try place.folder.read("photos/\(name)")[16..<24]
      #expect(Array(size) == [0, 0, 0, UInt8(width), 0, 0, 0, UInt8(height)], "\(name)")
    }
    let losses = place.takeEvents().warnings.count { $0.contains("the kernel lost events") }
    // By default the kernel's queue stores 16,384 events; losses are certain only in the larger
    // test volume.
    if TestVolume.isWhole { #expect(losses > 0) }
    print("watch: \(count) files at once, \(wanted.count) photos, \(losses) times events were lost")
    try await place.end()
  }

  /// Two commands that run at the same time, as from cron, and a watch, some of which are killed;
  /// no photo is damaged.
  @Test func runsSucceedBesideAWatchAlthoughSomeProcessesAreKilled() async throws {
    let place = try WatchedPlace()
    for number in 0..<6 { try place.addPhoto("\(number).png", number) }
    let rounds = TestVolume.isWhole ? 50 : 2
    for round in 0..<rounds {
      let watch = try Command.start(
        ["watch", place.recipe.string, place.library.string, "--settle", "0.05", "--quiet"])
      try place.addPhoto("new\(round).png", 10 + round)
      let runs = try (0..<2).map { number in
        try Command.start(
          ["run", place.recipe.string, place.library.string, "--quiet"]
            + (number == 0 ? ["--wait", "600"] : []))
      }
      if round.isMultiple(of: 2) { runs[0].send(SIGKILL) } else { watch.send(SIGKILL) }
      let codes = try runs.map { try $0.result().code }
      #expect([0, 128 + SIGKILL].contains(codes[0]))
      #expect([0, 75].contains(codes[1]))
      try place.addPhoto("late\(round).png", 60 + round)
      if round.isMultiple(of: 2) {
        let sync = try Self.sync(place)
        #expect(sync.code == 0, "\(sync.messages)")
        watch.send(SIGTERM)
        let end = try watch.result()
        #expect(end.code == 143, "\(end.messages)")
      } else {
        _ = try watch.result()
        let run = try Command.run(["run", place.recipe.string, place.library.string])
        #expect(run.code == 0, "\(run.messages)")
      }
      let verified = try Command.run(["verify", place.library.string])
      #expect(verified.code == 0, "\(verified.output)")
      #expect(try place.files().filter { $0.hasSuffix(".web.png") }.count == 8 + 2 * round)
    }
    print("watch: \(rounds) rounds of two runs and a watch")
  }

  /// Waits for a watch that may not have started yet.
  private static func sync(_ place: WatchedPlace) throws -> CommandResult {
    try Command.run(["watch", "--sync", place.library.string, "--wait", "600"])
  }

  @Test func aSignalAtAnyTimeDamagesNoPhoto() async throws {
    let rounds = TestVolume.isWhole ? 200 : 8
    let place = try WatchedPlace()
    let photos = TestVolume.isWhole ? 20 : 10
    for number in 0..<photos { try place.addPhoto("\(number).png", number) }
    for round in 0..<rounds {
      try place.writeRecipe(stops: Double(round % 7) / 10)
      let isInterrupt = round.isMultiple(of: 2)
      // Two rounds with a watch alternate with two rounds with a run.
      let isRun = round % 4 > 1
      let settling = isRun ? [] : ["--settle", "0.02"]
      let command = try Command.start(
        [isRun ? "run" : "watch", place.recipe.string, place.library.string, "--format", "json"]
          + settling)
      // The number of events before the signal, from none to one less than all; each photo and each
      // run has two events.
      let wanted = round * (2 * photos + 2) / rounds
      while command.isRunning, try command.outputSoFar().utf8.count(where: { $0 == 10 }) < wanted {
        usleep(1_000)
      }
      command.send(isInterrupt ? SIGINT : SIGTERM)
      let result = try command.result()
      let code: Int32 = isInterrupt ? 130 : 143
      // A run may have ended before the signal.
      #expect(result.code == code || isRun && result.code == 0, "\(result.messages)")
      #expect(try place.files().filter { $0.contains(".phbatch-") } == [])
      let verified = try Command.run(["verify", place.library.string])
      #expect(verified.code == 0, "\(verified.output)")
    }
    let run = try Command.run(["run", place.recipe.string, place.library.string])
    #expect(run.code == 0)
    #expect(try await FreshRun(place).differences == [])
    print("watch: \(rounds) signals")
  }
}

/// Forwards the kernel's events, and drops some of them.
final class LossyEvents: FolderEvents {
  private let inner: Inotify
  private let random: Mutex<SeededGenerator>

  init(seed: UInt64) throws {
    inner = try Inotify()
    random = Mutex(SeededGenerator(seed: seed))
  }

  var descriptor: OpenFile { inner.descriptor }

  func watch(_ folder: OpenFile) throws(Errno) -> Int32 { try inner.watch(folder) }

  func unwatch(_ number: Int32) { inner.unwatch(number) }

  func take() -> FolderChanges {
    let changes = inner.take()
    guard !changes.isEmpty, random.withLock({ Int.random(in: 0..<4, using: &$0) }) == 0 else {
      return changes
    }
    var lost = FolderChanges()
    lost.isIncomplete = true
    return lost
  }
}
