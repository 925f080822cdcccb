import Foundation
import TestSupport
import Testing

/// `phbatch prune`, which removes orphans, sidecars of renditions, and sidecars of missing photos.
@Suite struct PruneTests {
  private func prune(_ place: Workplace, _ more: String...) throws -> CommandResult {
    try Command.run(["prune", place.library] + more)
  }

  /// A library in which an older version of phbatch treated a rendition as a photo.
  private func phantoms() throws -> Workplace {
    let place = try Workplace()
    try place.recipe()
    try place.recipe("full", variant: "full", output: #""name": "full", "format": "jpeg""#)
    _ = try place.run()
    let sidecar = try place.read("a.jpg.phbatch.json")
    // The rendition is treated as a photo in a separate library, and edited there.
    let other = try Workplace([])
    try other.folder.write(try place.read("a.web.jpg"), to: "photos/a.web.jpg")
    try other.recipe("full", variant: "full", output: #""name": "full", "format": "jpeg""#)
    _ = try other.run("full")
    for name in ["a.web.jpg.phbatch.json", "a.web.full.jpg"] {
      try place.folder.write(try other.read(name), to: "photos/\(name)")
    }
    #expect(try place.read("a.jpg.phbatch.json") == sidecar)
    return place
  }

  @Test func pruneRemovesTheSidecarOfARenditionWithItsRenditions() throws {
    let place = try phantoms()
    // The photo's sidecar records the rendition, so the rendition stays. The orphans are the
    // rendition's own sidecar and the file that this sidecar records.
    let found = try place.reasons("full")
    #expect(found.reasons == ["a.jpg": "rendered", "a.web.jpg": "orphan"])
    #expect(found.code == 0)
    let before = try place.snapshot()
    let listed = try prune(place)
    #expect(
      listed.lines == [
        "a.web.full.jpg: orphan (a rendition of a rendition)",
        "a.web.jpg.phbatch.json: orphan (the sidecar of a rendition)", "2 orphan",
      ])
    #expect(listed.messages.contains("--yes moves these files to the trash"))
    #expect(try place.snapshot() == before)
    let pruned = try prune(place, "--yes")
    #expect(pruned.code == 0)
    #expect(pruned.lines.last == "2 pruned")
    #expect(try place.names() == ["a.full.jpg", "a.jpg", "a.jpg.phbatch.json", "a.web.jpg"])
    #expect(try place.reasons("full").reasons == ["a.jpg": "up-to-date"])
    #expect(try prune(place).output == "nothing to prune\n")
    // Undo restores the files, and a second undo removes them again.
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.snapshot().mapValues(\.bytes) == before.mapValues(\.bytes))
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.names() == ["a.full.jpg", "a.jpg", "a.jpg.phbatch.json", "a.web.jpg"])
  }

  /// The sidecar of the rendition is also found if the sidecar of the photo is lost.
  @Test func pruneFindsTheSidecarOfARenditionWithoutThePhotosSidecar() throws {
    let place = try phantoms()
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg.phbatch.json"))
    #expect(try place.reasons("full").reasons["a.web.jpg"] == "orphan")
    _ = try prune(place, "--yes")
    #expect(try place.names() == ["a.full.jpg", "a.jpg", "a.jpg.phbatch.json"])
  }

  @Test func pruneKeepsAMissingPhotosSidecarIfItsRenditionWasChanged() throws {
    let place = try Workplace(["a.jpg", "b.jpg", "c.jpg"])
    try place.recipe()
    _ = try place.run()
    for name in ["a.jpg", "b.jpg"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    try place.folder.write(try place.read("b.web.jpg") + [10], to: "photos/b.web.jpg")
    let before = try place.snapshot()
    let pruned = try prune(place, "--yes")
    #expect(
      pruned.lines == [
        "a.jpg.phbatch.json: pruned (the sidecar of a missing photo)",
        "a.web.jpg: pruned (a rendition of a missing photo)",
        "b.jpg.phbatch.json: orphan (the sidecar of a missing photo; the rendition 'b.web.jpg' was"
          + " changed by hand)",
        "1 orphan, 2 pruned",
      ])
    #expect(try place.names().count == before.count - 2)
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.snapshot().mapValues(\.bytes) == before.mapValues(\.bytes))
  }

  /// If renditions have a separate output root, `prune` keeps the sidecars of a library folder
  /// without photos, because the folder may be the mount point of a disk.
  @Test func pruneKeepsTheSidecarsOfAFolderWhoseDiskIsUnmounted() throws {
    let place = try Workplace(["a.jpg", "disk/b.jpg", "disk/c.jpg"])
    try place.recipe()
    #expect(try place.run("recipe", "--output", place.path("out")).code == 0)
    for name in ["a.jpg", "disk/b.jpg", "disk/c.jpg"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    try place.addPhoto("other.jpg")
    let pruned = try Command.run(["prune", place.path("out"), "--yes"])
    #expect(
      pruned.lines.first
        == "a.jpg.phbatch.json: pruned (the sidecar of a missing photo)")
    #expect(pruned.lines.last == "4 orphan, 2 pruned")
    #expect(pruned.messages.contains("if its disk is mounted"))
    let named = try Command.run(["prune", place.path("out/disk"), "--yes"])
    #expect(named.lines.last == "4 pruned")
  }

  /// The names of a web set's files continue with a hyphen after the photo's stem.
  @Test(arguments: ["", "{root}/img/"])
  func pruneKeepsFilesThatAnUnusableSidecarMayRecord(_ folder: String) throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [30, 50], "formats": ["webp", "jpeg"],
        "path": "\#(folder){stem}-{width}.{digest:10}.{ext}"
        """#)
    #expect(try place.run().code == 0)
    let text = try place.sidecar("a.jpg")
    let newer = text.replacing(#""phbatch": "1.0""#, with: #""phbatch": "2.0""#)
    for changed in [newer, String(text.prefix(400))] {
      #expect(changed != text)
      try place.edit("a.jpg") { _ in changed }
      let before = try place.snapshot()
      #expect(try !prune(place, "--yes").output.contains("pruned"))
      #expect(try place.snapshot() == before)
    }
    // The files of a photo without a sidecar are still removed.
    try place.edit("a.jpg") { _ in text }
    try FileManager.default.removeItem(atPath: place.path("photos/b.jpg.phbatch.json"))
    #expect(try prune(place, "--yes").lines.last == "5 pruned")
  }

  /// `repair` changes only sidecars of photos that exist, so no hint names it for a missing photo.
  @Test func theHintsAboutADamagedSidecarOfAMissingPhotoNameRelink() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.edit("a.jpg") { String($0.dropLast(40)) }
    try place.addPhoto("a.other.jpg", width: 30)
    let hint = "correct the sidecar and use 'phbatch relink', or move it away"
    #expect(try place.run().messages.contains("rename it with 'phbatch repair'"))
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg"))
    let run = try place.run()
    #expect(run.messages.contains("that photo is missing; \(hint)"), "\(run.messages)")
    #expect(!run.messages.contains("rename it with 'phbatch repair'"))
    let listed = try prune(place)
    #expect(listed.messages.contains("hint: \(hint)"), "\(listed.messages)")
  }
}
