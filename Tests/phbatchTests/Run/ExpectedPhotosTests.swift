import Foundation
import TestSupport
import Testing

/// Runs over a library whose photos are gone, as after a failed mount.
@Suite struct ExpectedPhotosTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["disk/a.jpg", "disk/b.jpg"])
    try place.recipe()
  }

  /// Replaces the folder of the photos by an empty one, like an unmounted disk, or restores the
  /// folder if `isMounted` is true.
  private func mount(_ isMounted: Bool) throws {
    let (disk, away) = (place.path("photos/disk"), place.path("away"))
    if isMounted {
      try FileManager.default.removeItem(atPath: disk)
      try FileManager.default.moveItem(atPath: away, toPath: disk)
    } else {
      try FileManager.default.moveItem(atPath: disk, toPath: away)
      try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    }
  }

  /// The bytes of all files, except those in which phbatch keeps its state.
  private func contents() throws -> [String: [UInt8]?] {
    try place.snapshot(below: "").filter { !$0.key.contains(".phbatch/") }.mapValues(\.bytes)
  }

  @Test(arguments: [false, true]) func aRunReportsThatAllPhotosOfAnEarlierRunAreMissing(
    _ isMirror: Bool
  ) throws {
    let output = isMirror ? ["--output", place.path("out")] : []
    let run = ["run", place.path("recipe.json"), place.library] + output
    #expect(try Command.run(run).code == 0)
    try mount(false)
    let before = try contents()
    for option in [[], ["--check"], ["--dry-run"], ["--verify"]] {
      let result = try Command.run(run + option)
      #expect(result.code == 4, "\(option)")
      #expect(result.messages.contains("has no photos, but an earlier run found 2 photos"))
      #expect(result.messages.contains("check that its disk is mounted"))
    }
    #expect(try contents() == before)
    try mount(true)
    #expect(try Command.run(run).output.contains("2 up-to-date"))
  }

  /// If the disk with the photos is not mounted, `prune` keeps all sidecars, although all photos
  /// are missing.
  @Test func pruneKeepsAllSidecarsIfTheDiskIsNotMounted() throws {
    let output = ["--output", place.path("out")]
    #expect(try Command.run(["run", place.path("recipe.json"), place.library] + output).code == 0)
    try mount(false)
    let before = try contents()
    let prune = try Command.run(["prune", place.path("out"), "--yes"])
    #expect(prune.code == 4)
    #expect(prune.messages.contains("an earlier run found 2 photos"))
    #expect(try contents() == before)
  }

  /// Missing photos do not count for `--min-photos`.
  @Test func missingPhotosDoNotCountForMinPhotos() throws {
    #expect(try place.run().code == 0)
    try FileManager.default.removeItem(atPath: place.path("photos/disk/a.jpg"))
    #expect(try place.run().code == 4)
    let few = try place.run("recipe", "--min-photos", "2")
    #expect(few.code == 4 && few.messages.contains("has 1 photo, and --min-photos is 2"))
  }

  /// The user can remove all photos of a library on purpose: one run with `--min-photos 0` accepts
  /// that the library is empty.
  @Test func aRunWithMinPhotosZeroAcceptsAnEmptiedLibrary() throws {
    #expect(try place.run().code == 0)
    try mount(false)
    #expect(try place.run().code == 4)
    #expect(try place.run("recipe", "--min-photos", "0").code == 0)
    #expect(try place.run().code == 0)
  }

  @Test func aRunFailsIfTheLibraryHasFewerPhotosThanMinPhotos() throws {
    let few = try place.run("recipe", "--min-photos", "3", "--format", "json")
    #expect(few.code == 4)
    let end = try #require(try few.events.last)
    #expect((end["error"] as? [String: String])?["message"]?.contains("has 2 photos") == true)
    #expect(try place.names() == ["disk", "disk/a.jpg", "disk/b.jpg"])
    #expect(try place.run("recipe", "--min-photos", "2").code == 0)
    // Photos that the index records as up to date also count for `--min-photos`.
    #expect(try place.run("recipe", "--min-photos", "2").code == 0)
    #expect(try place.run("recipe", "--min-photos", "3").code == 4)
    #expect(try place.run("recipe", "--min-photos=-1").code == 64)
  }

  /// A shard without a plan reads a part of the library, but counts the photos of the whole library.
  @Test func shardsWithoutAPlanCountThePhotosOfTheLibrary() throws {
    #expect(try place.run().code == 0)
    for shard in ["0/2", "1/2"] {
      #expect(try place.run("recipe", "--shard", shard, "--min-photos", "2").code == 0)
      let few = try place.run("recipe", "--shard", shard, "--min-photos", "3")
      #expect(few.code == 4 && few.messages.contains("has 2 photos"), "\(few.messages)")
    }
    try mount(false)
    for shard in ["0/2", "1/2"] {
      let none = try place.run("recipe", "--shard", shard)
      #expect(none.code == 4, "\(none.output)")
      #expect(none.messages.contains("an earlier run found 2 photos"), "\(none.messages)")
      #expect(try place.run("recipe", "--shard", shard, "--min-photos", "1").code == 4)
      #expect(try place.run("recipe", "--shard", shard, "--min-photos", "0").code == 0)
    }
  }
}
