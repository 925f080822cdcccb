import Foundation
import TestSupport
import Testing

/// The reports of a merge, and merges that were killed near their end.
@Suite struct MergeReportTests {
  private func mergedPlace() throws -> ShardPlace {
    let place = try ShardPlace(["a.jpg", "b/b.jpg"])
    _ = try place.plan("--shards", "2")
    for index in 0..<2 { #expect(try place.shard(index).code == 0) }
    return place
  }

  /// A shard does not report the renditions of another run as its own.
  @Test func aPhotoThatAnotherRunHasRenderedIsUpToDate() throws {
    let place = try ShardPlace(["a.jpg", "b/b.jpg"])
    _ = try place.plan("--shards", "1")
    let run = try place.command(
      "run", place.shared.path("recipe.json"), place.shared.path("photos/a.jpg"), "--library",
      place.shared.library)
    #expect(run.code == 0, "\(run.messages)")
    #expect(try place.shard(0).code == 0)
    let list = try place.command("undo", place.shared.path("photos/b"), "--list")
    #expect(list.code == 0, "\(list.messages)")
    #expect(list.lines == ["nothing to undo yet: the shards of a plan are not merged"])
    #expect(try place.shard(0).code == 0)
    let merge = try place.merge("--format", "json")
    #expect(
      try merge.reasons == [
        "a.jpg": "up-to-date", "b/b.jpg": "rendered", "c/broken.jpg": "unreadable",
      ])
    let events = try merge.events.filter { $0["event"] as? String == "asset-done" }
    let known = events.first { $0["file"] as? String == "a.jpg" }
    #expect(known?["action"] == nil)
    let end = try #require(try merge.events.last)
    #expect(end["renditions"] as? Int == 1)
    let again = try place.merge("--format", "json")
    #expect(again.code == merge.code)
    #expect(try again.events.map { $0["event"] as? String } == ["warning", "run-end"])
    #expect(again.output.contains("is already merged; nothing was left to merge"))
  }

  @Test func aMergedPlanCannotBeReportedAgain() throws {
    let place = try mergedPlace()
    #expect(try place.merge().code == 3)
    let again = try place.merge("--report", place.shared.path("report.html"))
    #expect(again.code == 66, "\(again.messages)")
    #expect(again.messages.contains("cannot be reported"), "\(again.messages)")
    #expect(!(try place.shared.folder.files().contains("report.html")))
  }

  /// A report that cannot be written leaves the results for another merge.
  @Test(.enabled(if: Tracer.isPossible)) func aMergeWithoutItsReportIsRepeated() throws {
    let place = try mergedPlace()
    let folder = place.shared.path("reports")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let words = ["merge", place.planFile, "--report", "\(folder)/report.json"]
    let failed = try Command.run(
      words, environment: ShardPlace.fixed,
      prefix: Tracer.prefix("renameat2,renameat,rename", injecting: "error=ENOSPC:when=1+")
        + ["-P", folder])
    #expect(failed.code == 73, "\(failed.messages)")
    #expect(failed.messages.contains("hint: merge again"), "\(failed.messages)")
    #expect(try place.command("undo", place.shared.library).code == 75)
    let merge = try Command.run(words, environment: ShardPlace.fixed)
    #expect(merge.code == 3, "\(merge.messages)")
    #expect(try place.shared.folder.files().contains("reports/report.json"))
    #expect(try place.command("undo", place.shared.library).code == 0)
  }

  /// A merge can be killed after it is recorded as complete, but before all folders are removed.
  @Test func aMergeRemovesTheFoldersThatAKilledMergeLeft() throws {
    let place = try mergedPlace()
    #expect(try place.merge().code == 3)
    let record = try #require(
      try place.shared.folder.files().first { $0.contains(".phbatch/shards/") })
    let plan = record.dropLast(".json".count)
    try place.shared.folder.write("", to: "\(plan)/1/lock")
    #expect(try place.command("undo", place.shared.library).code == 75)
    let again = try place.merge()
    #expect(again.code == 3 && again.messages.contains("already merged"), "\(again.messages)")
    let undo = try place.command("undo", place.shared.library)
    #expect(undo.code == 0, "\(undo.messages)")
  }
}
