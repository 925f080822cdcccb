import Foundation
import Glibc
import TestRandom
import TestSupport
import Testing

/// The commands `plan`, `run --plan` and `merge` together leave the same files as a single run.
@Suite struct ShardTests {
  @Test(arguments: TestVolume.isWhole ? [1, 2, 3, 8, 40] : [1, 25])
  func mergedShardsLeaveTheSameFilesAsOneRun(_ count: Int) throws {
    let place = try ShardPlace()
    let run = try place.runAlone("--report", place.alone.path("report.json"))
    #expect(run.code == 3, "\(run.messages)")
    let plan = try place.plan("--shards", "\(count)")
    #expect(plan.code == 3, "\(plan.messages)")
    #expect(
      plan.lines.first?.contains(
        "\(ShardPlace.photos.count) photos in \(count) \(count == 1 ? "shard" : "shards")") == true)
    let before = try place.shared.names()
    #expect(try place.command("plan", "--show", place.planFile).lines == plan.lines)
    #expect(try place.shared.names() == before, "a plan writes nothing into the library")
    for index in (0..<count).reversed() {
      let shard = try place.shard(index)
      #expect(shard.code == 0, "\(shard.messages)")
    }
    let merge = try place.merge("--report", place.shared.path("report.json"))
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(merge.lines.last == run.lines.last)
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
    #expect(try Self.report(place.shared) == Self.report(place.alone))
    // The index, the ledger and the undo data are also the same as after a single run.
    let again = try place.command(
      "run", place.shared.path("recipe.json"), place.shared.library, "--format", "json")
    #expect(try Set(again.reasons.values) == ["up-to-date", "unreadable"])
    let verified = try [place.alone, place.shared].map {
      try place.command("verify", $0.library).output
    }
    #expect(verified[0] == verified[1])
    let undo = try place.command("undo", place.shared.library)
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try place.shared.names() == before)
  }

  /// The photos of a report, without the values that differ between two libraries.
  private static func report(_ place: Workplace) throws -> [[String: NSObject]] {
    let json = try JSONSerialization.jsonObject(with: Data(place.folder.read("report.json")))
    let photos = (json as? [String: Any])?["photos"] as? [[String: NSObject]] ?? []
    #expect(photos.count > ShardPlace.photos.count)
    return photos
  }

  /// The second edit replaces the files of the first; `undo` restores them.
  @Test func undoRestoresFilesThatShardsReplaced() throws {
    let place = try ShardPlace()
    for library in [place.alone, place.shared] {
      _ = try Command.run(
        ["run", library.path("recipe.json"), library.library], environment: ShardPlace.fixed)
    }
    let first = try ShardPlace.tree(place.shared)
    for library in [place.alone, place.shared] { try library.recipe(stops: 1) }
    _ = try place.runAlone()
    #expect(try place.plan("--shards", "3").code == 3)
    for index in 0..<3 { #expect(try place.shard(index).code == 0) }
    let refused = try place.command("undo", place.shared.library)
    #expect(refused.code == 75 && refused.messages.contains("not merged"), "\(refused.messages)")
    #expect(try place.merge().code == 3)
    #expect(try place.differences() == [])
    let undo = try place.command("undo", place.shared.library)
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try ShardPlace.tree(place.shared) == first)
  }

  @Test func shardsWithWebSetsAndOutputFoldersLeaveTheSameFilesAsOneRun() throws {
    let place = try ShardPlace(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [20, 40], "formats": ["webp", "jpeg"],
        "path": "img/{stem}-{output}.{ext}"
        """#)
    _ = try place.runAlone("--output", place.alone.path("out"))
    let plan = try place.plan("--shards", "4", "--output", place.shared.path("out"))
    #expect(plan.code == 3, "\(plan.messages)")
    for index in 0..<4 { #expect(try place.shard(index).code == 0) }
    #expect(try place.merge().code == 3)
    #expect(try place.differences(below: "out") == [])
    #expect(try place.shared.folder.read("out/web.json").count > 1000)
  }

  /// Renditions at the library's root may belong to photos of any folder, so every shard reads the
  /// whole library, and every shard reports two photos with the same output path as a collision.
  @Test func photosWithTheSameOutputPathCollideInEveryShard() throws {
    let place = try ShardPlace(
      output: #""name": "web", "format": "jpeg", "path": "{root}/all/{stem}.{ext}""#)
    let run = try place.runAlone("--format", "json")
    let plan = try place.plan("--shards", "3")
    #expect(plan.output.contains("reads the whole library"))
    #expect(plan.code == 3, "\(plan.messages)")
    for index in 0..<3 { #expect(try place.shard(index).code == 0) }
    let merge = try place.merge("--format", "json")
    #expect(try merge.reasons == run.reasons)
    #expect(try run.reasons.values.contains("collision"))
    #expect(try place.differences() == [])
  }

  @Test func severalShardsRunAtTheSameTime() throws {
    let place = try ShardPlace()
    _ = try place.runAlone()
    _ = try place.plan("--shards", "4")
    // Each shard has two processes: one processes the shard, the other finds that it is in use or
    // done.
    let started = try (0..<8).map { try place.start($0 % 4) }
    let codes = try started.map { try $0.result().code }
    #expect(codes.allSatisfy { [0, 75].contains($0) }, "\(codes)")
    #expect(try place.merge().code == 3)
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
  }

  @Test func aRunWithoutAPlanWaitsForRunningShards() throws {
    let place = try ShardPlace()
    _ = try place.plan("--shards", "2")
    let lock = try FileLock(place.shared.path("photos/.phbatch/run.lock"), LOCK_SH)
    #expect(try place.shard(0).code == 0)
    let run = try place.command("run", place.shared.path("recipe.json"), place.shared.library)
    #expect(run.code == 75, "\(run.messages)")
    let merge = try place.merge()
    #expect(merge.code == 75, "\(merge.messages)")
    withExtendedLifetime(lock) {}
  }

  @Test func aShardThatIsRunTwiceChangesNothingTheSecondTime() throws {
    let place = try ShardPlace()
    _ = try place.runAlone("--report", place.alone.path("report.json"))
    _ = try place.plan("--shards", "2")
    #expect(try place.shard(0).code == 0)
    let before = try place.shared.snapshot()
    #expect(try place.shard(0).code == 0)
    #expect(try place.shared.snapshot() == before)
    #expect(try place.shard(1).code == 0)
    let merge = try place.merge(
      "--format", "json", "--report", place.shared.path("report.json"))
    // Photos that the first execution has rendered count as rendered, with all facts about them.
    #expect(try merge.reasons.values.count { $0 == "rendered" } == ShardPlace.photos.count)
    #expect(try Self.report(place.shared) == Self.report(place.alone))
    let again = try place.merge()
    #expect(again.code == 3 && again.messages.contains("already merged"))
    #expect(try place.shard(0).code == 66)
  }

  @Test(arguments: TestVolume.isWhole ? [0, 1, 2, 3, 4, 5] : [0, 3])
  func aKilledShardCanBeRunAgain(_ round: Int) throws {
    let place = try ShardPlace()
    _ = try place.runAlone()
    _ = try place.plan("--shards", "3")
    let running = try place.start(1)
    // Some rounds end before the first commit, and some in the middle of one.
    usleep(UInt32(40_000 + 60_000 * round))
    running.send(SIGKILL)
    _ = try running.result()
    for index in [0, 2] { #expect(try place.shard(index).code == 0) }
    let missing = try place.merge()
    if missing.code == 2 {
      #expect(missing.messages.contains("1 of 3 shards are not done: 1"), "\(missing.messages)")
      let retry = try place.merge("--retry")
      #expect(retry.code == 2 && retry.output == "1\n")
    }
    let shard = try place.shard(1)
    #expect([0, 66].contains(shard.code), "\(shard.messages)")
    #expect([3].contains(try place.merge().code))
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
  }

  /// A shard can be killed while it writes a file of its trash.
  @Test func theTemporaryFileOfAKilledShardDoesNotReachTheTrashOfTheLibrary() throws {
    let place = try ShardPlace()
    _ = try place.runAlone()
    _ = try place.plan("--shards", "2")
    for index in 0..<2 { #expect(try place.shard(index).code == 0) }
    let commands = try place.shared.folder.files().filter { $0.hasSuffix("/trash/1/command") }
    #expect(commands.count == 2)
    for command in commands {
      try place.shared.folder.write(
        "", to: command.dropLast("command".count) + ".phbatch-1-0123456789abcdef.tmp")
    }
    #expect(try place.merge().code == 3)
    #expect(try place.shared.leftovers() == [])
    #expect(try place.differences() == [])
    #expect(try place.command("undo", place.shared.library).code == 0)
  }

  /// A commit that a shard could not complete is completed when the shard runs again, or by the
  /// merge.
  @Test func theInterruptedCommitOfAShardIsCompletedByItOrTheMerge() throws {
    try #require(Tracer.isPossible)
    let place = try ShardPlace()
    _ = try place.runAlone()
    try place.interruptFirstShard()
    let run = try place.command("run", place.shared.path("recipe.json"), place.shared.library)
    #expect(run.code == 75 && run.messages.contains("interrupted"), "\(run.messages)")
    #expect(try place.shard(1).code == 0)
    #expect(try place.shard(0).code == 0)
    #expect(try place.merge().code == 3)
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
  }

  @Test func shardsCanRunWithoutAPlan() throws {
    let place = try ShardPlace()
    _ = try place.runAlone()
    let recipe = place.shared.path("recipe.json")
    let started = try (0..<3).map {
      try Command.start(
        ["run", recipe, place.shared.library, "--shard", "\($0)/3"], environment: ShardPlace.fixed)
    }
    let codes = try started.map { try $0.result() }
    #expect(codes.map(\.code).sorted() == [0, 0, 3], "\(codes.map(\.messages))")
    #expect(try place.differences() == [])
    let run = try place.command("run", recipe, place.shared.library, "--format", "json")
    #expect(try Set(run.reasons.values) == ["up-to-date", "unreadable"])
  }

  /// A script that waits for a file holds a shard of one plan until a shard of another plan has
  /// changed the same photos.
  @Test func photosThatAShardOfAnotherPlanChangedAreReadAndRenderedAgain() throws {
    let place = try ShardPlace(["a.jpg", "b/a.jpg"])
    let before = try ShardPlace.tree(place.shared)
    let (begun, go) = (place.shared.path("begun"), place.shared.path("go"))
    let script = "touch '\(begun)'; until [ -e '\(go)' ]; do sleep 0.02; done; cat"
    try place.shared.folder.write(
      """
      {"identifier": "org.example.slow", "version": "1.0.0", "variant": "slow",
       "filters": [{"filter": "external", "command": ["sh", "-c", "\(script)"]}],
       "outputs": [{"name": "slow", "format": "jpeg"}]}
      """, to: "slow.json")
    let plan = place.shared.path("slow.plan")
    let planned = try place.command(
      "plan", place.shared.path("slow.json"), place.shared.library, "-o", plan, "--shards", "1",
      "--allow-external")
    #expect(planned.code == 3, "\(planned.messages)")
    #expect(try place.plan("--shards", "1").code == 3)
    let slow = try Command.start(
      ["run", "--plan", plan, "--shard", "0", "--format", "json"], environment: ShardPlace.fixed)
    #expect(eventually { !slow.isRunning || FileManager.default.fileExists(atPath: begun) })
    #expect(try place.shard(0).code == 0)
    try place.shared.folder.write("", to: "go")
    let result = try slow.result()
    #expect(result.code == 0, "\(result.output)")
    #expect(try result.reasons == ["a.jpg": "rendered", "b/a.jpg": "rendered"])
    #expect(try place.command("merge", plan).code == 3)
    #expect(try place.merge().code == 3)
    let names = try place.shared.names()
    for name in ["a.web.jpg", "a.slow.jpg", "b/a.web.jpg", "b/a.slow.jpg"] {
      #expect(names.contains(name))
    }
    let undo = try place.command("undo", place.shared.library, "--steps", "2")
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try ShardPlace.tree(place.shared) == before)
  }
}
