import Foundation
import TestSupport
import Testing

/// A photographer's work with a library.
///
/// The tests run the real command and compare bytes.
@Suite struct StoryTests {
  /// A library of three photos, with a function for each operation on it.
  private struct Story {
    let place: Workplace
    let originals: [String: [UInt8]]

    init(_ photos: [String] = ["a.jpg", "b.jpg", "trip/c.png"]) throws {
      let place = try Workplace(photos)
      self.place = place
      originals = try Dictionary(uniqueKeysWithValues: photos.map { ($0, try place.read($0)) })
    }

    func recipe(
      _ name: String, _ version: String = "1.0.0", stops: Double, saturation: Double = 0,
      variant: String? = nil, from: String? = nil
    ) throws {
      let place = [variant.map { "\"variant\": \"\($0)\"," }, from.map { "\"from\": \"\($0)\"," }]
      try self.place.folder.write(
        """
        {
          "identifier": "org.example.\(name)", "version": "\(version)",
          \(place.compactMap(\.self).joined(separator: " "))
          "filters": [
            { "filter": "exposure", "stops": \(stops) },
            { "filter": "saturation", "amount": \(saturation) }
          ],
          "outputs": [ { "name": "\(name)", "format": "png" } ]
        }
        """, to: "\(name).json")
    }

    /// Runs a recipe and returns the reason for each photo.
    func night(_ recipe: String, _ more: String...) throws -> [String: String] {
      let command = ["run", place.path("\(recipe).json"), place.library, "--format", "json"]
      return try Command.run(command + more).reasons
    }

    func all(_ reason: String) -> [String: String] {
      Dictionary(uniqueKeysWithValues: originals.keys.map { ($0, reason) })
    }

    func command(_ arguments: String...) throws -> CommandResult {
      try Command.run(arguments)
    }

    func path(_ photo: String) -> String { place.path("photos/\(photo)") }

    func history(_ photo: String) throws -> String {
      try Command.run(["history", path(photo)]).output
    }

    func expectOriginalsUntouched() throws {
      for (name, bytes) in originals { #expect(try place.read(name) == bytes) }
    }
  }

  @Test func tweaksSurviveTheNextVersionAndWhatStandsOnItIsReplayed() throws {
    let story = try Story()
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

    // Five further runs of both recipes change nothing.
    let before = try story.place.snapshot()
    for _ in 0..<5 {
      #expect(try story.night("a") == story.all("up-to-date"))
      #expect(try story.night("b") == story.all("up-to-date"))
    }
    #expect(try story.place.snapshot() == before)
    try story.expectOriginalsUntouched()
  }

  /// If a lower edit changes, the edit above it is rendered again from its record, and gets the
  /// same bytes as from a run of its recipe.
  @Test func replayingGivesWhatRunningWould() throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.2)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    _ = try story.night("b")
    try story.recipe("a", stops: 0.9)
    _ = try story.night("a")
    let replayed = try story.place.read("a.b.png")

    let other = try Story(["a.jpg"])
    try other.recipe("a", stops: 0.9)
    try other.recipe("b", stops: -0.3)
    _ = try other.night("a")
    _ = try other.night("b")
    #expect(try other.place.read("a.b.png") == replayed)
  }

  @Test func revertedStaysRevertedAndAVariantFollows() throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: 0, saturation: -1)
    try story.recipe("web", stops: 0.1, variant: "web", from: "current")
    for recipe in ["a", "b", "web"] { #expect(try story.night(recipe) == story.all("rendered")) }
    let edited = try story.place.read("a.a.png")
    let grey = try story.place.read("a.web.png")

    let reverted = try story.command("revert", story.path("a.jpg"))
    #expect(reverted.code == 0)
    #expect(reverted.output.contains("unchanged"))
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

  @Test func editsByHandAreProtectedOrAdopted() throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: 0, saturation: -1)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    try story.recipe("a", stops: 0.6)
    #expect(try story.night("a") == story.all("modified"))
    #expect(try story.night("b") == story.all("modified"))
    #expect(try story.place.read("a.a.png") == byHand)

    // The changed rendition is adopted as a separate edit, and later edits start from it.
    try story.recipe("a", stops: 0.5)
    #expect(try story.night("a", "--on-modified", "adopt") == story.all("up-to-date"))
    #expect(try story.history("a.jpg").contains("adopted"))
    #expect(try story.night("b") == story.all("rendered"))
    #expect(try story.place.sidecar("a.jpg").contains(#""width": 31"#))
    #expect(try story.night("a") == story.all("up-to-date"))
    #expect(try story.night("b") == story.all("up-to-date"))
    #expect(try story.place.names() == ["a.a.png", "a.b.png", "a.jpg", "a.jpg.phbatch.json"])
    try story.recipe("a", stops: 0.6)
    #expect(try story.night("a") == story.all("buried"))
    #expect(try story.place.read("a.a.png") == byHand)
  }

  /// A rendition that was changed by hand and kept is never treated as a photo.
  @Test func keptFilesStayRenditions() throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    try story.recipe("b", stops: -0.3)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    let reverted = try story.command("revert", story.path("a.jpg"))
    #expect(reverted.code == 0)
    #expect(reverted.messages.contains("'a.a.png' is no longer a rendition"))
    #expect(try story.history("a.jpg").contains("kept: a.a.png"))
    for _ in 0..<2 {
      #expect(try story.night("a") == story.all("reverted"))
      #expect(
        try ["rendered", "up-to-date"].contains(story.night("b")["a.jpg"] ?? ""))
    }
    #expect(try story.place.names() == ["a.a.png", "a.b.png", "a.jpg", "a.jpg.phbatch.json"])
    #expect(try story.command("revert", story.path("a.jpg")).code == 0)
    #expect(try story.night("b") == story.all("reverted"))

    // The kept file stays at its path until an option allows the run to overwrite it.
    #expect(try story.night("a", "--redo") == story.all("modified"))
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(
      try story.night("a", "--redo", "--on-modified", "overwrite") == story.all("rendered"))
    #expect(try !story.history("a.jpg").contains("kept"))
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.history("a.jpg").contains("kept: a.a.png"))
  }

  @Test func keptFilesUnderAnOldNameStayRenditions() throws {
    let story = try Story(["a.jpg"])
    try story.place.recipe(variant: nil, output: #""name": "old", "format": "png""#)
    #expect(try story.night("recipe") == story.all("rendered"))
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.old.png")
    try story.place.recipe(variant: nil, output: #""name": "new", "format": "png""#)
    #expect(
      try story.night("recipe", "--on-modified", "overwrite") == story.all("rendered"))
    for _ in 0..<2 { #expect(try story.night("recipe") == story.all("up-to-date")) }
    #expect(
      try story.place.names() == ["a.jpg", "a.jpg.phbatch.json", "a.new.png", "a.old.png"])
    #expect(try story.place.read("a.old.png") == byHand)
  }

  /// If an adopted edit is reverted, its file is again treated as a rendition that was changed by
  /// hand; with `--all`, it is kept as a file that no edit makes.
  @Test(arguments: [false, true]) func adoptedFilesStayRenditions(_ isWhole: Bool) throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    #expect(try story.night("a", "--on-modified", "adopt") == story.all("up-to-date"))
    let before = try story.place.snapshot().mapValues(\.bytes)
    let arguments = ["revert", story.path("a.jpg")] + (isWhole ? ["--all"] : [])
    #expect(try Command.run(arguments).code == 0)
    for _ in 0..<2 { #expect(try story.night("a") == story.all(isWhole ? "reverted" : "modified")) }
    #expect(try story.place.names() == ["a.a.png", "a.jpg", "a.jpg.phbatch.json"])
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.snapshot().mapValues(\.bytes) == before)
  }

  /// The photo's own settings are dropped only with permission.
  @Test func startingAfreshNamesTheSettingsThatItDrops() throws {
    let story = try Story(["a.jpg"])
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

  /// Reverting needs no consent, because the next command can restore everything.
  @Test func goingBackNeedsNoConsentAndTakesIt() throws {
    let story = try Story(["a.jpg"])
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

  @Test func overwrittenEditsByHandComeBackWithUndo() throws {
    let story = try Story(["a.jpg"])
    try story.recipe("a", stops: 0.5)
    _ = try story.night("a")
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try story.place.folder.write(byHand, to: "photos/a.a.png")
    #expect(try story.night("a", "--on-modified", "overwrite") == story.all("rendered"))
    let rendered = try story.place.read("a.a.png")
    #expect(rendered != byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == byHand)
    #expect(try story.command("undo", story.place.library).code == 0)
    #expect(try story.place.read("a.a.png") == rendered)
  }

  @Test func undoTakesBackRunsAndReversions() throws {
    let story = try Story()
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

  @Test func filesWrittenSinceAreNotUndone() throws {
    let story = try Story(["a.jpg", "b.jpg"])
    try story.recipe("a", stops: 0.2)
    _ = try story.night("a")
    try story.place.folder.write(Array("mine".utf8), to: "photos/b.a.png")
    let before = try story.place.snapshot()
    let undone = try story.command("undo", story.place.library)
    #expect(undone.code == 4)
    #expect(undone.messages.contains("b.a.png"))
    #expect(try story.place.snapshot() == before)
  }

  @Test func changedOriginalIsSeenByEveryStack() throws {
    let story = try Story(["a.jpg"])
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

  @Test func movedPhotosFindTheirEdits() throws {
    let story = try Story(["a.jpg", "b.jpg"])
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

  @Test func damagedSidecarsAreSetAside() throws {
    let story = try Story(["a.jpg", "b.jpg"])
    try story.recipe("a", stops: 0.2)
    _ = try story.night("a")
    try story.place.edit("a.jpg") { String($0.dropLast(40)) }
    let damaged = try story.place.sidecar("a.jpg")
    // No readable record states any more that a.a.png is a rendition of a.jpg.
    var expected = ["a.jpg": "corrupt-sidecar", "a.a.png": "corrupt-sidecar"]
    expected["b.jpg"] = "up-to-date"
    #expect(try story.night("a") == expected)
    #expect(try story.command("repair", story.place.library).code == 0)
    #expect(
      try story.place.read("a.jpg.phbatch.json.damaged") == Array(damaged.utf8))
    // The file already has the bytes that the run would write: the run takes it over.
    expected = ["a.jpg": "rendered", "b.jpg": "up-to-date"]
    #expect(try story.night("a") == expected)
    #expect(try story.night("a") == story.all("up-to-date"))
  }

  @Test func atomicRunsPublishAllOrNothing() throws {
    let story = try Story(["a.jpg", "b.jpg"])
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

  @Test func settingsThatDoNotHoldAreRefused() throws {
    let story = try Story(["a.jpg"])
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
