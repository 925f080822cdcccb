import Foundation
import TestSupport
import Testing

/// A photographer's work with a library.
///
/// The tests run the real command and compare bytes.
@Suite struct StoryTests {
  @Test func photosKeepTheirSettingsAndStackedEditsInTheNextRecipeVersion() throws {
    let story = try EditStory()
    try story.recipe("a", stops: 0.2)
    #expect(try story.night("a") == story.all("rendered"))
    let plain = try story.place.read("a.a.png")

    // Two photos get their own settings; only they are rendered again.
    #expect(try story.command("adjust", story.path("a.jpg"), "--set", "exposure.stops=1").code == 0)
    #expect(
      try story.command("adjust", story.path("trip"), "--set", "saturation.amount=-1").code == 0)
    var expected = story.all("rendered")
    expected["b.jpg"] = "up-to-date"
    #expect(try story.night("a") == expected)
    let tweaked = try story.place.read("a.a.png")
    #expect(tweaked != plain)

    // A new version of the recipe keeps the photos' own settings.
    try story.recipe("a", "1.1.0", stops: 0.3, saturation: 0.1)
    #expect(try story.night("a") == story.all("rendered"))
    #expect(try story.place.sidecar("a.jpg").contains(#""exposure.stops": 1"#))
    #expect(try story.place.sidecar("a.jpg").contains(#""formatVersion": "1.1.0""#))

    // A second recipe stacks on the first, and is rendered again when the first changes.
    try story.recipe("b", stops: -0.3)
    #expect(try story.night("b") == story.all("rendered"))
    let stacked = try story.place.read("b.b.png")
    try story.recipe("a", "1.2.0", stops: 0.6, saturation: 0.2)
    let rerun = try Command.run([
      "run", story.place.path("a.json"), story.place.library, "--format", "json",
    ])
    #expect(try rerun.reasons == story.all("rendered"))
    for event in try rerun.events where event["event"] as? String == "asset-done" {
      #expect((event["renditions"] as? [Any])?.count == 2)
      #expect((event["detail"] as? String)?.contains("org.example.b") == true)
    }
    #expect(try story.place.read("b.b.png") != stacked)

    // Further runs of both recipes change nothing.
    let before = try story.place.snapshot()
    for _ in 0..<2 {
      #expect(try story.night("a") == story.all("up-to-date"))
      #expect(try story.night("b") == story.all("up-to-date"))
    }
    #expect(try story.place.snapshot() == before)
    try story.expectOriginalsUntouched()
  }

  /// If a lower edit changes, the edit above it is rendered again from its record, and gets the
  /// same bytes as from a run of its recipe.
  @Test func anUpperEditRenderedFromItsRecordEqualsARunOfItsRecipe() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.2)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    _ = try story.night("b")
    try story.recipe("a", stops: 0.9)
    _ = try story.night("a")
    let replayed = try story.place.read("a.b.png")

    let other = try EditStory(["a.jpg"])
    try other.recipe("a", stops: 0.9)
    try other.recipe("b", stops: -0.3)
    _ = try other.night("a")
    _ = try other.night("b")
    #expect(try other.place.read("a.b.png") == replayed)
  }

  @Test func aRevertedEditStaysRevertedAndItsVariantIsRenderedAgain() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: 0, saturation: -1)
    try story.recipe("web", stops: 0.1, variant: "web", from: "current")
    for recipe in ["a", "b", "web"] { #expect(try story.night(recipe) == story.all("rendered")) }
    let edited = try story.place.read("a.a.png")
    let grey = try story.place.read("a.web.png")

    let reverted = try story.command("revert", story.path("a.jpg"))
    #expect(reverted.code == 0)
    #expect(reverted.output.contains("no rendition was rendered again"))
    #expect(try story.place.read("a.a.png") == edited)
    #expect(try !story.place.names().contains("a.b.png"))
    #expect(try story.night("b") == story.all("reverted"))
    #expect(try story.night("web") == story.all("rendered"))
    #expect(try story.place.read("a.web.png") != grey)
    #expect(try story.history("a.jpg").contains("reverted: org.example.b"))

    // A reverted edit is rendered again with `--redo` or with other settings.
    #expect(try story.night("b", "--redo") == story.all("rendered"))
    #expect(try story.night("web") == story.all("rendered"))
    #expect(try story.place.read("a.web.png") == grey)
    #expect(try story.command("revert", story.path("a.jpg"), "--all").code == 0)
    #expect(try story.place.names() == ["a.jpg", "a.jpg.phbatch.json", "a.web.png"])
    #expect(try story.night("a") == story.all("reverted"))
    try story.recipe("a", stops: 0.7)
    #expect(try story.night("a") == story.all("rendered"))
    try story.expectOriginalsUntouched()
  }

  /// `--previous replace` drops a photo's own settings only if the user agrees with `--yes`.
  @Test func previousReplaceNamesTheSettingsThatItWouldDrop() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    let plain = try story.place.read("a.a.png")
    #expect(try story.command("adjust", story.path("a.jpg"), "--set", "exposure.stops=1").code == 0)
    for isRendered in [false, true] {
      if isRendered {
        #expect(try story.night("a") == story.all("rendered"))
        #expect(try story.night("a", "--previous", "replace") == story.all("up-to-date"))
        try story.recipe("a", stops: 0.5, saturation: 0.1)
      }
      let before = try story.place.snapshot()
      let refused = try story.command(
        "run", story.place.path("a.json"), story.place.library, "--previous", "replace")
      #expect(refused.code == 4)
      #expect(refused.messages.contains("this run would remove its own setting exposure.stops = 1"))
      #expect(try story.place.snapshot() == before)
    }
    try story.recipe("a", stops: 0.5)
    #expect(
      try story.command("adjust", story.path("a.jpg"), "--set", "exposure.stops=2").code == 0)
    #expect(try story.night("a", "--previous", "replace", "--yes") == story.all("rendered"))
    #expect(try !story.place.sidecar("a.jpg").contains("overrides"))
    #expect(try story.place.read("a.a.png") == plain)
    #expect(try story.night("a", "--previous", "replace") == story.all("up-to-date"))
  }

  /// `revert` needs no `--yes`, because `undo` can restore everything.
  @Test func revertDoesNotNeedTheOptionYesButAcceptsIt() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    #expect(try story.command("adjust", story.path("a.jpg"), "--set", "exposure.stops=1").code == 0)
    _ = try story.night("a")
    let before = try story.place.snapshot().mapValues(\.bytes)
    for consent in [[], ["--yes"]] {
      #expect(try Command.run(["revert", story.path("a.jpg")] + consent).code == 0)
      #expect(try Command.run(["undo", story.place.library]).code == 0)
      #expect(try story.place.snapshot().mapValues(\.bytes) == before)
    }
  }

  @Test func undoTakesBackRunsAndReverts() throws {
    let story = try EditStory()
    try story.recipe("a", stops: 0.2)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    let first = try story.place.snapshot().mapValues(\.bytes)
    _ = try story.night("b")
    let second = try story.place.snapshot().mapValues(\.bytes)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == first)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == second)

    try story.recipe("a", stops: 1)
    _ = try story.night("a")
    #expect(try story.place.snapshot().mapValues(\.bytes) != second)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == second)

    #expect(try story.command("revert", story.place.library, "--all").code == 0)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == second)
    try story.expectOriginalsUntouched()
  }

  @Test func undoKeepsFilesThatWereChangedSinceTheRun() throws {
    let story = try EditStory(["a.jpg", "b.jpg"])
    try story.recipe("a", stops: 0.2)
    _ = try story.night("a")
    try story.place.folder.write(Array("mine".utf8), to: "photos/b.a.png")
    let before = try story.place.snapshot()
    let undone = try story.command("undo", story.place.library)
    #expect(undone.code == 4)
    #expect(undone.messages.contains("b.a.png"))
    #expect(try story.place.snapshot() == before)
  }

  @Test func everyStackIsRenderedAgainAfterAChangeOfTheOriginal() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.2)
    try story.recipe("b", stops: -0.3)
    try story.recipe("web", stops: 0.1, variant: "web")
    for recipe in ["a", "b", "web"] { _ = try story.night(recipe) }
    try story.place.addPhoto("a.jpg", width: 24, height: 18)
    #expect(try story.night("a") == story.all("rendered"))
    #expect(try story.night("b") == story.all("up-to-date"))
    #expect(try story.night("web") == story.all("rendered"))
    #expect(try story.night("web") == story.all("up-to-date"))
    try story.place.addPhoto("a.jpg", width: 26, height: 18)
    #expect(try story.night("b") == story.all("rendered"))
    #expect(try story.night("a") == story.all("up-to-date"))
  }

  @Test func relinkGivesMovedPhotosTheirEditsBack() throws {
    let story = try EditStory(["a.jpg", "b.jpg"])
    try story.recipe("a", stops: 0.2)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    _ = try story.night("b")
    let rendition = try story.place.read("a.a.png")
    try FileManager.default.createDirectory(
      atPath: story.path("trip"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: story.path("a.jpg"), toPath: story.path("trip/z.jpg"))
    #expect(try story.command("relink", story.place.library).code == 0)
    #expect(
      try story.place.names() == [
        "b.a.png", "b.b.png", "b.jpg", "b.jpg.phbatch.json", "trip", "trip/z.a.png", "trip/z.b.png",
        "trip/z.jpg", "trip/z.jpg.phbatch.json",
      ])
    #expect(try story.place.read("trip/z.a.png") == rendition)
    let expected = ["b.jpg": "up-to-date", "trip/z.jpg": "up-to-date"]
    #expect(try story.night("a") == expected)
    #expect(try story.night("b") == expected)
  }

  @Test func repairRenamesDamagedSidecarsAndTheNextRunContinues() throws {
    let story = try EditStory(["a.jpg", "b.jpg"])
    try story.recipe("a", stops: 0.2)
    _ = try story.night("a")
    try story.place.edit("a.jpg") { String($0.dropLast(40)) }
    let damaged = try story.place.sidecar("a.jpg")
    var expected = ["a.jpg": "corrupt-sidecar", "b.jpg": "up-to-date"]
    #expect(try story.night("a") == expected)
    #expect(try story.command("repair", story.place.library).code == 0)
    #expect(
      try story.place.read("a.jpg.phbatch.json.damaged") == Array(damaged.utf8))
    // The file already has the bytes that the run would write, so the run records it as its
    // rendition.
    expected = ["a.jpg": "rendered", "b.jpg": "up-to-date"]
    #expect(try story.night("a") == expected)
    #expect(try story.night("a") == story.all("up-to-date"))
  }

  @Test func anAtomicRunPublishesAllPhotosOrNone() throws {
    let story = try EditStory(["a.jpg", "b.jpg"])
    try story.place.folder.write(Array("not a photo".utf8), to: "photos/broken.jpg")
    try story.recipe("a", stops: 0.2)
    let before = try story.place.snapshot()
    let reasons = try story.night("a", "--atomic")
    #expect(reasons["broken.jpg"] == "unreadable")
    #expect(reasons["a.jpg"] == "skipped")
    #expect(try story.place.snapshot() == before)
    try FileManager.default.removeItem(atPath: story.path("broken.jpg"))
    #expect(try story.night("a", "--atomic") == story.all("rendered"))
    #expect(try story.night("a") == story.all("up-to-date"))
  }

  @Test func adjustRefusesInvalidSettings() throws {
    let story = try EditStory(["a.jpg"])
    try story.recipe("a", stops: 0.2)
    #expect(
      try story.command("adjust", story.path("a.jpg"), "--set", "exposure.stops=1").code == 66)
    let early = try story.command(
      "adjust", story.path("a.jpg"), "--library", story.place.library, "--recipe",
      story.place.path("a.json"), "--set", "exposure.stops=1")
    #expect(early.code == 0)
    #expect(try story.night("a") == story.all("rendered"))
    #expect(try story.place.sidecar("a.jpg").contains(#""exposure.stops": 1"#))
    let before = try story.place.snapshot()
    for wrong in ["exposure.stops=99", "exposure.stop=1", "blur.sigma=2"] {
      let refused = try story.command("adjust", story.path("a.jpg"), "--set", wrong)
      #expect(refused.code == 65, "\(wrong)")
    }
    #expect(try story.command("adjust", story.path("a.jpg"), "--unset", "blur.sigma").code == 64)
    #expect(try story.command("adjust", story.path("a.jpg")).code == 64)
    #expect(try story.place.snapshot() == before)
    #expect(try story.command("adjust", story.path("a.jpg"), "--unset", "exposure.stops").code == 0)
    #expect(try story.night("a") == story.all("rendered"))
    #expect(try story.command("adjust", story.path("a.jpg"), "--disable", "exposure").code == 0)
    #expect(try story.night("a") == story.all("rendered"))
  }
}
