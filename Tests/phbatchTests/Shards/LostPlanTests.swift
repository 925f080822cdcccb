import Foundation
import TestSupport
import Testing

/// Plans whose shards have begun: the file is not replaced, and its loss does not block the library.
@Suite struct LostPlanTests {
  private func run(_ place: ShardPlace) throws -> CommandResult {
    try place.command("run", place.shared.path("recipe.json"), place.shared.library)
  }

  private func lose(_ place: ShardPlace) throws {
    try FileManager.default.removeItem(atPath: place.planFile)
  }

  /// The path of the library's copy of the plan, which a message names.
  private func copy(in result: CommandResult) throws -> String {
    #expect(result.code == 75, "\(result.messages)")
    return String(try #require(result.messages.firstMatch(of: /the plan is also at '(.+)'/)).1)
  }

  @Test func aPlanIsReplacedOnlyAfterItsShardsAreMerged() throws {
    let place = try ShardPlace()
    _ = try place.plan("--shards", "2")
    #expect(try place.plan("--shards", "3", "--replace").code == 3)
    let plan = try place.shared.folder.read("web.plan")
    #expect(try place.shard(0).code == 0)
    let refused = try place.plan("--replace")
    #expect(refused.code == 75, "\(refused.messages)")
    #expect(refused.messages.contains("web.plan' are not merged yet"), "\(refused.messages)")
    #expect(refused.messages.contains("--accept-missing"))
    #expect(try place.shared.folder.read("web.plan") == plan)
    #expect(try place.merge("--accept-missing").code == 3)
    #expect(try place.plan("--replace").code == 3)
    #expect(try place.shared.folder.read("web.plan") != plan)
  }

  @Test func theShardsOfALostPlanAreMergedWithTheLibrarysCopy() throws {
    let place = try ShardPlace()
    let before = try ShardPlace.tree(place.shared)
    _ = try place.plan("--shards", "2")
    #expect(try place.shard(0).code == 0)
    try lose(place)
    _ = try place.plan("--shards", "1")
    let undo = try place.command("undo", place.shared.library)
    #expect(undo.messages.contains("web.plan --shard 0"), "\(undo.messages)")
    let copy = try copy(in: undo)
    #expect(
      try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
    let merge = try place.command("merge", copy, "--accept-missing")
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(try place.command("undo", place.shared.library).code == 0)
    #expect(try ShardPlace.tree(place.shared) == before)
  }

  @Test(arguments: ["merge", "run"])
  func theInterruptedCommitOfALostPlanIsCompleted(_ command: String) throws {
    try #require(Tracer.isPossible)
    let place = try ShardPlace()
    _ = try place.runAlone()
    try place.interruptFirstShard()
    try lose(place)
    let refused = try run(place)
    #expect(refused.messages.contains("web.plan --shard 0' was interrupted"), "\(refused.messages)")
    let copy = try copy(in: refused)
    if command == "run" {
      for index in 0..<2 {
        let shard = try place.command("run", "--plan", copy, "--shard", "\(index)")
        #expect(shard.code == 0, "\(shard.messages)")
      }
      #expect(try place.command("merge", copy).code == 3)
    } else {
      #expect(try place.command("merge", copy, "--accept-missing").code == 3)
      #expect(try run(place).code == 3)
    }
    #expect(try place.differences() == [])
    #expect(try place.shared.leftovers() == [])
  }

  @Test func commandsThatOnlyReadNameTheInterruptedShard() throws {
    try #require(Tracer.isPossible)
    let place = try ShardPlace()
    try place.interruptFirstShard()
    let verify = try place.command("verify", place.shared.library, "--format", "json").events
    let kinds = verify.compactMap { $0["kind"] as? String }
    #expect(kinds.contains("unfinished") && !kinds.contains("leftover"), "\(verify)")
    let detail = verify.first { $0["kind"] as? String == "unfinished" }?["detail"] as? String
    #expect(detail?.contains("phbatch merge --accept-missing") == true, "\(detail ?? "")")
    let check = try place.command(
      "run", "--check", place.shared.path("recipe.json"), place.shared.library)
    let plan = try place.plan("-o", place.shared.path("other.plan"))
    for result in [check, plan] {
      #expect(result.messages.contains("was interrupted"), "\(result.messages)")
    }
    #expect(try place.merge("--accept-missing").code == 3)
    let findings = try place.command("verify", place.shared.library)
    #expect(findings.code == 0, "\(findings.output)")
  }

  /// The plan contains its recipe, which `merge` needs for the manifests of web sets.
  @Test(arguments: ["removed", "invalid"])
  func shardsAreMergedWithoutTheFileOfTheirRecipe(_ state: String) throws {
    let place = try ShardPlace(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [20, 40], "formats": ["jpeg"],
        "path": "img/{stem}-{output}.{ext}"
        """#)
    _ = try place.runAlone()
    _ = try place.plan("--shards", "2")
    for index in 0..<2 { #expect(try place.shard(index).code == 0) }
    if state == "removed" {
      try FileManager.default.removeItem(atPath: place.shared.path("recipe.json"))
    } else {
      try place.shared.folder.write("{", to: "recipe.json")
    }
    let merge = try place.merge()
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(try place.differences() == [])
    #expect(try place.command("undo", place.shared.library).code == 0)
  }

  /// A library that was moved has the copy of the plan, which names the library's former place.
  @Test func theShardsOfAMovedLibraryAreMergedWithItsCopyOfThePlan() throws {
    let place = try ShardPlace()
    let before = try ShardPlace.tree(place.shared)
    _ = try place.plan("--shards", "2")
    #expect(try place.shard(0).code == 0)
    let moved = place.shared.path("moved")
    try FileManager.default.moveItem(atPath: place.shared.library, toPath: moved)
    for words in [["merge", place.planFile], ["merge", place.planFile, "--retry"]] {
      let lost = try Command.run(words)
      #expect(lost.code == 66, "\(lost.messages)")
      #expect(lost.messages.contains("if it was moved, give the plan's copy in it"))
    }
    let kept = try place.command(
      "plan", place.shared.path("recipe.json"), moved, "-o", place.planFile, "--replace")
    #expect(kept.code == 75, "\(kept.messages)")
    #expect(kept.messages.contains("may not be merged yet"), "\(kept.messages)")
    let copy = try copy(in: try place.command("undo", moved))
    #expect(copy.contains("/moved/.phbatch/shards/"))
    #expect(try place.command("run", "--plan", copy, "--shard", "1").code == 0)
    let merge = try place.command("merge", copy)
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(try place.command("undo", moved).code == 0)
    #expect(try ShardPlace.tree(place.shared, below: "moved") == before)
  }
}
