import Foundation
import Glibc
import TestSupport
import Testing

/// `phbatch undo`: for selected photos, for several steps, with `--skip` for photos that cannot be
/// undone, and with `--list`.
@Suite struct UndoTests {
  private let place: Workplace
  private let photos = ["a.jpg", "b.jpg", "c.jpg"]

  init() throws {
    place = try Workplace(photos)
    try place.recipe()
    _ = try place.run()
    try place.recipe(stops: 1)
    _ = try place.run()
  }

  private func path(_ name: String) -> String { place.path("photos/\(name)") }

  private func undo(_ arguments: String...) throws -> CommandResult {
    try Command.run(["undo"] + arguments)
  }

  /// The exposure that a sidecar records.
  private func stops(_ photo: String) throws -> String {
    try place.sidecar(photo).contains(#""stops": 1"#) ? "new" : "old"
  }

  @Test func undoChangesOnlyTheNamedPhotos() throws {
    #expect(try photos.map(stops) == ["new", "new", "new"])
    let first = try undo(path("b.jpg"))
    #expect(first.code == 0, "\(first.messages)")
    #expect(first.output.hasPrefix("b.jpg: restored"))
    #expect(try photos.map(stops) == ["new", "old", "new"])
    let second = try undo(path("a.jpg"), path("c.jpg"))
    #expect(second.code == 0, "\(second.messages)")
    #expect(try photos.map(stops) == ["old", "old", "old"])
    #expect(try undo(path("b.jpg")).code == 0)
    #expect(try photos.map(stops) == ["old", "new", "old"])
    let verified = try Command.run(["verify", place.library])
    #expect(verified.code == 0, "\(verified.output)")
  }

  /// During the first run, the library has no undo data yet.
  @Test func undoIsRefusedDuringTheFirstRun() throws {
    let first = try Workplace()
    let lock = try FileLock(first.path("photos/.phbatch/run.lock"), LOCK_EX)
    let result = try undo(first.library)
    #expect(result.code == 75, "\(result.messages)")
    let list = try undo(first.library, "--list")
    #expect(list.code == 0, "\(list.messages)")
    #expect(list.lines == ["nothing to undo yet: a command is running"])
    let events = try undo(first.library, "--list", "--format", "json").events
    #expect(events.map { $0["event"] as? String } == ["run-start", "run-end"])
    withExtendedLifetime(lock) {}
  }

  /// The undo of one photo undoes that photo's last change, even if a later command changed another
  /// photo.
  @Test func undoOfOnePhotoUndoesItsLastChangeDespiteLaterCommands() throws {
    #expect(
      try Command.run(["adjust", path("a.jpg"), "--set", "exposure.stops=2"]).code == 0)
    #expect(try undo(path("b.jpg")).code == 0)
    #expect(try photos.map(stops) == ["new", "old", "new"])
    try place.addPhoto("d.jpg")
    let result = try undo(path("d.jpg"))
    #expect(result.code == 66)
    #expect(result.messages.contains("there is nothing to undo in '\(path("d.jpg"))'"))
  }

  /// The last run and an adjustment are undone, and then done again; finally all steps are undone.
  @Test func undoTakesBackSeveralStepsAndRepeatsThem() throws {
    #expect(
      try Command.run(["adjust", path("a.jpg"), "--set", "exposure.stops=2"]).code == 0)
    let before = try place.snapshot().mapValues(\.bytes)
    let listed = try undo(place.library, "--list")
    #expect(
      listed.lines.prefix(3) == [
        "step 1: adjust, 1 change", "step 2: run \(place.path("recipe.json")), 3 changes",
        "step 3: run \(place.path("recipe.json")), 3 changes",
      ])
    let events = try undo(place.library, "--list", "--format", "json").events
    #expect(
      events.map { $0["event"] as? String } == [
        "run-start", "undo-step", "undo-step", "undo-step", "asset-done", "run-end",
      ])
    #expect(events[1...3].map { $0["step"] as? Int } == [1, 2, 3])
    #expect(events[1...3].map { $0["changes"] as? Int } == [1, 3, 3])
    #expect(events[1]["command"] as? String == "adjust")
    let tooMany = try undo(place.library, "--steps", "4")
    #expect(tooMany.code == 66)
    #expect(tooMany.messages.contains("only 3 steps can be undone"))
    let two = try undo(place.library, "--steps", "2")
    #expect(two.code == 0, "\(two.messages)")
    #expect(two.lines.last == "4 restored")
    #expect(try photos.map(stops) == ["old", "old", "old"])
    let back = try undo(place.library, "--steps", "2")
    #expect(back.code == 0, "\(back.messages)")
    #expect(try place.snapshot().mapValues(\.bytes) == before)
    // Seven steps can be undone: the first three commands, and two steps of each of the two `undo`
    // commands.
    #expect(try undo(place.library, "--steps", "7").code == 0)
    #expect(try place.names() == photos)
  }

  /// Undo data of another machine have another seal.
  @Test func undoListsOnlyTheCommandsAfterOneOfAnotherMachine() throws {
    let journals = try place.folder.files().filter {
      $0.hasPrefix("photos/.phbatch/trash/1/") && $0.hasSuffix(".json")
    }
    for journal in journals {
      let text = String(decoding: try place.folder.read(journal), as: UTF8.self)
      let seal = try #require(text.firstMatch(of: /"seal":"([0-9a-f]+)"/))
      try place.folder.write(text.replacing(seal.output.1, with: "00"), to: journal)
    }
    let listed = try undo(place.library, "--list")
    #expect(listed.code == 0, "\(listed.messages)")
    #expect(listed.lines.first == "step 1: run \(place.path("recipe.json")), 3 changes")
    #expect(!listed.output.contains("step 2"))
    let warning = "warning: earlier commands cannot be undone: '.phbatch/trash/1/"
    #expect(listed.messages.contains(warning), "\(listed.messages)")
    #expect(listed.messages.contains("was written on another machine"))
    #expect(try undo(place.library, "--steps", "2").code == 70)
    #expect(try photos.map(stops) == ["new", "new", "new"])
    #expect(try undo(place.library).code == 0)
    #expect(try photos.map(stops) == ["old", "old", "old"])
  }

  @Test func undoStopsAtAStepThatCannotBeUndone() throws {
    try place.folder.write(try place.read("b.web.jpg") + [10], to: "photos/b.web.jpg")
    let result = try undo(place.library, "--steps", "2")
    #expect(result.code == 4)
    #expect(result.messages.contains("step 1 of 2 and the steps after it were not undone"))
    #expect(try photos.map(stops) == ["new", "new", "new"])
  }

  @Test(arguments: ["deleted photo", "changed rendition", "changed sidecar"])
  func undoWithSkipLeavesOutPhotosThatCannotBeUndone(_ obstacle: String) throws {
    let (reason, file) =
      obstacle == "deleted photo"
      ? ("original-missing", "b.jpg")
      : ("modified", obstacle == "changed sidecar" ? "b.jpg.phbatch.json" : "b.web.jpg")
    if obstacle == "deleted photo" {
      try FileManager.default.removeItem(atPath: path(file))
    } else {
      try place.folder.write(try place.read(file) + [10], to: "photos/\(file)")
    }
    let before = try place.snapshot()
    for _ in 0..<2 {
      let blocked = try undo(place.library)
      #expect(blocked.code == 4)
      #expect(blocked.messages.contains("b.jpg: \(reason)"))
      #expect(blocked.messages.contains("hint: 'phbatch undo --skip' leaves this photo as it is"))
      #expect(try place.snapshot() == before)
    }
    let skipped = try undo(place.library, "--skip")
    #expect(skipped.code == 4)
    #expect(skipped.messages.contains("b.jpg: \(reason)"))
    #expect(skipped.output.contains("a.jpg: restored"))
    #expect(try [stops("a.jpg"), stops("c.jpg")] == ["old", "old"])
    let after = try place.snapshot()
    for name in ["b.jpg", "b.jpg.phbatch.json", "b.web.jpg"] {
      #expect(after[name] == before[name])
    }
  }

  /// The last change of a photo can be undone even if the photo's rendition was removed by hand.
  @Test func undoWorksEvenIfARenditionWasRemovedByHand() throws {
    try FileManager.default.removeItem(atPath: path("b.web.jpg"))
    let result = try undo(place.library)
    #expect(result.code == 0, "\(result.messages)")
    #expect(try photos.map(stops) == ["old", "old", "old"])
    #expect(try place.names().contains("b.web.jpg"))
  }

  /// A rendition that was changed by hand before the undone command stays as it is, and no temporary
  /// file stays beside it.
  @Test func undoKeepsARenditionThatWasChangedBefore() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      output: #""name": "web", "format": "jpeg" }, { "name": "big", "format": "png""#)
    #expect(try place.run().code == 0)
    let changed = try SyntheticPhoto.png(width: 20, height: 20)
    try place.folder.write(changed, to: "photos/a.big.png")
    #expect(try Command.run(["revert", place.path("photos/a.jpg"), "--yes"]).code == 0)
    let result = try undo(place.library)
    #expect(result.code == 0 && result.output.contains("1 rendition rendered again"))
    #expect(try place.read("a.big.png") == changed)
    #expect(try place.names().contains("a.web.jpg"))
    #expect(try place.leftovers().isEmpty)
  }

  @Test func undoWithListChangesNoFile() throws {
    try FileManager.default.removeItem(atPath: path("b.jpg"))
    let before = try place.snapshot()
    let result = try undo(place.library, "--list")
    #expect(result.code == 4)
    #expect(
      result.lines == [
        "step 1: run \(place.path("recipe.json")), 3 changes",
        "step 2: run \(place.path("recipe.json")), 3 changes",
        "a.jpg: due (restores the sidecar and 1 rendition)",
        "c.jpg: due (restores the sidecar and 1 rendition)", "1 original-missing, 2 due",
      ])
    #expect(result.messages.contains("b.jpg: original-missing"))
    let one = try undo(path("a.jpg"), "--list", "--format", "json")
    #expect(one.code == 0)
    #expect(try one.events.dropLast().last?["reason"] as? String == "due")
    #expect(try place.snapshot() == before)
    #expect(try undo(path("a.jpg")).code == 0)
  }

  /// If `undo` removes a photo's first edit, the command reports the photo as reverted, not as
  /// restored.
  @Test func undoReportsTheStateOfThePhoto() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    let away = try Command.run(["undo", place.library])
    #expect(away.output.hasPrefix("a.jpg: reverted (the last change is undone"))
    let back = try Command.run(["undo", place.library])
    #expect(back.output.hasPrefix("a.jpg: restored (the last change is undone"))
  }

  /// The old edit cannot be rendered again from another original, and is not taken for that of the new
  /// one; if the old original comes back, undo does.
  @Test func undoAfterTheOriginalWasReplacedIsRefused() throws {
    let (old, rendition) = (try place.read("a.jpg"), try place.read("a.web.jpg"))
    #expect(try Command.run(["revert", path("a.jpg"), "--variant", "web", "--yes"]).code == 0)
    try place.addPhoto("a.jpg", width: 77, height: 55)
    let before = try place.snapshot()
    let refused = try undo(place.library)
    #expect(refused.code == 4, "\(refused.output)")
    #expect(refused.messages.contains("put the old one back"), "\(refused.messages)")
    #expect(try place.snapshot() == before)
    try place.folder.write(old, to: "photos/a.jpg")
    #expect(try undo(place.library).code == 0)
    #expect(try place.read("a.web.jpg") == rendition)
    #expect(try Command.run(["verify", place.library]).code == 0)
    #expect(try place.reasons().reasons["a.jpg"] == "up-to-date")
  }

  /// Backups and synchronizing programs may leave out empty folders.
  @Test func undoWorksInACopyWithoutEmptyFolders() throws {
    try Shell.run("find '\(path(".phbatch"))' -type d -empty -delete")
    #expect(!FileManager.default.fileExists(atPath: path(".phbatch/txn")))
    let list = try undo("--list", place.library)
    #expect(list.code == 0 && list.messages.isEmpty, "\(list.messages)")
    let first = try undo(place.library)
    #expect(first.code == 0, "\(first.messages)")
    #expect(try photos.map(stops) == ["old", "old", "old"])
  }
}
