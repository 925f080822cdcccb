import Foundation
import PhotoRecipes
import TestSupport
import Testing

@Suite struct RunTests {
  @Test func aSecondRunFindsAllPhotosUpToDateAndWritesNothing() throws {
    let place = try Workplace(["a.jpg", "b.png", "below/c.jpg"])
    try place.recipe()
    let first = try place.run()
    #expect(first.code == 0)
    #expect(first.output.hasPrefix("3 rendered (3 renditions"))
    let before = try place.snapshot()
    let second = try place.run()
    #expect(second.code == 0)
    #expect(second.output == "3 up-to-date\n")
    #expect(try place.snapshot() == before)
  }

  @Test func runsWithAFixedTimeGiveTheSameBytesForAnyNumberOfJobs() throws {
    var results: [[String: [UInt8]?]] = []
    for jobs in ["1", "4"] {
      let place = try Workplace((1...6).map { "\($0).jpg" } + ["7.png"])
      try place.recipe()
      let result = try place.run(
        "recipe", "--jobs", jobs, environment: ["SOURCE_DATE_EPOCH": "1700000000"])
      #expect(result.code == 0)
      // Sidecars contain the dates of the photos' files, which differ between the two libraries.
      results.append(
        try place.snapshot().mapValues(\.bytes).mapValues { bytes in
          bytes.map {
            Array(String(decoding: $0, as: UTF8.self).replacing(/"date": ".*?"/, with: "").utf8)
          }
        })
      let sidecar = try place.sidecar("1.jpg")
      #expect(sidecar.contains(#""date": "2023-11-14T22:13:20Z""#))
    }
    #expect(results[0] == results[1])
  }

  @Test func aCheckAndADryRunWriteNothing() throws {
    let place = try Workplace()
    try place.recipe()
    let before = try place.folder.files()
    let check = try place.run("recipe", "--check")
    #expect(check.code == 2)
    let dry = try place.run("recipe", "--dry-run")
    #expect(dry.code == 0)
    #expect(
      dry.output == "a.jpg: due\n  web: new\n  writes a.web.jpg, a.jpg.phbatch.json\n1 due\n")
    #expect(try place.folder.files() == before)
    _ = try place.run()
    #expect(try place.run("recipe", "--check").code == 0)
  }

  @Test func aChangedRecipeRendersAgainFromTheOriginal() throws {
    let place = try Workplace()
    try place.recipe(stops: 1)
    _ = try place.run()
    try place.recipe(stops: -1)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let resumed = try place.read("a.web.jpg")
    let fresh = try Workplace()
    try fresh.recipe(stops: -1)
    _ = try fresh.run()
    #expect(try fresh.read("a.web.jpg") == resumed)
  }

  @Test func aRenditionThatWasChangedByHandIsKept() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.folder.write("mine", to: "photos/a.web.jpg")
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons == ["a.jpg": "modified", "b.jpg": "up-to-date"])
    #expect(try place.read("a.web.jpg") == Array("mine".utf8))
    try place.recipe(stops: 0.7)
    #expect(try place.reasons().reasons == ["a.jpg": "modified", "b.jpg": "rendered"])
    #expect(try place.read("a.web.jpg") == Array("mine".utf8))
    let (forced, forcedCode) = try place.reasons("recipe", "--on-modified", "overwrite")
    #expect(forcedCode == 0)
    #expect(forced == ["a.jpg": "rendered", "b.jpg": "up-to-date"])
    #expect(try place.read("a.web.jpg") != Array("mine".utf8))
    #expect(try place.leftovers() == [])
  }

  @Test func aMissingRenditionIsRenderedAgain() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    let first = try place.read("a.web.jpg")
    try FileManager.default.removeItem(atPath: place.path("photos/a.web.jpg"))
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.web.jpg") == first)
  }

  @Test func aChangedPathTemplateReplacesTheRenditionAtTheOldPath() throws {
    let place = try Workplace()
    try place.recipe(output: #""name": "web", "format": "jpeg""#)
    _ = try place.run()
    try place.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{root}/web/{name}.{width}.{ext}""#)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.names() == ["a.jpg", "a.jpg.phbatch.json", "web", "web/a.jpg.60.jpg"])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func aChangedRenditionAtAnOldPathIsKeptAndNamed() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.folder.write("mine", to: "photos/a.web.jpg")
    try place.recipe(output: #""name": "web", "format": "png""#)
    let result = try place.run("recipe", "--on-modified", "overwrite")
    #expect(
      result.messages.contains(
        "'a.web.jpg' is no longer a rendition, but it was changed by hand and therefore kept"))
    #expect(try place.read("a.web.jpg") == Array("mine".utf8))
  }

  @Test func aFileThatNoSidecarRecordsIsNeverOverwritten() throws {
    let place = try Workplace()
    try place.recipe()
    try place.folder.write("somebody's", to: "photos/a.web.jpg")
    let result = try place.run("recipe", "--format", "json")
    // The file has the path of a rendition, so it is not treated as a photo.
    #expect(result.code == 4)
    #expect(try result.reasons == ["a.jpg": "occupied"])
    #expect(try place.read("a.web.jpg") == Array("somebody's".utf8))
    #expect(try place.leftovers() == [])
  }

  @Test func anUnrecordedFileWithTheSameBytesIsRecordedAsTheRendition() throws {
    let place = try Workplace()
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{root}/out/{name}""#)
    _ = try place.run()
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg.phbatch.json"))
    try place.folder.write("*/\n", to: "photos/.phbatchignore")
    let before = try place.snapshot()["out/a.jpg"]
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.snapshot()["out/a.jpg"] == before)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func aFileAtAnOutputPathInAnIgnoredFolderIsKept() throws {
    let place = try Workplace()
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{root}/out/{name}""#)
    try place.folder.write("*/\n", to: "photos/.phbatchignore")
    try place.folder.write("somebody's", to: "photos/out/a.jpg")
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons == ["a.jpg": "occupied"])
    #expect(try place.read("out/a.jpg") == Array("somebody's".utf8))
    #expect(try place.leftovers() == [])
  }

  @Test func photosOfTheSameStemCollideUnlessOneIsRecorded() throws {
    let place = try Workplace(["a.jpg", "a.png", "b.jpg"])
    try place.recipe()
    let result = try place.run("recipe", "--format", "json")
    #expect(result.code == 3)
    #expect(
      try result.reasons == ["a.jpg": "collision", "a.png": "collision", "b.jpg": "rendered"])
    let details = try result.events.compactMap { $0["detail"] as? String }
    #expect(details.contains("'a.web.jpg' would also be a rendition of 'a.png'"))
    #expect(details.contains("'a.web.jpg' would also be a rendition of 'a.jpg'"))

    let owned = try Workplace(["a.jpg"])
    try owned.recipe()
    _ = try owned.run()
    try owned.addPhoto("a.png")
    #expect(try owned.reasons().reasons == ["a.jpg": "up-to-date", "a.png": "collision"])
    try owned.recipe(stops: 1)
    #expect(try owned.reasons().reasons == ["a.jpg": "rendered", "a.png": "collision"])
    try owned.recipe(
      stops: 1, output: #""name": "web", "format": "jpeg", "path": "{name}.{output}.{ext}""#)
    #expect(try owned.reasons().reasons == ["a.jpg": "rendered", "a.png": "rendered"])
  }

  @Test func aRenditionNeverGetsTheNameOfAnOriginal() throws {
    let place = try Workplace(["a.jpg", "a.png"])
    try place.recipe(output: #""name": "web", "format": "png", "path": "{stem}.{ext}""#)
    let before = try place.snapshot()
    let (reasons, code) = try place.reasons()
    #expect(code == 3)
    #expect(reasons == ["a.jpg": "collision", "a.png": "collision"])
    #expect(try place.snapshot() == before)
  }

  @Test func anOutputFolderGetsAllRenditionsAndSidecars() throws {
    let place = try Workplace(["a.jpg", "trip/b.jpg"])
    try place.recipe()
    let before = try place.folder.files()
    let mirror = place.path("mirror")
    #expect(try place.reasons("recipe", "--output", mirror).code == 0)
    #expect(
      try place.folder.files().filter { !before.contains($0) && !$0.contains("/.phbatch/") } == [
        "mirror/a.jpg.phbatch.json", "mirror/a.web.jpg", "mirror/trip/b.jpg.phbatch.json",
        "mirror/trip/b.web.jpg",
      ])
    #expect(
      try place.reasons("recipe", "--output", mirror).reasons == [
        "a.jpg": "up-to-date", "trip/b.jpg": "up-to-date",
      ])
    let named = String(decoding: try place.folder.read("mirror/.phbatch/library"), as: UTF8.self)
    #expect(named.hasSuffix("/photos\n"))

    let stranger = try Workplace()
    let recipe = try stranger.recipe()
    let refused = try Command.run(["run", recipe, stranger.library, "--output", mirror])
    #expect(refused.code == 66)
    #expect(refused.messages.contains("contains the renditions of"))
    let inside = try place.run("recipe", "--output", "\(place.library)/trip")
    #expect(inside.code == 66)
    #expect(inside.messages.contains("is in the library and contains files"))
    #expect(try place.names() == ["a.jpg", "trip", "trip/b.jpg"])
  }

  /// A recipe that stacks on its own edit cannot use that edit's path; the message has a hint that
  /// works.
  @Test func aRecipeThatStacksOnItsOwnEditNeedsAnotherPath() throws {
    let place = try Workplace()
    func recipe(_ version: String, stops: Double, more: String = "", path: String = "") throws {
      try place.folder.write(
        """
        {
          "identifier": "org.example.recipe", "version": "\(version)", \(more)
          "filters": [ { "filter": "exposure", "stops": \(stops) } ],
          "outputs": [ { \(path) "name": "web", "format": "png" } ]
        }
        """, to: "recipe.json")
    }
    func canStack() throws -> Bool {
      let recipe = place.path("recipe.json")
      let status = try Command.run(["status", place.library, "--recipe", recipe])
      return !status.output.contains("'a.web.png' belongs to the edit by")
    }
    try recipe("1.0.0", stops: 0.1)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let before = try place.snapshot()

    // The next major version takes over the edit only if it lists the previous version under
    // `handles`.
    try recipe("2.0.0", stops: 0.2)
    let major = try place.run()
    #expect(major.code == 3)
    #expect(major.messages.contains("belongs to the edit by org.example.recipe 1.0.0"))
    let handles = "list 'org.example.recipe@^1.0.0' under 'handles'"
    #expect(major.messages.contains(handles), "\(major.messages)")
    #expect(try place.snapshot() == before)
    #expect(try !canStack())
    try recipe("2.0.0", stops: 0.2, more: #""handles": ["org.example.recipe@^1.0.0"],"#)
    #expect(try place.run("recipe", "--check").code == 2)
    try recipe("2.0.0", stops: 0.2)
    #expect(try place.run("recipe", "--check", "--previous", "replace", "--yes").code == 2)

    // A second edit by the same recipe needs another path.
    try recipe("1.1.0", stops: 0.2)
    let stacked = try place.run("recipe", "--previous", "stack")
    #expect(stacked.code == 3)
    #expect(stacked.messages.contains("put {digest:8} into the output's path"))
    #expect(try place.snapshot() == before)
    #expect(try !canStack())
    try recipe("1.1.0", stops: 0.2, path: #""path": "{stem}.{digest:8}.{ext}","#)
    #expect(try canStack())
    #expect(
      try place.reasons("recipe", "--previous", "stack").reasons == ["a.jpg": "rendered"])
    #expect(try place.names().count == 4)
    #expect(try place.reasons("recipe").reasons == ["a.jpg": "up-to-date"])

    // The other recipe has an output with the same name and path.
    try place.recipe("other", variant: nil, output: #""name": "web", "format": "png""#)
    let other = try place.run("other")
    #expect(other.code == 3)
    #expect(other.messages.contains("put {recipe} into the output's path"))
  }

  @Test func theOptionPreviousSkipsFailsOrReplacesEditedPhotos() throws {
    let place = try Workplace()
    try place.recipe(stops: 0.1)
    _ = try place.run()
    try place.recipe(stops: 0.2)
    #expect(try place.reasons("recipe", "--previous", "skip").reasons == ["a.jpg": "skipped"])
    let (failed, code) = try place.reasons("recipe", "--previous", "fail")
    #expect(failed == ["a.jpg": "edited"])
    #expect(code == 4)
    #expect(try place.reasons("recipe", "--previous", "replace").reasons == ["a.jpg": "rendered"])
  }

  @Test func aChangedOriginalIsRenderedAgainUnlessItHasItsOwnSettings() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.addPhoto("a.jpg", width: 50, height: 50)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try place.edit("a.jpg") {
      $0.replacing(#""recipe": {"#, with: #""overrides": { "exposure.stops": 1.5 }, "recipe": {"#)
    }
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try place.addPhoto("a.jpg", width: 40, height: 70)
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons == ["a.jpg": "original-changed"])
    #expect(try place.reasons("recipe", "--accept-changed").reasons == ["a.jpg": "rendered"])
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 1.5"#))
  }

  @Test func onlyListedPhotosAreRendered() throws {
    let place = try Workplace(["a.jpg", "a.png", "b c.jpg", "below/d.jpg"])
    try place.recipe()
    let command = ["run", place.path("recipe.json"), place.library, "--format", "json"]
    let first = try Command.run(
      command + ["--files-from", "-"], input: "a.jpg\nnot there.jpg\n../recipe.json\n")
    #expect(first.code == 3)
    // The renditions of a.jpg and a.png would have the same path, but a.png is not in this plan.
    #expect(
      try first.reasons == [
        "a.jpg": "rendered", "not there.jpg": "file-missing",
      ])
    let second = try Command.run(
      command + ["--files-from", "-", "--null"],
      input: "\(place.library)/b c.jpg\0below/d.jpg\0a.jpg.phbatch.json\0")
    #expect(second.code == 0)
    #expect(try second.reasons == ["b c.jpg": "rendered", "below/d.jpg": "rendered"])
    #expect(try Command.run(command + ["--files-from", place.path("none")]).code == 66)
    #expect(try Command.run(command + ["--null"]).code == 64)
  }

  /// All files that a recipe names may be symbolic links, as stow and Kubernetes create them.
  @Test func recipesAndTheFilesThatTheyNameMayBeLinks() throws {
    let place = try Workplace(["a.jpg"])
    try place.folder.write(SyntheticPhoto.png(width: 8, height: 8), to: "store/mark.png")
    try place.folder.write(
      """
      { "identifier": "org.example.base", "version": "1.0.0", "variant": "web",
        "filters": [ { "filter": "watermark", "image": "mark.png" } ],
        "outputs": [ { "name": "web", "format": "jpeg" } ] }
      """, to: "store/base.json")
    try place.folder.write(#"{ "extends": "base.json" }"#, to: "store/recipe.json")
    let manager = FileManager.default
    for name in ["recipe.json", "base.json", "mark.png"] {
      try manager.createSymbolicLink(
        atPath: place.path(name), withDestinationPath: "store/\(name)")
    }
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    try manager.removeItem(atPath: place.path("store/recipe.json"))
    #expect(try place.run().code == 66)
  }
}
