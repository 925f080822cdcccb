import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// The `watch` command from the point of view of a service manager, a shell and a script.
@Suite struct WatchCommandTests {
  @Test(arguments: [
    ["watch", "recipe.json"], ["watch", "--sync", "recipe.json", "photos"], ["watch", "--sync"],
    ["watch", "recipe.json", "photos", "--settle", "-1"],
    ["watch", "recipe.json", "photos", "--poll", "0"],
    ["watch", "recipe.json", "photos", "--jobs", "0"],
    ["watch", "recipe.json", "photos", "--rescan", "0"],
  ])
  func usageErrorsOfAWatchAreReported(_ arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.code == 64, "\(result.messages)")
  }

  @Test func aWatchThatCannotStartEndsWithAnError() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try Command.run(["watch", place.path("none.json"), place.library]).code == 66)
    #expect(try Command.run(["watch", place.path("recipe.json"), place.path("none")]).code == 66)
    try place.recipe("bad", output: #""name": "web", "format": "jpg""#)
    let result = try Command.run(["watch", place.path("bad.json"), place.library])
    #expect(result.code == 65)
    #expect(result.messages.contains("bad.json:"))
    #expect(try Command.run(["watch", "--sync", place.library]).code == 66)
  }

  @Test func theEventsOfAWatchAreLinesOfJSON() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let watch = try place.watch(["--format", "json"])
    #expect(try place.sync().code == 0)
    try place.addPhoto("b.jpg", width: 70)
    #expect(try place.sync().code == 0)
    watch.send(SIGTERM)
    let result = try watch.result()
    #expect(result.code == 143)
    let done = try result.events.filter { $0["event"] as? String == "asset-done" }
    #expect(done.map { $0["file"] as? String } == ["a.jpg", "b.jpg"])
    let names = try Set(result.events.compactMap { $0["event"] as? String })
    #expect(names == ["run-start", "asset-start", "asset-done", "run-end"])
  }

  /// With `--wait`, a sync also waits for a watch that has not started yet.
  @Test func aSyncWithWaitAlsoWaitsForTheStartOfTheWatch() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let sync = try Command.start(["watch", "--sync", place.library, "--wait", "600"])
    let watch = try place.watch(["--quiet"])
    #expect(try sync.result().code == 0)
    #expect(try place.names().contains("a.web.jpg"))
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
    // Without `--wait`, or when the waiting time is over, the sync fails because no watch is
    // running.
    #expect(try Command.run(["watch", "--sync", place.library]).code == 66)
    #expect(try Command.run(["watch", "--sync", place.library, "--wait", "0"]).code == 66)
  }

  /// `--wait` and `--poll` need no value; they then have a default time.
  @Test func theOptionsWaitAndPollHaveDefaultTimes() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    #expect(try place.run("recipe", "--wait").code == 0)
    #expect(try place.run("recipe", "--wait=5", "--check").code == 0)
    #expect(try Command.run(["relink", place.library, "--wait"]).code == 0)
    let watch = try place.watch(["--poll"])
    #expect(try Command.run(["watch", "--sync", place.library, "--wait"]).code == 0)
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
  }

  /// A run beside a watch waits only until the watch has finished its current photo.
  ///
  /// A script that waits for a file controls how long the watch's photos take.
  @Test(arguments: [[], ["--wait", "600"]])
  func aRunBesideAWatchWaitsForOnePhotoOfTheWatchAtMost(_ options: [String]) throws {
    let place = try Workplace((1...6).map { "\($0).jpg" })
    let (begun, go) = (place.path("begun"), place.path("go"))
    let script = "touch '\(begun)'; until [ -e '\(go)' ]; do sleep 0.02; done; cat"
    try place.folder.write(
      """
      {"identifier": "org.example.slow", "version": "1.0.0", "variant": "slow",
       "filters": [{"filter": "external", "command": ["sh", "-c", "\(script)"]}],
       "outputs": [{"name": "slow", "format": "jpeg"}]}
      """, to: "recipe.json")
    try place.recipe("quick", variant: "quick", output: #""name": "quick", "format": "jpeg""#)
    func count() throws -> Int { try place.names().count { $0.hasSuffix(".slow.jpg") } }
    let watch = try place.watch(["--jobs", "1", "--allow-external", "--format", "json"])
    #expect(
      eventually { !watch.isRunning || FileManager.default.fileExists(atPath: begun) })
    let run = try Command.start(["run", place.path("quick.json"), place.library] + options)
    // A run that waits for the library holds a lock on this file.
    #expect(eventually { !run.isRunning || Self.isLocked(place.path("photos/.phbatch/wait.lock")) })
    try place.folder.write("", to: "go")
    let result = try run.result()
    #expect(result.code == 0, "\(result.messages)")
    #expect(try count() <= 2)
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
  }

  /// A changed recipe is read when its files are stable, like a photo.
  @Test func aSyncWaitsUntilAChangedRecipeIsApplied() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let watch = try Command.start([
      "watch", place.path("recipe.json"), place.library, "--settle", "1", "--quiet",
    ])
    #expect(try place.sync().code == 0)
    let before = try place.read("a.web.jpg")
    try place.recipe(stops: 1)
    #expect(try place.sync().code == 0)
    #expect(try place.read("a.web.jpg") != before)
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
  }

  /// True if another process has a lock on this file.
  private static func isLocked(_ path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    return file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0
  }

  @Test func aQuietWatchPrintsNothingOnSuccess() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let watch = try place.watch(["--quiet"])
    #expect(try place.sync().code == 0)
    watch.send(SIGINT)
    let result = try watch.result()
    #expect(result.code == 130)
    #expect(result.output == "")
    #expect(result.messages == "stopping after the current photos are published\n")
  }

  /// The messages to systemd: ready after the first scan, watchdog messages in between, stopping at
  /// the end.
  @Test(arguments: [true, false])
  func aWatchReportsItsStateToTheServiceManager(_ isAbstract: Bool) throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let socket = try NotifySocket(
      isAbstract ? "@phbatch-\(UUID().uuidString)" : place.path("notify"))
    let watch = try place.watch(
      ["--quiet"],
      environment: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "100000"])
    var heard: [String] = []
    while !heard.contains("READY=1") || heard.filter({ $0 == "WATCHDOG=1" }).count < 3 {
      heard.append(try #require(socket.receive()))
    }
    #expect(heard.contains { $0.hasPrefix("STATUS=") })
    watch.send(SIGHUP)
    #expect(try place.sync().code == 0)
    watch.send(SIGTERM)
    while heard.last != "STOPPING=1" { heard.append(try #require(socket.receive())) }
    #expect(try watch.result().code == 143)
  }

  @Test(.enabled(if: Self.analyzer != nil))
  func theSystemdUnitsAreValid() throws {
    let packaging = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../packaging").standardizedFileURL
    let names = try FileManager.default.contentsOfDirectory(atPath: packaging.path)
    let folder = try TemporaryFolder()
    let units = names.filter {
      ["service", "timer", "path"].contains($0.split(separator: ".").last)
    }
    #expect(!units.isEmpty)
    for name in units {
      // The path of phbatch in the systemd unit is replaced, because the check requires an
      // installed program.
      let text = try String(contentsOf: packaging.appending(path: name), encoding: .utf8)
        .replacingOccurrences(of: "/usr/local/bin/phbatch", with: "/bin/true")
      try folder.write(text, to: name.replacingOccurrences(of: "@", with: "@web"))
    }
    let process = Process()
    process.executableURL = URL(filePath: Self.analyzer ?? "")
    process.arguments = ["verify"] + (try folder.files().map { folder[$0].string })
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    // The analyzer also reports on other units of the machine, so the test only searches its output
    // for the name `phbatch`.
    #expect(!text.contains("phbatch"), "\(text)")
  }

  /// The systemd units work for the library that their manual describes.
  ///
  /// The path unit watches the folder of the library. Photos that arrive one by one start the
  /// service more often than systemd allows by default, so the service has no start limit.
  @Test func theSystemdUnitsWorkForTheLibraryInTheirManual() throws {
    let packaging = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../packaging").standardizedFileURL
    func text(_ name: String) throws -> String {
      try String(contentsOf: packaging.appending(path: name), encoding: .utf8)
    }
    let unit = try #require(try text("phbatch@.service").components(separatedBy: "[Service]").first)
    #expect(unit.contains("\nStartLimitIntervalSec=0\n"))
    // The unit fails if a photo failed or a user must decide, so that somebody notices it.
    #expect(try !text("phbatch@.service").contains("SuccessExitStatus"))
    let watched = try #require(
      try text("phbatch@.path").firstMatch(of: /PathChanged=(.+)\/%i\n/)?.1)
    #expect(try text("README.md").contains("'LIBRARY=\(watched)/web'"))
    #expect(try text("README.md").contains("-t /etc/phbatch\n"))
  }

  private static let analyzer: String? = {
    let found = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if found == nil { print("SKIPPED: there is no systemd-analyze to check the units with") }
    return found
  }()
}

/// The socket of a service manager.
private final class NotifySocket {
  let address: String
  private let descriptor: Int32

  init(_ address: String) throws {
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if address.hasPrefix("@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let size = MemoryLayout<sa_family_t>.size + bytes.count
    let result = withUnsafePointer(to: name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(size))
      }
    }
    guard descriptor >= 0, result == 0 else { throw POSIXError(.EIO) }
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// The next message; nil if no message arrives.
  func receive() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
