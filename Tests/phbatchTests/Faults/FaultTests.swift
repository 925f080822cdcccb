import Foundation
import Glibc
import TestSupport
import Testing

/// What happens to real runs at real faults: after each, every photo is all old or all new, no
/// original has changed, and the next run completes what was cut off.
///
/// `PHBATCH_SOAK=1` runs the long volumes.
@Suite(.serialized) struct FaultTests {
  static let isSoak = ProcessInfo.processInfo.environment["PHBATCH_SOAK"] != nil
  static let hasTracer = ["/usr/bin/strace", "/bin/strace"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The calls that change what is on the disk, or come between them.
  private static let calls = "fsync,renameat2,unlinkat,openat2,fchmod,mkdirat"

  private static func tracer(_ injection: String) -> [String] {
    [
      "strace", "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
      "inject=\(calls):\(injection)",
    ]
  }

  @Test(.enabled(if: hasTracer), arguments: FaultyLibrary.Start.allCases)
  func killAtAnyCall(_ start: FaultyLibrary.Start) throws {
    let library = try FaultyLibrary(start, photos: Self.isSoak ? 12 : 2)
    let most = Self.isSoak ? 400 : 36
    let last = try library.lastCall { Self.tracer("signal=SIGKILL:when=\($0)") }
    var kills = 0
    for number in Self.spread(most, over: last) {
      let code = try library.run(prefix: Self.tracer("signal=SIGKILL:when=\(number)"))
      if code == 128 + SIGKILL { kills += 1 }
      try library.check("kill at call \(number) of \(last)")
    }
    #expect(kills >= min(most, last) / 2)
    Self.report("kills at calls, \(start.rawValue)", kills, of: library)
  }

  /// Nobody is told that phbatch's own new file was changed by hand: the next run sees to it.
  @Test(.enabled(if: hasTracer))
  func whatACommitHasBegunIsNobodysChange() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    for number in 1...8 {
      try place.recipe(stops: 0.5 + Double(number) / 10)
      let tracer = [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
        "inject=renameat2:signal=SIGKILL:when=\(number)",
      ]
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
  func killAtAnyTime(_ start: FaultyLibrary.Start) throws {
    let library = try FaultyLibrary(start, photos: Self.isSoak ? 100 : 12)
    let began = ContinuousClock.now
    #expect(try library.run() == 0)
    let length = began.duration(to: .now)
    let rounds = Self.isSoak ? 100 : 10
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
    Self.report("kills at any time, \(start.rawValue)", kills, of: library)
  }

  @Test(
    .enabled(if: hasTracer), arguments: ["EIO", "ENOSPC", "EROFS", "EMFILE"],
    FaultyLibrary.Start.allCases)
  func errorAtAnyCall(_ error: String, _ start: FaultyLibrary.Start) throws {
    let library = try FaultyLibrary(start, photos: 2)
    let last = try library.lastCall { Self.tracer("signal=SIGKILL:when=\($0)") }
    let most = Self.isSoak ? last : 13
    var failures = 0
    for number in Self.spread(most, over: last) {
      let code = try library.run(prefix: Self.tracer("error=\(error):when=\(number)"))
      #expect(code < 128 && code != 70, "\(error) at call \(number)")
      if code != 0 { failures += 1 }
      try library.check("\(error) at call \(number) of \(last)")
    }
    #expect(failures > 0)
    Self.report("calls failed with \(error), \(start.rawValue)", min(most, last), of: library)
  }

  /// 2 MB, in steps of what is left on them.
  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func fullDiskAtAnyMoment() throws {
    var refusals = 0
    for step in 0..<(Self.isSoak ? 64 : 8) {
      let library = try FaultyLibrary(.edited, photos: 4, disk: "size=2m")
      defer { library.unmount() }
      try library.fill(leaving: 4096 * (1 + step * (Self.isSoak ? 1 : 8)))
      if try library.run() != 0 { refusals += 1 }
      try library.empty()
      try library.check("a disk with \(step) steps of room", resets: false)
    }
    #expect(refusals > 0)
    Self.report("full disks", refusals, of: nil)
  }

  /// There is room, but for no more than a few further files.
  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func noInodesAtAnyMoment() throws {
    var refusals = 0
    for step in 0..<(Self.isSoak ? 24 : 4) {
      let library = try FaultyLibrary(.edited, photos: 4, disk: "size=4m")
      defer { library.unmount() }
      let more = 1 + step * (Self.isSoak ? 1 : 6)
      try library.leaveRoom(forFiles: more)
      if try library.run() != 0 { refusals += 1 }
      try library.remount("nr_inodes=10000")
      try library.check("a disk with room for \(more) more files", resets: false)
    }
    #expect(refusals > 0)
    Self.report("disks without inodes", refusals, of: nil)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func readOnlyLibraryIsLeftAlone() throws {
    let library = try FaultyLibrary(.edited, photos: 2, disk: "size=4m")
    defer { library.unmount() }
    try library.remount("ro")
    let before = try library.place.snapshot()
    let result = try library.place.run("new")
    #expect(result.code == 73)
    #expect(result.messages.contains("Read-only file system"))
    #expect(try library.place.snapshot() == before)
    // Looking is possible: one rendition was written to by somebody.
    #expect(try Command.run(["verify", library.place.library]).code == 4)
    try library.remount("rw")
    try library.check("a read-only library", resets: false)
  }

  private static func spread(_ count: Int, over last: Int) -> [Int] {
    if count >= last { return Array(1...last) }
    return (0..<count).map { 1 + $0 * (last - 1) / (count - 1) }
  }

  private static func report(_ what: String, _ count: Int, of library: FaultyLibrary?) {
    print("faults: \(count) \(what)")
  }
}

/// A small library on which a run is about to change everything.
struct FaultyLibrary {
  enum Start: String, CaseIterable, Sendable {
    /// Nothing was rendered yet.
    case untouched
    /// Another version of the recipe has rendered it, and somebody wrote to one rendition.
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
    // The same recipe with other settings.
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
  func run(prefix: [String] = []) throws -> Int32 {
    try Command.run(arguments, prefix: prefix).code
  }

  func start() throws -> RunningCommand { try Command.start(arguments) }

  /// The number of the last call at which a fault is felt, as the tracer counts them.
  func lastCall(_ tracer: (Int) -> [String]) throws -> Int {
    var (felt, unfelt) = (0, 1)
    while try isFelt(tracer(unfelt)) { (felt, unfelt) = (unfelt, unfelt * 2) }
    while unfelt - felt > 1 {
      let middle = (felt + unfelt) / 2
      if try isFelt(tracer(middle)) { felt = middle } else { unfelt = middle }
    }
    return felt
  }

  private func isFelt(_ tracer: [String]) throws -> Bool {
    try reset()
    defer { try? reset() }
    return try run(prefix: tracer) == 128 + SIGKILL
  }

  /// Makes the library what it was before the run.
  func reset() throws {
    try Shell.run(
      "rm -rf '\(place.library)' && cp -a '\(place.path("before"))' '\(place.library)'")
  }

  /// Looks at what a fault has left, and at what the next run makes of it.
  func check(_ fault: String, resets: Bool = true) throws {
    let comment = Comment(rawValue: fault)
    #expect(try untouched(), comment)
    // A run over no photo at all completes what was cut off, and renders nothing.
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
    #expect(try place.leftovers() == [], comment)
    #expect(try untouched(), comment)
    if resets { try reset() }
  }

  private func untouched() throws -> Bool {
    let now = try place.snapshot()
    return originals.allSatisfy { now[$0]?.bytes == $1.bytes && now[$0]?.modified == $1.modified }
  }

  /// What `verify` finds.
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

  /// Lets the disk hold so many more files.
  func leaveRoom(forFiles count: Int) throws {
    let used = "$(stat -f -c '%c - %d' '\(place.library)')"
    try remount("nr_inodes=$((\(used) + \(count)))")
  }

  func unmount() {
    // The folder is removed in any case.
    try? Shell.run("umount '\(place.library)'")
  }
}
