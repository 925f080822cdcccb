import Foundation
import TestSupport
import Testing

/// Runs over Live Photos, whose photo and film are two files and one asset.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct LivePhotoTests {
  @Test func theFilmIsEditedAsThePhoto() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    let before = try place.snapshot()
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    #expect(!result.messages.contains("film"))
    let (film, made) = (live.path("a.mov"), live.path("a.out.mov"))
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    #expect(
      try FFmpeg.probe(made, "stream=width,height", ["-select_streams", "v"]) == ["48,32"])
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(
      try ExifTool.tags(of: place.read("a.out.jpg"))["Apple:LivePhotoVideoIndex"] == "4235300")
    #expect(try place.snapshot().filter { before[$0.key] != nil } == before)
    #expect(try place.leftovers().isEmpty)
    // The same film rendered alone by the same recipe.
    let alone = try Workplace([])
    try FileManager.default.copyItem(atPath: film, toPath: alone.path("photos/b.mov"))
    try alone.folder.write(
      """
      { "identifier": "org.example.film", "version": "1.0.0",
        "filters": [ \(LivePhotoPlace.edit) ], "outputs": [ { "name": "out", "format": "mov" } ] }
      """, to: "recipe.json")
    #expect(try alone.run().code == 0)
    for number in [0, 12, 24] {
      let wanted = try FFmpeg.frame(number, of: alone.path("photos/b.out.mov"))
      #expect(try FFmpeg.frame(number, of: made) == wanted)
    }
  }

  /// The sidecar of the photo records the film; commands treat both as one.
  @Test func onePhotoHasOneSidecarAndOneHistory() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    let originals = try place.names()
    #expect(try place.run().code == 0)
    let names = try place.names()
    #expect(names == ["a.jpg", "a.jpg.phbatch.json", "a.mov", "a.out.jpg", "a.out.mov"])
    #expect(try place.sidecar("a.jpg").contains(#""output": "out film""#))
    #expect(try live.verify().code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    let first = try place.snapshot().mapValues(\.bytes)
    #expect(try Command.run(["revert", live.path("a.jpg"), "--yes"]).code == 0)
    #expect(try place.names().filter { !$0.hasSuffix(".json") } == originals)
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.snapshot().mapValues(\.bytes) == first)
    #expect(try live.verify().code == 0)
    _ = try Command.run(["revert", live.path("a.jpg"), "--yes"])
    #expect(try place.run("recipe", "--redo").code == 0)
    #expect(try place.read("a.out.mov") == first["a.out.mov"])
    #expect(try place.read("a.out.jpg") == first["a.out.jpg"])
  }

  /// A warning about the film's size names the film, not the photo beside it.
  @Test func aWarningSaysThatTheFilmIsSmaller() throws {
    let live = try LivePhotoPlace()
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "live": "keep" }"#,
      filters: #"{ "filter": "resize", "longEdge": 127 }"#)
    let result = try live.place.run()
    #expect(result.code == 0, "\(result.messages)")
    #expect(
      result.messages.contains("the film of 'out' is 50×34 pixels, not 51×34: a film has an even"),
      "\(result.messages)")
  }

  @Test func aStillHasNoFilmAndNamesNone() throws {
    let live = try LivePhotoPlace()
    #expect(try live.place.run().code == 0)
    #expect(live.has("a.out.mov"))
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "live": "still" }"#)
    let result = try live.place.run()
    #expect(result.code == 0, "\(result.messages)")
    #expect(!live.has("a.out.mov"))
    #expect(live.has("a.mov"))
    #expect(
      try ExifTool.tags(of: live.place.read("a.out.jpg"))["Apple:MediaGroupUUID"] == nil)
    #expect(try live.verify().code == 0)
    #expect(try Command.run(["undo", live.place.library]).code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try live.verify().code == 0)
  }

  /// A recipe without steps copies the film, but for its identifier.
  @Test func aRecipeWithoutStepsCopiesTheFilm() throws {
    let live = try LivePhotoPlace()
    try live.recipe(filters: "")
    #expect(try live.place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    let (old, new) = (try live.place.read("a.mov"), try live.place.read("a.out.mov"))
    #expect(old.count == new.count)
    #expect(zip(old, new).count { $0 != $1 } <= 36)
  }

  @Test func aRenditionThatWasRemovedOrChangedIsFound() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    let film = try place.read("a.out.mov")
    try FileManager.default.removeItem(atPath: live.path("a.out.mov"))
    #expect(try live.verify().output.contains("a.out.mov: missing"))
    let planned = try place.run("recipe", "--dry-run")
    #expect(planned.output.contains("writes a.out.mov"), "\(planned.output)")
    #expect(try place.run().code == 0)
    #expect(try place.read("a.out.mov") == film)
    try place.folder.write(film + [0, 0, 0, 8] + Array("free".utf8), to: "photos/a.out.mov")
    #expect(try live.verify().output.contains("a.out.mov: modified"))
    let kept = try place.run()
    #expect(kept.code == 4, "\(kept.output)")
    #expect(try place.read("a.out.mov").count == film.count + 8)
    #expect(try place.run("recipe", "--on-modified", "overwrite").code == 0)
    #expect(try place.read("a.out.mov") == film)
  }

  @Test func anotherFilmMakesThePhotoStale() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    try live.addFilm("a.mov", rate: "20")
    #expect(try live.verify().output.contains("a.mov: original-changed"))
    let status = try Command.run(["status", place.library, "--why"])
    #expect(status.output.contains("film"), "\(status.output)")
    let planned = try place.run("recipe", "--dry-run")
    #expect(planned.output.contains("the content of 'the film of the Live Photo' changed"))
    #expect(try place.run().code == 0)
    #expect(try FFmpeg.times(live.path("a.out.mov")).count == 20)
  }

  /// If a film is missing, or a damaged film or one of another photo is in its place, the photo's
  /// renditions stay until the film is back or the recipe gives the film up.
  @Test(arguments: ["missing", "other", "cut", "codec"])
  func theRenditionOfALostFilmStays(_ fault: String) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    let (film, made) = (try place.read("a.mov"), try place.read("a.out.mov"))
    if fault == "missing" {
      try FileManager.default.removeItem(atPath: live.path("a.mov"))
      #expect(try live.verify().output.contains("the film of the Live Photo is missing"))
    } else {
      try live.damage("a.mov", fault)
    }
    let kept = try place.run()
    #expect(kept.code == (fault == "codec" ? 3 : 4), "\(kept.output)")
    #expect(kept.messages.contains("its renditions were kept"))
    let status = try Command.run(["status", place.library])
    #expect(status.code == 4 && status.output.contains("the film "), "\(status.output)")
    #expect(status.output.contains("1 photo"))
    #expect(try place.read("a.out.mov") == made)
    // A change of the recipe does not remove it either.
    try live.recipe(filters: #"{ "filter": "exposure", "stops": -0.5 }"#)
    #expect(try place.run().code == kept.code)
    #expect(try place.read("a.out.mov") == made)
    try live.recipe()
    try place.folder.write(film, to: "photos/a.mov")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    try FileManager.default.removeItem(atPath: live.path("a.mov"))
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "live": "still" }"#)
    #expect(try place.run().code == 0)
    #expect(!live.has("a.out.mov"))
    #expect(
      try ExifTool.tags(of: place.read("a.out.jpg"))["Apple:MediaGroupUUID"] == nil)
    #expect(try live.verify().code == 0)
    // The film cannot be rendered again, so it comes back from the trash.
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("a.out.mov") == made)
  }

  /// A film that cannot be used does not cost the photo.
  @Test(arguments: ["other", "none", "cut", "codec"])
  func aFilmThatDoesNotFitIsLeftOutWithAWarning(_ fault: String) throws {
    let live = try LivePhotoPlace()
    try live.damage("a.mov", fault)
    let result = try live.place.run()
    #expect(result.code == 0)
    #expect(
      result.messages.contains(
        fault == "codec" ? "the film is not in 'out'" : "'a.mov' is left out"),
      "\(result.messages)")
    #expect(!live.has("a.out.mov"))
    #expect(
      try ExifTool.tags(of: live.place.read("a.out.jpg"))["Apple:MediaGroupUUID"] == nil)
    #expect(try live.place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try live.verify().code == 0)
    // A film that fits makes the pair whole.
    try live.addFilm("a.mov")
    #expect(try live.place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
  }

  @Test func theMissingProgramIsNamed() throws {
    let live = try LivePhotoPlace()
    let alone = live.place.path("phbatch")
    try FileManager.default.copyItem(atPath: Command.executable, toPath: alone)
    func run() throws -> CommandResult {
      try Command.run(
        ["run", live.place.path("recipe.json"), live.place.library],
        environment: ["PHBATCH": alone],
        prefix: ["sh", "-c", "shift; exec \(alone) \"$@\"", "sh"])
    }
    let result = try run()
    #expect(result.code == 0)
    #expect(result.messages.contains("the film is not in 'out'"))
    #expect(result.messages.contains("install the package phbatch-video"))
    #expect(!live.has("a.out.mov"))
    // With the program, the film is added; without it, the film stays as it is.
    #expect(try live.place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    let pair = try live.place.snapshot()
    #expect(try run().output.contains("1 up-to-date"))
    #expect(try live.place.snapshot() == pair)
    // A changed recipe cannot render the film, whose earlier rendition goes to the trash.
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#,
      filters: #"{ "filter": "exposure", "stops": -0.5 }"#)
    #expect(try run().messages.contains("the film is not in 'out'"))
    #expect(!live.has("a.out.mov"))
    #expect(try Command.run(["undo", live.place.library]).code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
  }

  /// Sidecars of versions that left the film out are read; the film is added.
  @Test func anEarlierSidecarStaysReadable() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    try FileManager.default.moveItem(
      atPath: live.path("a.mov"), toPath: place.path("a.mov"))
    #expect(try place.run().code == 0)
    #expect(try !place.sidecar("a.jpg").contains("film"))
    try FileManager.default.moveItem(
      atPath: place.path("a.mov"), toPath: live.path("a.mov"))
    let planned = try place.run("recipe", "--dry-run")
    #expect(planned.output.contains("the film of the Live Photo is new"), "\(planned.output)")
    #expect(try place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try live.verify().code == 0)
  }
}
