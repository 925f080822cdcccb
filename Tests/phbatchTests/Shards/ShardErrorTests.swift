import Foundation
import TestSupport
import Testing

/// Errors of shards: wrong options, damaged plans and unsuitable file systems.
@Suite struct ShardErrorTests {
  private func expect(
    _ code: Int32, _ message: String, _ result: CommandResult,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.code == code, "\(result.messages)", sourceLocation: location)
    #expect(result.messages.contains(message), "\(result.messages)", sourceLocation: location)
  }

  @Test func wrongOptionsOfShardsAreRefused() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan("--shards", "1")
    expect(64, "has no shard 5", try place.shard(5))
    expect(64, "--plan needs --shard", try place.command("run", "--plan", place.planFile))
    expect(
      64, "must be a number", try place.command("run", "--plan", place.planFile, "--shard", "x"))
    expect(64, "below count", try place.command("run", "r.json", "p", "--shard", "3/3"))
    expect(64, "number/count", try place.command("run", "r.json", "p", "--shard", "3"))
    expect(64, "belong to 'phbatch plan'", try place.shard(0, "--previous", "replace"))
    expect(64, "belong to 'phbatch plan'", try place.shard(0, "--set", "edge=5"))
    expect(64, "independently", try place.shard(0, "--atomic"))
    expect(64, "at most 10000", try place.plan("--shards", "10001"))
    expect(64, "only one", try place.plan("--shards", "2", "--hours", "1"))
    expect(73, "already exists", try place.plan())
    expect(73, "cannot write '/proc/x.plan': No such file", try place.plan("-o", "/proc/x.plan"))
    #expect(try place.plan("--replace").code == 3)
    #expect(mkfifo(place.shared.path("pipe"), 0o600) == 0)
    let pipe = try place.plan("-o", place.shared.path("pipe"), "--replace")
    #expect(pipe.code != 0 && pipe.messages.contains("a file is needed"), "\(pipe.messages)")
    expect(66, "there is no plan", try place.command("merge", place.shared.path("other.plan")))
  }

  @Test func theShardNumberIsReadFromTheSchedulersVariables() throws {
    let place = try ShardPlace(["a.jpg", "b/a.jpg"])
    _ = try place.plan("--shards", "2")
    let words = ["run", "--plan", place.planFile, "--shard", "auto"]
    expect(64, "no scheduler", try Command.run(words))
    // If only some tasks are repeated, the scheduler states their number, not the number in the
    // plan.
    let slurm = [
      "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_TASK_MAX": "7",
    ]
    #expect(try Command.run(words, environment: slurm).code == 0)
    #expect(try Command.run(words, environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "0"]).code == 0)
    expect(
      64, "several",
      try Command.run(
        words, environment: slurm.merging(["JOB_COMPLETION_INDEX": "0"]) { $1 }))
    expect(
      64, "not a number",
      try Command.run(
        words, environment: ["JOB_COMPLETION_INDEX": "-1"]))
    #expect(try place.merge().code == 3)
  }

  @Test func aShardIsRefusedIfTheRecipeChangedSinceThePlan() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan()
    let names = try place.shared.names()
    try place.shared.recipe(stops: 2)
    expect(65, "changed since", try place.shard(0))
    #expect(try place.shared.names() == names)
  }

  /// A plan file is refused if it is truncated, has changed bytes, or is not a plan.
  @Test func damagedPlanFilesAreRefused() throws {
    let place = try ShardPlace(["a.jpg", "b.jpg"])
    _ = try place.plan()
    let whole = try place.shared.folder.read("web.plan")
    var changed = whole
    let text = String(decoding: whole, as: UTF8.self)
    let seconds = try #require(text.range(of: "b.jpg"))
    changed[text.utf8.distance(from: text.startIndex, to: seconds.lowerBound)] = 99
    for (length, bytes) in [
      (0, []), (70, Array(whole.prefix(70))),
      (1, Array(whole.dropLast())), (2, Array("{}\n".utf8)), (3, changed),
    ] {
      try place.shared.folder.write(bytes, to: "web.plan")
      let result = try place.shard(0)
      #expect(
        result.code == 65 && result.messages.contains("is not a plan"), "\(length): \(result)")
    }
    #expect(try place.shared.names().count { $0.hasSuffix(".phbatch.json") } == 0)
  }

  /// A photo that is removed after the plan was made fails in its shard; a photo that is added is
  /// left to the next run.
  @Test func photosThatDisappearAfterThePlanFailAndNewOnesWait() throws {
    let place = try ShardPlace(["a.jpg", "b.jpg"])
    _ = try place.plan("--shards", "1")
    try FileManager.default.removeItem(atPath: place.shared.path("photos/a.jpg"))
    try place.shared.addPhoto("new.jpg")
    let shard = try place.shard(0)
    #expect(shard.code == 3 && shard.messages.contains("a.jpg: file-missing"), "\(shard.messages)")
    let merge = try place.merge("--format", "json")
    #expect(try merge.reasons["a.jpg"] == "file-missing")
    #expect(try merge.reasons["new.jpg"] == nil)
    #expect(!(try place.shared.names().contains("new.web.jpg")))
  }

  /// Runs a command as a user without privileges.
  private func unprivileged(_ words: String...) throws -> CommandResult {
    try Command.run(words, environment: ShardPlace.fixed, prefix: Unprivileged.prefix)
  }

  @Test(.enabled(if: Unprivileged.isPossible))
  func aShardThatCannotReadAFolderIsNotMerged() throws {
    let place = try ShardPlace(["a.jpg", "closed/b.jpg", "closed/in/c.jpg"])
    try Unprivileged.open(place.shared)
    let (plan, closed) = (place.planFile, place.shared.path("photos/closed"))
    let planned = try unprivileged(
      "plan", place.shared.path("recipe.json"), place.shared.library, "-o", plan, "--shards", "1")
    #expect(planned.code == 3, "\(planned.messages)")
    #expect(chmod(closed, 0) == 0)
    defer { chmod(closed, 0o755) }
    expect(
      77, "closed/in/c.jpg: unreadable (cannot open 'closed': Permission denied)",
      try unprivileged("run", "--plan", plan, "--shard", "0"))
    expect(2, "1 of 1 shards are not done: 0", try unprivileged("merge", plan))
    #expect(try unprivileged("merge", plan, "--retry").output == "0\n")
    #expect(chmod(closed, 0o755) == 0)
    #expect(try unprivileged("run", "--plan", plan, "--shard", "0").code == 0)
    #expect(try unprivileged("merge", plan).code == 3)
    #expect(try place.shared.names().contains("closed/in/c.web.jpg"))
  }

  /// The photos of a folder that `plan` cannot read are in no shard, so only the plan has the error.
  @Test(.enabled(if: Unprivileged.isPossible))
  func aMergeEndsWithTheCodeOfAFolderThatThePlanCouldNotRead() throws {
    let place = try ShardPlace(["a.jpg", "closed/b.jpg"])
    try Unprivileged.open(place.shared)
    let (plan, closed) = (place.planFile, place.shared.path("photos/closed"))
    #expect(chmod(closed, 0) == 0)
    defer { chmod(closed, 0o755) }
    expect(
      77, "cannot open 'closed'",
      try unprivileged(
        "plan", place.shared.path("recipe.json"), place.shared.library, "-o", plan, "--shards", "1")
    )
    #expect(try unprivileged("run", "--plan", plan, "--shard", "0").code == 0)
    expect(77, "cannot open 'closed'", try unprivileged("merge", plan))
    expect(77, "already merged", try unprivileged("merge", plan))
  }

  @Test func resultsThatDoNotMatchTheShardsPhotosAreNotMerged() throws {
    let place = try ShardPlace(["a.jpg", "b.jpg"])
    _ = try place.plan("--shards", "1")
    #expect(try place.shard(0).code == 0)
    let results = try #require(try place.shared.folder.files().first { $0.hasSuffix("/results") })
    let lines = String(decoding: try place.shared.folder.read(results), as: UTF8.self)
    let swapped = lines.split(separator: "\n").reversed().joined(separator: "\n") + "\n"
    try place.shared.folder.write(swapped, to: results)
    expect(70, "shard 0 do not match its photos", try place.merge())
    #expect(try place.shard(0).code == 0)
    #expect(try place.merge().code == 3)
  }

  /// Locks on a file system in user space do not exclude other machines.
  @Test(.enabled(if: MirroredFolder.isPossible))
  func shardsAreRefusedOnFileSystemsInUserSpace() throws {
    let place = try ShardPlace(["a.jpg"])
    let mount = place.shared.path("mount")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
    let mirrored = try MirroredFolder(place.shared.library, at: mount)
    defer { mirrored.end() }
    let plan = try place.command(
      "plan", place.shared.path("recipe.json"), mount, "-o", place.planFile)
    #expect(plan.code == 3, "\(plan.messages)")
    let shard = try place.shard(0)
    expect(66, "file system in user space", shard)
    #expect(shard.messages.contains("--output"))
  }

  /// A file system in user space below the library is refused, too, unless the output root is
  /// elsewhere.
  @Test(.enabled(if: MirroredFolder.isPossible))
  func shardsAreRefusedAboveFileSystemsInUserSpace() throws {
    let place = try ShardPlace(["a.jpg"])
    let mount = place.shared.path("photos/my b")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
    let mirrored = try MirroredFolder(place.shared.path("behind"), at: mount)
    defer { mirrored.end() }
    try place.shared.addPhoto("my b/a.jpg")
    #expect(try place.plan("--shards", "1").code == 3)
    let before = try place.shared.names()
    let (recipe, library) = (place.shared.path("recipe.json"), place.shared.library)
    for refused in [
      try place.shard(0), try place.command("run", recipe, library, "--shard", "0/1"),
    ] {
      expect(66, "'\(mount)' is on a file system in user space (fuse", refused)
      expect(66, "run there with --output", refused)
    }
    #expect(try place.shared.names() == before)
    let output = place.shared.path("out")
    #expect(try place.plan("--shards", "1", "--output", output, "--replace").code == 3)
    #expect(try place.shard(0).code == 0)
  }

  /// Before the merge, the library has no undo data, but its shards have some.
  @Test func undoIsRefusedUntilTheFirstShardsAreMerged() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan("--shards", "1")
    #expect(try place.shard(0).code == 0)
    expect(75, "not merged", try place.command("undo", place.shared.library))
    #expect(try place.merge().code == 3)
    #expect(try place.command("undo", place.shared.library).code == 0)
  }

  /// A plan of which only one shard ran is given up after another plan has replaced its renditions.
  @Test func bothPlansCanBeUndoneAfterTheFirstIsGivenUp() throws {
    let place = try ShardPlace()
    let before = try ShardPlace.tree(place.shared)
    _ = try place.plan("--shards", "2")
    #expect(try place.shard(0).code == 0)
    try place.shared.recipe(stops: 2)
    let second = place.shared.path("second.plan")
    _ = try place.command(
      "plan", place.shared.path("recipe.json"), place.shared.library, "-o", second, "--shards", "1")
    #expect(try place.command("run", "--plan", second, "--shard", "0").code == 0)
    #expect(try place.command("merge", second).code == 3)
    expect(75, "web.plan --shard 0", try place.command("undo", place.shared.library))
    expect(2, "1 of 2 shards are not done: 1", try place.merge())
    expect(
      3, "not done: 1; the photos that they did not render stay due",
      try place.merge("--accept-missing"))
    let undo = try place.command("undo", place.shared.library, "--steps", "2")
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try ShardPlace.tree(place.shared) == before)
  }

  /// Commands that removed the sidecar of a shard's first rendering are undone before the shards.
  @Test(arguments: ["relink", "prune"])
  func commandsThatRemoveSidecarsAreUndoneBeforeTheShards(_ command: String) throws {
    let place = try ShardPlace(["q.jpg"])
    try place.shared.addPhoto("p.jpg", width: 50)
    let before = try ShardPlace.tree(place.shared)
    let photos = place.shared.library
    _ = try place.plan("--shards", "2")
    for index in 0..<2 { #expect(try place.shard(index).code == 0) }
    let (photo, away) = ("\(photos)/p.jpg", "\(photos)/moved.jpg")
    if command == "relink" {
      try FileManager.default.moveItem(atPath: photo, toPath: away)
      #expect(try place.command("relink", photos).code == 0)
      #expect(try place.shared.names().contains("moved.jpg.phbatch.json"))
    } else {
      try FileManager.default.moveItem(atPath: photo, toPath: place.shared.path("p.jpg"))
      #expect(try place.command("prune", photos, "--yes").code == 0)
      #expect(!(try place.shared.names().contains("p.jpg.phbatch.json")))
    }
    #expect(try place.merge().code == 3)
    try FileManager.default.moveItem(
      atPath: command == "relink" ? away : place.shared.path("p.jpg"), toPath: photo)
    let undo = try place.command("undo", photos, "--steps", "2")
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try ShardPlace.tree(place.shared) == before)
  }

  /// Shards without photos need not run before the merge; with `due` true, one shard has a photo.
  @Test(arguments: [false, true]) func shardsWithoutPhotosNeedNotRun(_ due: Bool) throws {
    let place = try Workplace()
    try place.recipe()
    if !due { #expect(try place.run().code == 0) }
    let plan = place.path("web.plan")
    let planned = try Command.run(
      ["plan", place.path("recipe.json"), place.library, "-o", plan, "--shards", "2"])
    #expect(planned.code == 0, "\(planned.messages)")
    if due {
      expect(2, "1 of 2 shards are not done: 0", try Command.run(["merge", plan]))
      #expect(try Command.run(["run", "--plan", plan, "--shard", "0"]).code == 0)
    }
    let retried = try Command.run(["submit", "--engine", "slurm", "--print", "--retry", plan])
    expect(0, "no shard is left", retried)
    let merge = try Command.run(["merge", plan, "--format", "json"])
    #expect(merge.code == 0, "\(merge.messages)")
    #expect(try merge.reasons == ["a.jpg": due ? "rendered" : "up-to-date"])
    let again = try Command.run(["merge", plan, "--format", "json"])
    #expect(again.code == 0 && again.output.contains("already merged"))
    #expect(try again.events.map { $0["event"] as? String } == ["warning", "run-end"])
    #expect(try again.events.last?["exit"] as? Int == 0)
  }
}
