import Foundation
import Glibc
import TestSupport
import Testing

/// Shards on machines that share a folder.
///
/// A machine is simulated by namespaces with a mount of the folder and a host name. The kernel of
/// the tests usually has no NFS; on NFS, the same locks reach the server.
@Suite struct ShardMachineTests {
  private let place: ShardPlace
  private let recipe: String

  init() throws {
    place = try ShardPlace()
    recipe = place.shared.path("recipe.json")
    try FileManager.default.createDirectory(
      atPath: place.shared.path("mount"), withIntermediateDirectories: false)
  }

  private func run(
    on machine: String, _ words: String..., injecting: [String] = []
  ) throws -> CommandResult {
    try Command.run(
      words, environment: ShardPlace.fixed,
      prefix: SimulatedMachine.prefix(machine, place.shared) + injecting)
  }

  private func plan() throws {
    let plan = try run(
      on: "alpha", "plan", recipe, place.shared.path("mount"), "-o", place.planFile, "--shards",
      "2")
    #expect(plan.code == 3, "\(plan.messages)")
  }

  private func shard(
    _ index: Int, on machine: String, injecting: [String] = []
  ) throws -> CommandResult {
    try run(
      on: machine, "run", "--plan", place.planFile, "--shard", "\(index)", injecting: injecting)
  }

  /// The tree after a merge on a third machine is that of one run.
  private func expectTheTreeOfOneRun() throws {
    _ = try place.runAlone()
    let merge = try run(on: "gamma", "merge", place.planFile)
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
  }

  /// One machine does a shard, while another does the other shard, and is refused everything else.
  @Test(.enabled(if: SimulatedMachine.isPossible))
  func locksExcludeOtherMachines() throws {
    try plan()
    #expect(try shard(0, on: "alpha").code == 0)
    // The shard is done again, because a photo is due again, and stops in the photo's commit.
    let state = try #require(
      try place.shared.folder.files().first { $0.hasSuffix("/0/status.json") }
    ).dropLast("status.json".count)
    let sidecar = try #require(
      try place.shared.names().first { $0.hasSuffix(".phbatch.json") })
    try FileManager.default.removeItem(atPath: place.shared.path("photos/\(sidecar)"))
    let rendition = sidecar.replacing(".jpg.phbatch.json", with: ".web.jpg")
      .replacing(".png.phbatch.json", with: ".web.jpg")
    try FileManager.default.removeItem(atPath: place.shared.path("photos/\(rendition)"))
    let lock = open(place.shared.path("\(state)commit.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let first = try Command.start(
      ["run", "--plan", place.planFile, "--shard", "0"], environment: ShardPlace.fixed,
      prefix: SimulatedMachine.prefix("alpha", place.shared))
    let note = place.shared.path("\(state)run.json")
    while !FileManager.default.fileExists(atPath: note), first.isRunning { usleep(5000) }
    let second = try shard(0, on: "beta")
    #expect(second.code == 75 && second.messages.contains("on alpha"), "\(second.messages)")
    for words in [["run", recipe, place.shared.path("mount")], ["merge", place.planFile]] {
      let refused = try Command.run(
        words, environment: ShardPlace.fixed,
        prefix: SimulatedMachine.prefix("beta", place.shared))
      #expect(refused.code == 75, "\(words): \(refused.messages)")
      #expect(refused.messages.contains("on alpha"), "\(words): \(refused.messages)")
    }
    let other = try shard(1, on: "beta")
    #expect(other.code == 0, "\(other.messages)")
    #expect(first.isRunning)
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    let end = try first.result()
    #expect(end.code == 0, "\(end.messages)")
    try expectTheTreeOfOneRun()
  }

  /// A machine is lost within a commit, and another completes it.
  @Test(.enabled(if: SimulatedMachine.isPossible && Tracer.isPossible))
  func aShardOfALostMachineIsDoneByAnother() throws {
    try plan()
    let lost = try shard(
      0, on: "alpha",
      injecting: Tracer.prefix("renameat2", injecting: "signal=KILL:when=9"))
    #expect(lost.code == 137, "\(lost.messages)")
    let journals = try place.shared.folder.files().filter { $0.hasSuffix(".commit") }
    #expect(!journals.isEmpty, "the shard was killed outside of a commit")
    let shards = try [1, 0].map { try shard($0, on: "beta") }
    #expect(shards.map(\.code) == [0, 0], "\(shards.map(\.messages))")
    try expectTheTreeOfOneRun()
  }
}

/// A machine of its own for one command.
private enum SimulatedMachine {
  /// The words in front of a command that start it with a mount of the library at `mount`, which is
  /// empty on all other machines.
  static func prefix(_ name: String, _ place: Workplace) -> [String] {
    words("mount --bind '\(place.library)' '\(place.path("mount"))' && hostname \(name)")
  }

  private static func words(_ commands: String) -> [String] {
    [
      "unshare", "--user", "--map-root-user", "--mount", "--uts", "sh", "-c",
      "\(commands) && exec \"$@\"", "sh",
    ]
  }

  /// True if this system allows namespaces.
  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words("mount --bind /tmp /tmp && hostname other") + ["true"]
    process.standardError = FileHandle.nullDevice
    if (try? process.run()) != nil {
      process.waitUntilExit()
      if process.terminationStatus == 0 { return true }
    }
    print("SKIPPED: this system allows no namespaces, so shards are not tried on two machines")
    return false
  }()
}
