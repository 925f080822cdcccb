import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// A watch under changing conditions of the system: a clock that is set, a file system that a
/// program provides, folders that cannot be read.
@Suite(.serialized) struct WatchGroundTests {
  private static let output = #""name": "web", "format": "png", "path": "{name}.{output}.{ext}""#

  private func place(_ photos: [String]) throws -> Workplace {
    let place = try Workplace(photos)
    try place.recipe(output: Self.output)
    return place
  }

  /// The bytes of a PNG file that contain its size.
  private func size(_ place: Workplace, _ name: String) throws -> ArraySlice<UInt8> {
    try place.read(name)[16..<24]
  }

  /// A watch detects all changes while its clock is set back and forward, because the timestamps of
  /// files come from the kernel.
  ///
  /// The clock is set back by up to three days and forward by up to 400 days.
  @Test(.enabled(if: FalseClock.isPossible)) func aWatchDetectsAllChangesWhileItsClockIsSet() throws
  {
    let place = try place(["a.png"])
    let clock = try FalseClock(place.folder)
    let watch = try place.watch(["--format", "json"], environment: clock.environment)
    #expect(try place.sync().code == 0)
    var names = ["a.png"]
    for (number, days) in [-1, 400, -3, 0].enumerated() {
      try clock.set(days: days)
      names.append("\(number).png")
      try place.addPhoto("\(number).png", width: 30 + number, height: 20)
      try place.addPhoto("a.png", width: 50 + number, height: 20)
      #expect(try place.sync().code == 0)
      for name in names {
        #expect(try size(place, "\(name).web.png") == size(place, name), "\(name), \(days) days")
      }
    }
    watch.send(SIGTERM)
    let result = try watch.result()
    #expect(result.code == 143, "\(result.messages)")
    #expect(result.messages == "stopping after the current photos are published\n")
    let done = try result.events.filter { $0["event"] as? String == "asset-done" }
    #expect(done.count == 1 + 2 * 4)
    // The dates in the sidecars show that the clock was changed.
    let years = try names.dropFirst().map { name in
      try place.sidecar(name).firstMatch(of: /"date": "([0-9]{4})[-0-9T:]+Z"/)?.1
    }
    #expect(Set(years).count > 1, "\(years)")
    #expect(try place.run().output == "5 up-to-date\n")
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  /// A run detects changed photos even if its clock is behind the timestamps of the photos and of
  /// the last run's index.
  @Test(.enabled(if: FalseClock.isPossible))
  func aRunWhoseClockIsBehindItsFilesDetectsChangedPhotos() throws {
    let place = try place(["a.png"])
    let clock = try FalseClock(place.folder)
    for (number, days) in [0, -2, 300, -9].enumerated() {
      try clock.set(days: days)
      try place.addPhoto("a.png", width: 40 + number, height: 20)
      let first = try place.run(environment: clock.environment)
      #expect(first.output.hasPrefix("1 rendered"), "\(days) days: \(first.output)")
      #expect(try size(place, "a.png.web.png") == size(place, "a.png"))
      #expect(try place.run(environment: clock.environment).output == "1 up-to-date\n")
    }
  }

  /// A watch processes all photos even if the library has more folders than the kernel allows the
  /// user to watch (here 20).
  @Test(.enabled(if: WatchLimit.isPossible))
  func aWatchAboveTheKernelsLimitOfFoldersProcessesAllPhotos() throws {
    let place = try place([])
    for number in 0..<40 { try place.addPhoto("\(number)/a.png", width: 20 + number, height: 20) }
    let watch = try place.watch(["--format", "json"], prefix: WatchLimit.prefix(20))
    #expect(try place.sync().code == 0)
    for number in 0..<40 { try place.addPhoto("\(number)/b.png", width: 20 + number, height: 30) }
    try place.addPhoto("new/folder/c.png", width: 40, height: 40)
    #expect(try place.sync().code == 0)
    watch.send(SIGTERM)
    let result = try watch.result()
    #expect(result.code == 143)
    let warnings = try result.events.compactMap { event in
      event["event"] as? String == "warning" ? event["hint"] as? String : nil
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("sysctl fs.inotify.max_user_watches=") == true, "\(warnings)")
    #expect(try place.run().output == "81 up-to-date\n")
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  /// A watch processes new photos on a file system without kernel events and without some
  /// operations of disk file systems.
  ///
  /// The file system shows the content of another folder, to which the photos are added.
  @Test(.enabled(if: MirroredFolder.isPossible)) func aWatchPollsAFileSystemWithoutEvents() throws {
    let place = try place([])
    let mirrored = try MirroredFolder(place.folder["behind"].string, at: place.library)
    defer { mirrored.end() }
    try place.folder.write(SyntheticPhoto.png(width: 30, height: 20), to: "behind/a.png")
    let watch = try place.watch(["--format", "json", "--poll", "0.2"])
    #expect(try place.sync().code == 0)
    for number in 0..<3 {
      try place.folder.write(
        SyntheticPhoto.png(width: 31 + number, height: 20), to: "behind/in/\(number).png")
      #expect(try watch.says("in/\(number).png"))
    }
    #expect(try place.sync().code == 0)
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
    #expect(try place.names().filter { $0.hasSuffix(".web.png") }.count == 4)
    #expect(try place.run().output == "4 up-to-date\n")
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  /// A watch processes the photos of a disk that is mounted in a folder of the library and
  /// unmounted later.
  @Test(.enabled(if: Mounting.isPossible)) func aWatchProcessesADiskThatIsMountedAndUnmounted()
    throws
  {
    let place = try place(["a.png"])
    // The kernel's list of mounts escapes spaces.
    let folder = place.path("photos/a disk")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    let watch = try place.watch(["--format", "json"])
    #expect(try place.sync().code == 0)
    // The disk is first mounted elsewhere, so that the watch receives no event for its photo.
    let elsewhere = place.path("elsewhere")
    try FileManager.default.createDirectory(
      atPath: elsewhere, withIntermediateDirectories: false)
    try Shell.run("mount -t tmpfs tmpfs '\(elsewhere)'")
    defer { try? Shell.run("umount '\(elsewhere)'") }
    try place.folder.write(SyntheticPhoto.png(width: 31, height: 20), to: "elsewhere/b.png")
    try Shell.run("mount --bind '\(elsewhere)' '\(folder)'")
    var isMounted = true
    defer { if isMounted { try? Shell.run("umount '\(folder)'") } }
    #expect(try place.sync().code == 0)
    #expect(try size(place, "a disk/b.png.web.png") == size(place, "a disk/b.png"))
    try Shell.run("umount '\(folder)'")
    isMounted = false
    try place.addPhoto("a disk/c.png", width: 32, height: 20)
    #expect(try place.sync().code == 0)
    #expect(try place.names().contains("a disk/c.png.web.png"))
    watch.send(SIGTERM)
    #expect(try watch.result().code == 143)
    #expect(try place.run().output == "2 up-to-date\n")
  }

  /// Photos are found on a file system without events that is mounted within a library with events.
  @Test(.enabled(if: MirroredFolder.isPossible))
  func aWatchScansAMountedFolderWithoutEventsInTheLibrary() throws {
    let place = try place(["a.png"])
    try FileManager.default.createDirectory(
      atPath: place.path("photos/sub"), withIntermediateDirectories: false)
    let mirrored = try MirroredFolder(place.folder["behind"].string, at: place.path("photos/sub"))
    defer { mirrored.end() }
    let watch = try place.watch(["--format", "json"])
    #expect(try place.sync().code == 0)
    try place.folder.write(SyntheticPhoto.png(width: 31, height: 20), to: "behind/b.png")
    // A sync scans all folders for which there are no events.
    #expect(try place.sync().code == 0)
    #expect(try watch.says("sub/b.png.web.png"))
    watch.send(SIGTERM)
    let result = try watch.result()
    let warnings = try result.events.filter { $0["event"] as? String == "warning" }
    #expect(warnings.count == 1)
    let message = warnings.first?["message"] as? String
    #expect(message?.contains("photos/sub") == true)
  }

  /// An unreadable folder is reported once.
  ///
  /// Its photos are not treated as missing, and are rendered when it can be read again.
  @Test(
    .enabled(if: Unprivileged.isPossible),
    arguments: [("photos/secret", "warning"), ("photos", "library-away")])
  func aWatchReportsAnUnreadableFolderOnce(_ folder: String, _ event: String) throws {
    let place = try place(["a.png", "secret/a.png"])
    try Unprivileged.open(place)
    let watch = try place.watch(["--format", "json"], prefix: Unprivileged.prefix)
    #expect(try place.sync(prefix: Unprivileged.prefix).code == 0)
    #expect(chmod(place.path(folder), 0) == 0)
    defer { chmod(place.path(folder), 0o755) }
    // If the unreadable folder is the library itself, only root can still write a photo to it.
    if geteuid() == 0 || folder != "photos" {
      try place.addPhoto("b.png", width: 31, height: 20)
      try Unprivileged.open(place)
      #expect(chmod(place.path(folder), 0) == 0)
    }
    #expect(try watch.says(#""event":"\#(event)""#))
    #expect(chmod(place.path(folder), 0o755) == 0)
    try place.addPhoto("secret/c.png", width: 32, height: 20)
    try Unprivileged.open(place)
    #expect(try place.sync(prefix: Unprivileged.prefix).code == 0)
    watch.send(SIGTERM)
    let result = try watch.result()
    #expect(result.code == 143)
    #expect(try result.events.filter { $0["event"] as? String == event }.count == 1)
    let run = try place.run(prefix: Unprivileged.prefix)
    #expect(run.output.wholeMatch(of: /\d up-to-date\n/) != nil, "\(run.output)")
    for name in try place.names() where name.hasSuffix(".png") && !name.hasSuffix(".web.png") {
      #expect(try size(place, "\(name).web.png") == size(place, name))
    }
  }
}

/// A false clock for one command; see `Tests/FalseClock`.
private struct FalseClock {
  private static let source = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../FalseClock/clock.c").standardizedFileURL.path

  static var isPossible: Bool {
    if (try? compile(["--version"])) != nil { return true }
    print("SKIPPED: without clang no clock can be set")
    return false
  }

  private static func compile(_ arguments: [String]) throws {
    let clang = try Process.run(
      URL(filePath: "/usr/bin/env"), arguments: ["clang"] + arguments)
    clang.waitUntilExit()
    try #require(clang.terminationStatus == 0)
  }

  private let folder: TemporaryFolder

  init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    try Self.compile(["-O1", "-shared", "-fPIC", "-o", folder["clock.so"].string, Self.source])
    try set(days: 0)
  }

  func set(days: Int) throws { try folder.write("\(days * 86_400)", to: "clock") }

  var environment: [String: String] {
    ["LD_PRELOAD": folder["clock.so"].string, "PHBATCH_FALSE_CLOCK": folder["clock"].string]
  }
}

/// A folder that shows the content of another folder, through the program bindfs.
struct MirroredFolder {
  private static let program = "/usr/bin/bindfs"

  static var isPossible: Bool {
    let manager = FileManager.default
    let hasBoth =
      manager.isExecutableFile(atPath: program) && manager.isWritableFile(atPath: "/dev/fuse")
    if !hasBoth { print("SKIPPED: there is no bindfs, or no /dev/fuse") }
    return hasBoth
  }

  private let place: String
  private let process: Process

  init(_ folder: String, at place: String) throws {
    self.place = place
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let device = try Self.device(of: place)
    // The program runs in the foreground, because `Process` does not notice the end of a program
    // that leaves a child process.
    process = try Process.run(
      URL(filePath: Self.program), arguments: ["-f", "--no-allow-other", folder, place])
    while try process.isRunning && Self.device(of: place) == device { usleep(2_000) }
    try #require(process.isRunning)
  }

  private static func device(of path: String) throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int)
  }

  /// Unmounts the folder.
  func end() {
    let unmounting = try? Process.run(
      URL(filePath: "/bin/fusermount"), arguments: ["-u", "-z", place])
    unmounting?.waitUntilExit()
    // Unmounting is not enough, because the mount remains while other processes have files open in
    // it. So the program that serves the mount is killed.
    kill(process.processIdentifier, SIGKILL)
  }
}

/// The kernel's limit of watched folders, for the programs of a user namespace.
private enum WatchLimit {
  /// The words in front of a command that start it with the limit.
  static func prefix(_ folders: Int) -> [String] {
    [
      "unshare", "--user", "--map-root-user", "sh", "-c",
      "echo \(folders) > /proc/sys/user/max_inotify_watches && exec \"$@\"", "sh",
    ]
  }

  /// True if this system allows user namespaces.
  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = prefix(50) + ["true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    if process.terminationStatus == 0 { return true }
    print("no user namespaces: the kernel's limit is not tried")
    return false
  }()
}
