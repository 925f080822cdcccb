import Foundation
import Glibc
import TestRandom
import TestSupport
import Testing

/// Live Photos in libraries: names, folders, several recipes, lost sidecars and interrupted runs.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct LivePhotoLibraryTests {
  /// The identifier joins a renamed photo with its film; `relink` gives both their edits back.
  @Test(arguments: [true, false]) func aRenamedPhotoKeepsItsFilm(_ renamesFilm: Bool) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    let made = try place.read("a.out.mov")
    let rename = { (old: String, new: String) in
      try FileManager.default.moveItem(atPath: live.path(old), toPath: live.path(new))
    }
    try rename("a.jpg", "z.jpg")
    if renamesFilm { try rename("a.mov", "z.mov") }
    let relinked = try Command.run(["relink", place.library])
    #expect(relinked.code == 0, "\(relinked.messages)")
    #expect(!live.has("a.out.mov") && !live.has("a.out.jpg"))
    #expect(try place.read("z.out.mov") == made)
    #expect(try place.reasons().reasons["z.jpg"] == "up-to-date")
    #expect(try live.verify().code == 0)
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("a.out.mov") == made)
    #expect(!live.has("z.out.mov"))
  }

  /// In commands and in lists, the film stands for the Live Photo, also with another name.
  @Test(arguments: ["a.mov", "z.mov"]) func theFilmStandsForTheLivePhoto(_ film: String) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    if film != "a.mov" {
      try FileManager.default.moveItem(atPath: live.path("a.mov"), toPath: live.path(film))
    }
    #expect(try place.run().code == 0)
    let adjusted = try Command.run(["adjust", live.path(film), "--set", "exposure.stops=1"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 1"#))
    let list = place.path("list")
    try place.folder.write(film, to: "list")
    let checked = try place.run("recipe", "--files-from", list, "--check")
    #expect(checked.code == 2, "\(checked.output)")
    #expect(try place.run("recipe", "--files-from", list).output.hasPrefix("1 rendered"))
    let named = try Command.run(["run", place.path("recipe.json"), live.path(film)])
    #expect(named.code == 0 && named.output.hasPrefix("1 up-to-date"), "\(named.messages)")
    let status = try Command.run(["status", place.library])
    #expect(status.code == 0 && !status.output.contains("unsupported"), "\(status.output)")
    let reverted = try Command.run(["revert", live.path(film), "--yes"])
    #expect(reverted.code == 0, "\(reverted.messages)")
    #expect(!live.has("a.out.jpg") && !live.has("a.out.mov") && live.has(film))
  }

  @Test func anotherFolderGetsThePair() throws {
    let live = try LivePhotoPlace()
    let before = try live.place.snapshot()
    let target = live.place.path("web")
    #expect(try live.place.run("recipe", "--output", target).code == 0)
    #expect(
      try live.place.snapshot(below: "web").keys.sorted()
        == ["a.jpg.phbatch.json", "a.out.jpg", "a.out.mov"])
    #expect(try live.place.snapshot() == before)
    let verified = try Command.run(["verify", target])
    #expect(verified.code == 0, "\(verified.output)")
    #expect(
      try live.place.run("recipe", "--output", target).output.hasPrefix("1 up-to-date"))
  }

  /// The length of a film does not matter; the identifier joins it with its photo.
  @Test func aLongFilmIsEditedWhole() throws {
    let live = try LivePhotoPlace()
    try FFmpeg.run([
      "-y", "-f", "lavfi", "-i", "testsrc2=size=32x32:rate=5:duration=30", "-c:v", "libx264",
      "-pix_fmt", "yuv420p", "-metadata",
      "com.apple.quicktime.content.identifier=\(LivePhotoPlace.identifier)", "-movflags",
      "use_metadata_tags", live.path("a.mov"),
    ])
    #expect(try live.place.run().code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try FFmpeg.times(live.path("a.out.mov")).count == 150)
  }

  /// Two photos with one film, as a camera's HEIC and a program's JPEG of it, get a film each.
  @Test func aFilmMayBelongToTwoPhotos() throws {
    let live = try LivePhotoPlace()
    try live.addPhoto("a.jpeg")
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "path": "{name}.{output}.{ext}" }"#)
    #expect(try live.place.run().code == 0)
    for name in ["a.jpg", "a.jpeg"] { try live.expectPair("\(name).out.jpg", "\(name).out.mov") }
    #expect(try live.verify().code == 0)
    #expect(try Command.run(["revert", live.path("a.jpeg"), "--yes"]).code == 0)
    #expect(live.has("a.jpg.out.mov") && !live.has("a.jpeg.out.mov"))
  }

  /// The film has the name of its photo, whatever the template contains.
  @Test(arguments: ["{stem}-{digest:8}.{ext}", "{output}/{stem}_{width}.{ext}", "{stem}.out.jpg"])
  func theFilmIsNamedAsThePhoto(_ template: String) throws {
    let live = try LivePhotoPlace()
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "path": "\#(template)" }"#)
    #expect(try live.place.run().code == 0)
    let names = try live.place.names().filter { $0 != "a.mov" && $0 != "a.jpg" }
    let photo = try #require(names.first { $0.hasSuffix(".jpg") })
    let stem = template.hasSuffix("{ext}") ? String(photo.dropLast(4)) : photo
    #expect(names.contains("\(stem).mov"), "\(names)")
    try live.expectPair(photo, "\(stem).mov")
    #expect(try live.verify().code == 0)
    #expect(try live.place.reasons().reasons == ["a.jpg": "up-to-date"])
    try live.recipe(
      #"""
      { "name": "out", "format": "jpeg", "metadata": "all", "path": "\#(template)",
        "live": "still" }
      """#)
    #expect(try live.place.run().code == 0)
    #expect(!live.has("\(stem).mov"))
    #expect(live.has("a.mov"))
  }

  /// The original film is never the path of a rendition.
  @Test func theOriginalFilmIsNotOverwritten() throws {
    let live = try LivePhotoPlace()
    let film = try live.place.read("a.mov")
    try live.recipe(
      #"{ "name": "out", "format": "heic", "metadata": "all", "path": "{stem}.{ext}" }"#)
    let result = try live.place.run()
    #expect(result.code == 3 || result.code == 4, "\(result.output)")
    #expect(result.messages.contains("'a.mov' exists"), "\(result.messages)")
    #expect(try live.place.read("a.mov") == film)
    #expect(!live.has("a.heic"))
  }

  /// A second edit starts from the current rendition and its film.
  @Test func editsStack() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "current": true }"#)
    #expect(try place.run().code == 0)
    try place.folder.write(
      """
      { "identifier": "org.example.second", "version": "1.0.0",
        "filters": [ { "filter": "rotate", "angle": 90 } ],
        "outputs": [ { "name": "two", "format": "jpeg", "metadata": "all" } ] }
      """, to: "second.json")
    let result = try place.run("second", "--previous", "stack")
    #expect(result.code == 0, "\(result.messages)")
    try live.expectPair("a.two.jpg", "a.two.mov")
    #expect(
      try FFmpeg.times(live.path("a.two.mov")) == FFmpeg.times(live.path("a.mov")))
    let (one, two) = (
      try live.identifiers("a.out.jpg", "a.out.mov"), try live.identifiers("a.two.jpg", "a.two.mov")
    )
    #expect(one.photo != two.photo)
    #expect(try live.verify().code == 0)
    // A change of the lower edit renders both again.
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "current": true }"#,
      filters: #"{ "filter": "exposure", "stops": -0.5 }"#)
    let before = try place.read("a.two.mov")
    #expect(try place.run().code == 0)
    #expect(try place.read("a.two.mov") != before)
    #expect(try live.verify().code == 0)
    // Another film reaches the upper edit, also if that is run first.
    try live.addFilm("a.mov", rate: "20")
    let again = try place.run("second")
    #expect(again.code == 0, "\(again.output)\(again.messages)")
    #expect(try place.run().code == 0)
    #expect(try FFmpeg.times(live.path("a.two.mov")).count == 20)
    #expect(try live.verify().code == 0)
  }

  /// An edit that starts from an image that Photos rendered edits the film beside that image.
  @Test func theFilmThatPhotosRenderedIsEdited() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    let rendered = "77ED47F2-E0C3-4709-8468-79070E46AF2C"
    for ending in ["jpg", "mov"] {
      try FileManager.default.moveItem(
        atPath: live.path("a.\(ending)"), toPath: live.path("IMG_1.\(ending)"))
    }
    try live.addPhoto("IMG_E1.jpg", identifier: rendered)
    try live.addFilm("IMG_E1.mov", identifier: rendered, rate: "20")
    try place.folder.write(try PhoneStoryTests.Export.made().adjustment, to: "photos/IMG_1.AAE")
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    #expect(try place.sidecar("IMG_1.jpg").contains("IMG_E1.jpg"))
    try live.expectPair("IMG_1.out.jpg", "IMG_1.out.mov")
    #expect(try FFmpeg.times(live.path("IMG_1.out.mov")).count == 20)
    #expect(try live.verify().code == 0)
    // A film that has changed since is reported by its own path.
    try live.addFilm("IMG_E1.mov", identifier: rendered, rate: "10")
    let status = try Command.run(["status", place.library])
    #expect(
      status.output.contains("the film 'IMG_E1.mov' is not the recorded file"), "\(status.output)")
  }

  /// With `--atomic`, a photo that fails withdraws photo and film of the others.
  @Test func allPairsArePublishedOrNone() throws {
    let live = try LivePhotoPlace()
    try live.place.folder.write([0xFF, 0xD8, 0xFF], to: "photos/z.jpg")
    let before = try live.place.snapshot()
    #expect(try live.place.run("recipe", "--atomic").code == 3)
    #expect(try live.place.snapshot() == before)
    #expect(try live.place.leftovers() == [])
    try FileManager.default.removeItem(atPath: live.path("z.jpg"))
    #expect(try live.place.run("recipe", "--atomic").code == 0)
    try live.expectPair("a.out.jpg", "a.out.mov")
  }

  /// After a kill between the files of a pair, both are old or both are new once the next command
  /// has run.
  @Test(.enabled(if: Tracer.isPossible)) func anInterruptedRunLeavesNoHalfPair() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    var kills = 0
    for number in TestVolume.one(of: 2, Array(1...8)) {
      try live.recipe(
        filters: #"{ "filter": "exposure", "stops": \#(Double(number) / 10) }"#)
      let tracer = Tracer.prefix("renameat2", injecting: "signal=SIGKILL:when=\(number)")
      guard try place.run(prefix: tracer).code == 128 + SIGKILL else { break }
      kills += 1
      #expect(try [0, 2].contains(live.verify().code))
      #expect(try place.run().code == 0)
      try live.expectPair("a.out.jpg", "a.out.mov")
      #expect(try live.verify().code == 0)
      #expect(try place.leftovers() == [])
    }
    #expect(kills > 1)
  }

  /// Renditions without a sidecar are recognized; the film goes with its photo.
  @Test func aLostSidecarDoesNotMakeTheFilmAnOriginal() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    try FileManager.default.removeItem(atPath: live.path("a.jpg.phbatch.json"))
    let pruned = try Command.run(["prune", place.library, "--yes"])
    #expect(pruned.code == 0)
    #expect(try place.names() == ["a.jpg", "a.mov"], "\(pruned.output)")
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(live.has("a.out.mov") && live.has("a.out.jpg"))
  }

  /// A pair is kept whole if another program has rewritten its film, until the user names the photo.
  @Test func aPairWithARewrittenFilmIsKeptWhole() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    let identifier = try #require(try live.identifiers("a.out.jpg", "a.out.mov").photo)
    try live.addFilm("a.out.mov", identifier: identifier, rate: "10")
    try FileManager.default.removeItem(atPath: live.path("a.jpg.phbatch.json"))
    #expect(try Command.run(["prune", place.library, "--yes"]).code == 0)
    #expect(live.has("a.out.jpg") && live.has("a.out.mov"))
    let pruned = try Command.run(
      ["prune", live.path("a.out.jpg"), "--library", place.library, "--yes"])
    #expect(pruned.code == 0, "\(pruned.messages)")
    #expect(try place.names() == ["a.jpg", "a.mov"], "\(pruned.output)")
  }

  /// The film of a rendition goes with it if only the rendition is named, also if no record is left
  /// by which the film is recognized.
  @Test(
    arguments: [true, false], ["{stem}.{output}.{ext}", "{stem}.out.jpg"]
  ) func aNamedRenditionIsPrunedWithItsFilm(_ hasLedger: Bool, _ template: String) throws {
    let live = try LivePhotoPlace()
    let place = live.place
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "metadata": "all", "path": "\#(template)" }"#)
    #expect(try place.run().code == 0)
    let film = template.hasSuffix("{ext}") ? "a.out.mov" : "a.out.jpg.mov"
    #expect(live.has(film))
    try FileManager.default.removeItem(atPath: live.path("a.jpg.phbatch.json"))
    if !hasLedger { try FileManager.default.removeItem(atPath: live.path(".phbatch")) }
    let list = try Command.run(["prune", place.library])
    #expect(list.output.contains(film) || list.messages.contains(film), "\(list.output)")
    let pruned = try Command.run(
      ["prune", live.path("a.out.jpg"), "--library", place.library, "--yes"])
    #expect(pruned.code == 0, "\(pruned.messages)")
    #expect(try place.names() == ["a.jpg", "a.mov"], "\(pruned.output)")
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(live.has(film) && live.has("a.out.jpg"))
  }

  @Test func aDamagedSidecarIsRepaired() throws {
    let live = try LivePhotoPlace()
    let place = live.place
    #expect(try place.run().code == 0)
    try place.folder.write("{", to: "photos/a.jpg.phbatch.json")
    #expect(try Command.run(["repair", live.path("a.jpg")]).code == 0)
    let again = try place.run()
    #expect(again.code == 0, "\(again.output)\(again.messages)")
    try live.expectPair("a.out.jpg", "a.out.mov")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func theFateOfTheFilmIsExplained() throws {
    let live = try LivePhotoPlace()
    #expect(try live.place.run().code == 0)
    try live.recipe(filters: #"{ "filter": "exposure", "stops": 1 }"#)
    let explained = try Command.run(
      ["explain", live.place.path("recipe.json"), live.path("a.jpg")])
    #expect(explained.code == 0, "\(explained.messages)")
    #expect(explained.output.contains("film of the photo in 'out': edited and kept"))
    #expect(explained.output.contains("a.out.mov"))
  }
}
