import Foundation
import TestSupport
import Testing

/// Live Photos whose edits start from other edits, and films that have another name than their photos.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct LivePhotoStackTests {
  private static func variant(_ amount: Double, _ live: LivePhotoPlace) throws {
    try live.place.folder.write(
      """
      { "identifier": "org.example.dig", "version": "1.0.0", "variant": "dig", "from": "current",
        "filters": [ { "filter": "saturation", "amount": \(amount) } ],
        "outputs": [
          { "name": "out", "format": "jpeg", "metadata": "all", "path": "dig/{stem}.{ext}" } ] }
      """, to: "dig.json")
  }

  /// The film of a variant is kept until the film of its base is there again.
  @Test(arguments: ["missing", "changed"]) func theFilmOfTheBaseMustBeThere(
    _ fault: String
  ) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    try Self.variant(-0.5, live)
    #expect(try place.run().code == 0)
    #expect(try place.run("dig").code == 0)
    let made = try place.read("dig/a.mov")
    if fault == "missing" {
      try FileManager.default.removeItem(atPath: live.path("a.out.mov"))
    } else {
      try live.addFilm("a.out.mov")
    }
    try Self.variant(-1, live)
    let reasons = try place.reasons("dig")
    #expect(reasons.reasons["a.jpg"] == (fault == "missing" ? "base-missing" : "modified"))
    #expect(reasons.code != 0)
    #expect(try place.read("dig/a.mov") == made)
    #expect(try place.run("recipe", "--on-modified", "overwrite").code == 0)
    #expect(try place.run("dig").code == 0)
    #expect(live.has("dig/a.mov"))
    #expect(try place.read("dig/a.mov") != made)
    try live.expectPair("dig/a.jpg", "dig/a.mov")
  }

  /// An edit that starts from a rendition changed by hand edits the film beside it.
  @Test func anAdoptedRenditionHasItsFilm() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    let own = try #require(try live.identifiers("a.out.jpg", "a.out.mov").photo)
    let changed = try LivePhotoFile.photo(
      SyntheticPhoto.jpeg(width: 120, height: 80), identifier: own)
    try place.folder.write(changed, to: "photos/a.out.jpg")
    #expect(try place.run("recipe", "--on-modified", "adopt").code == 0)
    try place.folder.write(
      """
      { "identifier": "org.example.warm", "version": "1.0.0",
        "filters": [ { "filter": "whiteBalance", "temperature": 5200 } ],
        "outputs": [ { "name": "warm", "format": "jpeg", "metadata": "all" } ] }
      """, to: "warm.json")
    let result = try place.run("warm")
    #expect(result.code == 0 && !result.messages.contains("film"), "\(result.messages)")
    try live.expectPair("a.warm.jpg", "a.warm.mov")
  }

  /// A library with the photo `a.jpg` and its film `z.mov`, and a recipe with an output for films.
  private static func renamed() throws -> LivePhotoPlace {
    let live = try LivePhotoPlace()
    try FileManager.default.moveItem(atPath: live.path("a.mov"), toPath: live.path("z.mov"))
    try live.recipe(
      LivePhotoPlace.keeping + #", { "name": "film", "format": "mp4", "effort": 1 }"#)
    return live
  }

  /// The film of a Live Photo is no film of its own, also with another name.
  @Test func aFilmWithAnotherNameIsNotRenderedTwice() throws {
    let live = try Self.renamed()
    let place = live.place
    for expected in ["rendered", "up-to-date"] {
      let reasons = try place.reasons().reasons
      #expect(reasons == ["a.jpg": expected, "z.mov": "not-selected"])
    }
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(!live.has("z.film.mp4") && !live.has("z.mov.phbatch.json"))
  }

  /// Shards, named photos and undo find a film with another name, too.
  @Test func aFilmWithAnotherNameIsFoundInPartsOfALibrary() throws {
    let live = try Self.renamed()
    let place = live.place
    try place.addPhoto("b.jpg")
    let plan = place.path("web.plan")
    let recipe = place.path("recipe.json")
    for command in [
      ["plan", recipe, place.library, "-o", plan, "--shards", "2"],
      ["run", "--plan", plan, "--shard", "0"], ["run", "--plan", plan, "--shard", "1"],
      ["merge", plan],
    ] {
      let done = try Command.run(command)
      #expect(done.code == 0, "\(done.messages)")
    }
    try live.expectPair("a.out.jpg", "a.out.mov")
    let made = try place.read("a.out.mov")
    #expect(try Command.run(["merge", plan, "--retry"]).output.isEmpty)
    for photos in [live.path("a.jpg"), live.path("a*")] {
      #expect(try Command.run(["run", recipe, photos, "--check"]).code == 0)
    }
    #expect(try Command.run(["status", live.path("a.jpg")]).code == 0)
    try live.recipe(filters: #"{ "filter": "exposure", "stops": 1 }"#)
    #expect(try place.run().code == 0)
    #expect(try place.read("a.out.mov") != made)
    let undone = try Command.run(["undo", place.library])
    #expect(undone.code == 0, "\(undone.messages)")
    #expect(try place.read("a.out.mov") == made)
  }

  /// A film that was edited before its photo was there keeps its own edit until that is reverted; the
  /// rendition, which states the identifier of the film, is not the film of the photo.
  @Test(arguments: ["a.mov", "z.mov"]) func aFilmThatWasEditedBeforeItsPhotoKeepsItsEdit(
    _ film: String
  ) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    let photo = try place.read("a.jpg")
    try FileManager.default.removeItem(atPath: live.path("a.jpg"))
    if film != "a.mov" {
      try FileManager.default.moveItem(atPath: live.path("a.mov"), toPath: live.path(film))
    }
    try live.recipe(LivePhotoPlace.keeping + #", { "name": "film", "format": "mov" }"#)
    #expect(try place.run().code == 0)
    let rendition = film.replacing(".mov", with: ".film.mov")
    let own = try place.read(rendition)
    try place.folder.write(photo, to: "photos/a.jpg")
    for expected in ["rendered", "up-to-date"] {
      let result = try place.run("recipe", "--format", "json")
      #expect(try result.reasons == ["a.jpg": expected, film: "not-selected"])
      #expect(result.output.contains("phbatch revert"))
    }
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try place.read(rendition) == own)
    #expect(try live.verify().code == 0)
    let status = try Command.run(["status", place.library])
    #expect(status.output.contains(rendition), "\(status.output)")
    #expect(try Command.run(["revert", live.path(film), "--yes"]).code == 0)
    #expect(!live.has(rendition) && live.has("a.out.mov"))
    let after = try place.run("recipe", "--check", "--format", "json")
    #expect(after.code == 0 && !after.output.contains("phbatch revert"))
    // Now the film stands for its photo.
    let change = ["--set", "exposure.stops=1"]
    #expect(try Command.run(["adjust", live.path(film)] + change).code == 0)
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 1"#))
  }

  /// A film that was edited before a photo of its name was there keeps its edit and its renditions if
  /// both are not a Live Photo.
  @Test func aFilmBesideAStrangePhotoIsItsOwnFilm() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    try FileManager.default.removeItem(atPath: live.path("a.jpg"))
    try live.recipe(LivePhotoPlace.keeping + #", { "name": "film", "format": "mov" }"#)
    #expect(try place.run().code == 0)
    try live.addPhoto("a.jpg", identifier: String(repeating: "0", count: 36))
    #expect(try place.reasons().reasons["a.mov"] == "up-to-date")
    #expect(try Command.run(["adjust", live.path("a.mov"), "--set", "exposure.stops=1"]).code == 0)
    #expect(try place.reasons().reasons["a.mov"] == "rendered")
    #expect(try !place.sidecar("a.jpg").contains("exposure.stops\": 1"))
  }

  /// `prune` removes the file that is named, and not the photo to which a film belongs.
  @Test func pruneRemovesOnlyTheNamedFilm() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    for name in ["a.jpg.phbatch.json", "a.jpg", "a.mov"] {
      try FileManager.default.removeItem(atPath: live.path(name))
    }
    // Without any photo, the library's disk may not be mounted.
    try place.addPhoto("b.jpg")
    let pruned = try Command.run(["prune", live.path("a.out.mov"), "--yes"])
    #expect(pruned.code == 0, "\(pruned.messages)")
    #expect(!live.has("a.out.mov") && live.has("a.out.jpg"))
  }
}
