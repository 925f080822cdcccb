import Foundation
import Glibc
import TestRandom
import TestSupport
import Testing

/// Runs in which a system call fails, the process is killed, or the disk is full or read-only.
///
/// After each fault, every photo is completely old or completely new, no original has changed, and
/// the next run completes the interrupted run.
///
/// `PHBATCH_SOAK=1` selects the larger test volumes.
@Suite struct FaultTests {
  @Test(.enabled(if: Tracer.isPossible), arguments: FaultyLibrary.Start.allCases)
  func aKillAtAnyCallDamagesNoFile(_ start: FaultyLibrary.Start) throws {
    let library = try FaultyLibrary(start, photos: TestVolume.isWhole ? 12 : 2)
    let all = try library.calls().flatMap { Self.spread(TestVolume.isWhole ? 120 : 4, over: $0) }
    let turn = start == .edited ? 0 : 1
    let calls = all.indices.filter { TestVolume.isWhole || $0 % 2 == turn }.map { all[$0] }
    var kills = 0
    for call in calls {
      let tracer = Tracer.prefix(call.name, injecting: "signal=SIGKILL:when=\(call.number)")
      if try library.run(prefix: tracer) == 128 + SIGKILL { kills += 1 }
      try library.check("kill at \(call)")
    }
    #expect(kills >= calls.count / 2)
    Self.report("kills at calls, \(start.rawValue)", kills)
  }

  /// A rendition of an interrupted commit is not reported as changed by hand; the next run
  /// completes the commit.
  @Test(.enabled(if: Tracer.isPossible))
  func anInterruptedCommitIsNotReportedAsModified() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    for number in TestVolume.one(of: 3, Array(1...8)) {
      try place.recipe(stops: 0.5 + Double(number) / 10)
      let tracer = Tracer.prefix("renameat2", injecting: "signal=SIGKILL:when=\(number)")
      guard try place.run(prefix: tracer).code == 128 + SIGKILL else { break }
      let check = try place.run("recipe", "--check")
      #expect(check.code == 2, "kill at \(number): \(check.output)\(check.messages)")
      let verify = try Command.run(["verify", place.library])
      #expect(verify.code == 2, "kill at \(number): \(verify.output)")
      let status = try Command.run(["status", place.library])
      #expect(status.code == 0, "kill at \(number): \(status.output)")
      #expect(try place.run().code == 0)
    }
  }

  @Test(arguments: FaultyLibrary.Start.allCases)
  func aKillAtAnyTimeDamagesNoFile(_ start: FaultyLibrary.Start) throws {
    let library = try FaultyLibrary(start, photos: TestVolume.isWhole ? 100 : 6)
    let began = ContinuousClock.now
    #expect(try library.run() == 0)
    let length = began.duration(to: .now)
    let rounds = TestVolume.isWhole ? 100 : 4
    var kills = 0
    for round in 0..<rounds {
      try library.reset()
      let command = try library.start()
      let time = length * round / rounds
      usleep(
        UInt32(
          time.components.attoseconds / 1_000_000_000_000 + time.components.seconds * 1_000_000))
      command.send(SIGKILL)
      if try command.result().code == 128 + SIGKILL { kills += 1 }
      try library.check("kill after \(time)", resets: false)
    }
    #expect(kills > 0)
    Self.report("kills at any time, \(start.rawValue)", kills)
  }

  private static let errors = ["EIO", "ENOSPC", "EROFS", "EMFILE"]

  /// Lets system calls of a run fail with one error.
  ///
  /// Each combination of an error and a start state has its own selection of calls; `make soak`
  /// lets every call fail with every error.
  @Test(.enabled(if: Tracer.isPossible), arguments: errors.indices)
  func anErrorAtAnyCallDamagesNoFile(_ index: Int) throws {
    let error = Self.errors[index]
    let count = Self.errors.count
    var failures = 0
    for start in FaultyLibrary.Start.allCases {
      let library = try FaultyLibrary(start, photos: 2)
      let all = try library.calls().flatMap {
        Self.spread(TestVolume.isWhole ? .max : count, over: $0)
      }
      let turn = start == .edited ? index : index + count
      let isChosen = { TestVolume.isWhole || ($0 + $0 / count) % (2 * count) == turn }
      let calls = all.indices.filter(isChosen).map { all[$0] }
      for call in calls {
        let result = try library.result(
          prefix: Tracer.prefix(call.name, injecting: "error=\(error):when=\(call.number)"))
        #expect(
          result.code < 128 && result.code != 70,
          "\(error) at \(call): exit code \(result.code), \(result.messages)")
        if result.code != 0 { failures += 1 }
        try library.check("\(error) at \(call)")
      }
      Self.report("calls failed with \(error), \(start.rawValue)", calls.count)
    }
    #expect(failures > 0)
  }

  /// Runs over a library on a disk of 2 MB that becomes full, with a different amount of free space
  /// each time.
  @Test(.enabled(if: Mounting.isPossible))
  func aLibraryStaysValidIfTheDiskFillsDuringARun() throws {
    var refusals = 0
    for step in 0..<(TestVolume.isWhole ? 64 : 5) {
      let library = try FaultyLibrary(.edited, photos: 4, disk: "size=2m")
      defer { library.unmount() }
      try library.fill(leaving: 4096 * (1 + step * (TestVolume.isWhole ? 1 : 14)))
      if try library.run() != 0 { refusals += 1 }
      try library.empty()
      try library.check("a disk with \(step) steps of room", resets: false)
    }
    #expect(refusals > 0)
    Self.report("full disks", refusals)
  }

  /// Runs over a library on a disk that has free space, but inodes for only a few more files.
  @Test(.enabled(if: Mounting.isPossible))
  func aLibraryStaysValidIfTheDiskHasNoMoreInodes() throws {
    var refusals = 0
    for step in 0..<(TestVolume.isWhole ? 24 : 3) {
      let library = try FaultyLibrary(.edited, photos: 4, disk: "size=4m")
      defer { library.unmount() }
      let more = 1 + step * (TestVolume.isWhole ? 1 : 9)
      try library.leaveRoom(forFiles: more)
      if try library.run() != 0 { refusals += 1 }
      try library.remount("nr_inodes=10000")
      try library.check("a disk with room for \(more) more files", resets: false)
    }
    #expect(refusals > 0)
    Self.report("disks without inodes", refusals)
  }

  @Test(.enabled(if: Mounting.isPossible))
  func aReadOnlyLibraryIsNotChanged() throws {
    let library = try FaultyLibrary(.edited, photos: 2, disk: "size=4m")
    defer { library.unmount() }
    try library.remount("ro")
    let before = try library.place.snapshot()
    let result = try library.place.run("new")
    #expect(result.code == 73)
    #expect(result.messages.contains("Read-only file system"))
    #expect(try library.place.snapshot() == before)
    // A read-only library can be verified; the finding is the rendition that was changed by hand.
    #expect(try Command.run(["verify", library.place.library]).code == 4)
    try library.remount("rw")
    try library.check("a read-only library", resets: false)
  }

  /// Selects at most `count` calls, evenly spread from the first call to `last`; both are included.
  private static func spread(_ count: Int, over last: SystemCall) -> [SystemCall] {
    let numbers =
      count >= last.number
      ? Array(1...last.number) : (0..<count).map { 1 + $0 * (last.number - 1) / (count - 1) }
    return numbers.map { SystemCall(name: last.name, number: $0) }
  }

  private static func report(_ what: String, _ count: Int) {
    print("faults: \(count) \(what)")
  }
}

/// One call of a system call by one thread; `number` counts the thread's calls of that name from 1,
/// like strace does.
struct SystemCall: CustomStringConvertible {
  let name: String
  let number: Int

  var description: String { "\(name) \(number)" }
}

/// A small library in which the next run changes all renditions.
struct FaultyLibrary {
  enum Start: String, CaseIterable, Sendable {
    /// No photo has been rendered yet.
    case untouched
    /// Another version of the recipe has rendered all photos, and one rendition was then changed by
    /// hand.
    case edited
  }

  let place: Workplace
  private let photos: [String]
  private let originals: [String: FileFacts]
  private let isMounted: Bool

  init(_ start: Start, photos count: Int, disk: String? = nil) throws {
    place = try Workplace([])
    isMounted = disk != nil
    if let disk {
      try Shell.run("mount -t tmpfs -o \(disk) tmpfs '\(place.library)'")
    }
    photos = (1...count).map { "\($0).jpg" }
    for name in photos { try place.addPhoto(name, width: 120, height: 80) }
    let outputs = #""name": "web", "format": "jpeg" }, { "name": "small", "format": "png""#
    try place.recipe("old", output: outputs, more: #""title": "old","#)
    try place.recipe("new", output: outputs, more: #""title": "new","#)
    // The new recipe is the same recipe with other settings.
    let text = String(decoding: try place.folder.read("new.json"), as: UTF8.self)
    try place.folder.write(
      text.replacingOccurrences(of: "org.example.new", with: "org.example.old")
        .replacingOccurrences(of: "\"stops\": 0.5", with: "\"stops\": 0.8"), to: "new.json")
    if start == .edited {
      guard try place.run("old").code == 0 else { throw Fault("the first run failed") }
      try place.folder.write("painted over", to: "photos/1.web.jpg")
    }
    try Shell.run("cp -a '\(place.library)' '\(place.path("before"))'")
    originals = try place.snapshot().filter { Self.isOriginal($0.key) }
  }

  struct Fault: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private static func isOriginal(_ name: String) -> Bool {
    name.hasSuffix(".jpg") && name.filter { $0 == "." }.count == 1
  }

  private var arguments: [String] {
    ["run", place.path("new.json"), place.library, "--jobs", "1", "--on-modified", "overwrite"]
  }

  /// Runs the new recipe, and returns the exit code.
  func run(prefix: [String] = []) throws -> Int32 { try result(prefix: prefix).code }

  func result(prefix: [String]) throws -> CommandResult {
    try Command.run(arguments, prefix: prefix)
  }

  func start() throws -> RunningCommand { try Command.start(arguments) }

  /// The system calls that change the disk, or that occur between such calls.
  private static let names = ["fsync", "renameat2", "unlinkat", "openat2", "fchmod", "mkdirat"]

  /// The last system call of each name in a run with the new recipe.
  ///
  /// The number of a call counts the calls of its thread only.
  func calls() throws -> [SystemCall] {
    let trace = place.path("trace")
    let tracer = Tracer.prefix(Self.names.joined(separator: ","), to: trace)
    guard try run(prefix: tracer) == 0 else { throw Fault("the traced run failed") }
    try reset()
    var counts: [String: [Substring: Int]] = [:]
    // A line of the trace is "25935 openat2(…" and begins with the thread's identifier; the rest of
    // an interrupted call has a separate line.
    for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
      guard let match = line.prefixMatch(of: /(\d+) +(\w+)\(/) else { continue }
      counts[String(match.2), default: [:]][match.1, default: 0] += 1
    }
    return Self.names.compactMap { name in
      counts[name]?.values.max().map { SystemCall(name: name, number: $0) }
    }
  }

  /// Restores the library to its state before the run.
  func reset() throws {
    try Shell.run(
      "rm -rf '\(place.library)' && cp -a '\(place.path("before"))' '\(place.library)'")
  }

  /// Checks the library after a fault, and after the next run.
  func check(_ fault: String, resets: Bool = true) throws {
    let comment = Comment(rawValue: fault)
    #expect(try untouched(), comment)
    // A run with an empty list of photos completes the interrupted commit, and renders nothing.
    try place.folder.write("", to: "none")
    let recovery = try Command.run(
      ["run", place.path("new.json"), place.library, "--files-from", place.path("none")])
    #expect(recovery.code == 0, "\(fault): \(recovery.messages)")
    let damaged = try verified().filter { $0 != "1.web.jpg modified" }
    #expect(damaged == [], comment)
    let rest = try Command.run(arguments)
    #expect(rest.code == 0, "\(fault): \(rest.messages)")
    #expect(try verified() == [], comment)
    #expect(try place.names().count == 4 * photos.count, comment)
    let leftovers = try place.leftovers()
    #expect(leftovers == [], comment)
    #expect(try untouched(), comment)
    if resets { try reset() }
  }

  private func untouched() throws -> Bool {
    let now = try place.snapshot()
    return originals.allSatisfy { now[$0]?.bytes == $1.bytes && now[$0]?.modified == $1.modified }
  }

  /// The findings of `verify`.
  private func verified() throws -> [String] {
    let result = try Command.run(["verify", place.library, "--format", "json"])
    return try result.events.dropLast().map { event in
      "\(event["file"] ?? "") \(event["kind"] ?? "")"
    }
  }

  func fill(leaving bytes: Int) throws {
    try Shell.run(
      """
      cd '\(place.library)' && dd if=/dev/zero of=.filler bs=4096 2>/dev/null; \
      size=$(stat -c %s .filler) && truncate -s $((size > \(bytes) ? size - \(bytes) : 0)) .filler
      """)
  }

  func empty() throws { try Shell.run("rm '\(place.library)/.filler'") }

  func remount(_ option: String) throws {
    try Shell.run("mount -o remount,\(option) '\(place.library)'")
  }

  /// Limits the file system to this number of additional files.
  func leaveRoom(forFiles count: Int) throws {
    let used = "$(stat -f -c '%c - %d' '\(place.library)')"
    try remount("nr_inodes=$((\(used) + \(count)))")
  }

  func unmount() {
    // Errors are ignored, because the folder is removed in any case.
    try? Shell.run("umount '\(place.library)'")
  }
}
