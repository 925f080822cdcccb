import Foundation
import Glibc
import TestSupport
import Testing

/// `phbatch relink`, which gives moved or renamed photos their edits back, and its undo.
@Suite struct RelinkTests {
  private static func recipe(_ name: String, stops: Double, in place: Workplace) throws {
    try place.recipe(
      name, variant: nil, stops: stops, output: "\"name\": \"\(name)\", \"format\": \"png\"")
  }

  private static func move(_ name: String, to new: String, in place: Workplace) throws {
    try FileManager.default.createDirectory(
      atPath: place.path("photos/trip"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: place.path("photos/\(name)"), toPath: place.path("photos/\(new)"))
  }

  private static func bytes(_ place: Workplace) throws -> [String: [UInt8]?] {
    try place.snapshot().mapValues(\.bytes)
  }

  @Test func undoTakesBackARelinkAndASecondUndoRepeatsIt() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    try Self.recipe("two", stops: -0.4, in: place)
    for recipe in ["one", "two"] { #expect(try place.run(recipe).code == 0) }
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    let lost = try Self.bytes(place)
    let relinked = try Command.run(["relink", place.library])
    #expect(relinked.code == 0)
    #expect(relinked.output.contains("trip/z.jpg: up-to-date (now has the edits of 'a.jpg'"))
    let found = try Self.bytes(place)
    #expect(found.keys.contains("trip/z.one.png") && !found.keys.contains("a.one.png"))

    for _ in 0..<2 {
      let undone = try Command.run(["undo", place.library])
      #expect(undone.code == 0)
      #expect(undone.output.contains("trip/z.jpg: restored"))
      #expect(try Self.bytes(place) == lost)
      #expect(try Command.run(["undo", place.library]).code == 0)
      #expect(try Self.bytes(place) == found)
    }
    #expect(
      try place.reasons("two").reasons == ["b.jpg": "up-to-date", "trip/z.jpg": "up-to-date"])
    #expect(try place.leftovers() == [])
  }

  @Test func aLibraryWithoutMovedPhotosHasNothingToRelink() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    let relinked = try Command.run(["relink", place.library])
    #expect(relinked.code == 0)
    #expect(relinked.output == "nothing to relink\n")
  }

  /// The undo of a relink changes nothing if one of the files has changed since the relink.
  @Test func undoOfARelinkKeepsFilesThatChangedLater() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    #expect(try Command.run(["relink", place.library]).code == 0)
    try place.folder.write("mine", to: "photos/trip/z.one.png")
    let before = try Self.bytes(place)
    let undone = try Command.run(["undo", place.library])
    #expect(undone.code == 4)
    #expect(undone.messages.contains("z.one.png"))
    #expect(try Self.bytes(place) == before)
    #expect(try place.leftovers() == [])
  }

  /// A rendition that was changed by hand moves with its photo, whether it was adopted or not.
  @Test func relinkMovesRenditionsThatWereChangedByHand() throws {
    let place = try Workplace(["a.jpg"])
    try place.addPhoto("b.jpg", width: 61)
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try place.folder.write(byHand, to: "photos/a.one.png")
    #expect(try place.run("one", "--on-modified", "adopt").code == 0)
    try place.folder.write(byHand, to: "photos/b.one.png")
    try Self.move("a.jpg", to: "trip/y.jpg", in: place)
    try Self.move("b.jpg", to: "trip/x.jpg", in: place)
    let before = try Self.bytes(place)
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.read("trip/y.one.png") == byHand)
    #expect(try place.read("trip/x.one.png") == byHand)
    #expect(
      try place.names() == [
        "trip", "trip/x.jpg", "trip/x.jpg.phbatch.json", "trip/x.one.png", "trip/y.jpg",
        "trip/y.jpg.phbatch.json", "trip/y.one.png",
      ])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try Self.bytes(place) == before)
    #expect(try Command.run(["relink", place.library]).code == 0)
    // The changed rendition is recognized at its new path, and is not treated as a photo.
    #expect(
      try place.reasons("one").reasons
        == ["trip/x.jpg": "modified", "trip/y.jpg": "up-to-date"])
    #expect(try place.read("trip/x.one.png") == byHand)
    try Self.recipe("two", stops: 0.3, in: place)
    #expect(try place.reasons("two").reasons["trip/y.jpg"] == "rendered")
    #expect(try place.sidecar("trip/y.jpg").contains(#""width": 31"#))
  }

  /// A rendition that was changed by hand and that no edit makes any more also moves with its
  /// photo.
  @Test func relinkMovesKeptRenditionsThatNoEditMakesAnyMore() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    let byHand = try SyntheticPhoto.png(width: 31, height: 17)
    try place.folder.write(byHand, to: "photos/a.one.png")
    #expect(
      try Command.run(["revert", place.path("photos/a.jpg"), "--yes"]).code == 0)
    try Self.move("a.jpg", to: "trip/y.jpg", in: place)
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.read("trip/y.one.png") == byHand)
    #expect(try !place.names().contains("a.one.png"))
    #expect(try place.reasons("one").reasons == ["trip/y.jpg": "reverted"])
  }

  /// `relink` finds the files of another program's edit by their bytes, regardless of their new
  /// names.
  @Test func relinkFindsThePhoneEditOfAPhotoUnderNewNames() throws {
    let export = try PhoneStoryTests.Export.made()
    let place = try Workplace([])
    for (name, bytes) in export.files { try place.folder.write(bytes, to: "photos/\(name)") }
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    let rendition = try place.read("IMG_1.one.png")
    for (old, new) in [
      ("IMG_1.JPG", "IMG_7.JPG"), ("IMG_1.AAE", "IMG_7.AAE"), ("IMG_E1.JPG", "IMG_E7.JPG"),
    ] { try Self.move(old, to: "trip/\(new)", in: place) }
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.read("trip/IMG_7.one.png") == rendition)
    #expect(try place.reasons("one").reasons == ["trip/IMG_7.JPG": "up-to-date"])
    #expect(try place.sidecar("trip/IMG_7.JPG").contains(#""file": "IMG_E7.JPG""#))
  }

  /// `relink` also finds a photo that a run has already rendered at its new path without the
  /// photo's own settings.
  @Test func relinkReplacesTheRenditionsOfAnEarlierRun() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    #expect(
      try Command.run(["adjust", place.path("photos/a.jpg"), "--set", "exposure.stops=0.7"]).code
        == 0)
    #expect(try place.run("one").code == 0)
    let tweaked = try place.read("a.one.png")
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    #expect(try place.run("one").code == 4)
    let between = try Self.bytes(place)
    #expect(try place.read("trip/z.one.png") != tweaked)
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.read("trip/z.one.png") == tweaked)
    #expect(
      try place.names() == ["trip", "trip/z.jpg", "trip/z.jpg.phbatch.json", "trip/z.one.png"])
    #expect(try place.reasons("one").reasons == ["trip/z.jpg": "up-to-date"])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try Self.bytes(place) == between)
    #expect(try place.leftovers() == [])
  }

  /// If the moved photo already has its own settings at its new path, `relink` reports that,
  /// because the user must choose between the two sidecars.
  @Test func theReasonForAFailedRelinkIsReported() throws {
    let place = try Workplace(["a.jpg"])
    try place.addPhoto("b.jpg", width: 61)
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    try FileManager.default.removeItem(atPath: place.path("photos/b.jpg"))
    #expect(try place.run("one").code == 4)
    #expect(
      try Command.run(
        ["adjust", place.path("photos/trip/z.jpg"), "--set", "exposure.stops=0.7"]
      ).code == 0)
    let before = try Self.bytes(place)
    let result = try Command.run(["relink", place.library])
    #expect(
      result.messages.contains("'a.jpg' is missing, and its copy 'trip/z.jpg' has its own edits"))
    #expect(result.messages.contains("'b.jpg' is missing, and no other photo has the same content"))
    #expect(try Self.bytes(place) == before)
  }

  /// A variant moves together with the edit from which it starts, although the sidecar records the
  /// variant before that edit.
  @Test func relinkMovesAVariantWithItsBase() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      "web", variant: "web", from: "current", output: #""name": "web", "format": "png""#)
    try Self.recipe("one", stops: 0.2, in: place)
    for recipe in ["web", "one", "web"] { #expect(try place.run(recipe).code == 0) }
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try !place.sidecar("trip/z.jpg").contains("a.one.png"))
    for recipe in ["web", "one"] {
      #expect(try place.reasons(recipe).reasons == ["trip/z.jpg": "up-to-date"])
    }
  }

  /// Photos get their edits back after two of them exchanged names, or three each took the name of
  /// the next.
  @Test(arguments: [["a.jpg", "b.jpg"], ["a.jpg", "b.jpg", "c.jpg"]])
  func relinkFindsPhotosThatExchangedTheirNames(_ names: [String]) throws {
    let place = try Workplace([])
    try Self.recipe("one", stops: 0.2, in: place)
    for (index, name) in names.enumerated() { try place.addPhoto(name, width: 60 + index) }
    #expect(try place.run("one").code == 0)
    for (index, name) in names.enumerated() {
      let setting = "exposure.stops=0.\(index + 3)"
      #expect(
        try Command.run(["adjust", place.path("photos/\(name)"), "--set", setting]).code == 0)
    }
    #expect(try place.run("one").code == 0)
    let renditions = try names.map { try place.read($0.replacing(".jpg", with: ".one.png")) }
    for name in names { try Self.move(name, to: "\(name).old", in: place) }
    for (index, name) in names.enumerated() {
      try Self.move("\(name).old", to: names[(index + 1) % names.count], in: place)
    }
    try FileManager.default.removeItem(atPath: place.path("photos/trip"))
    #expect(try place.run("one").code == 4)
    let exchanged = try Self.bytes(place)

    let result = try Command.run(["relink", place.library])
    #expect(result.code == 0, "\(result.messages)")
    #expect(result.output.contains("b.jpg: up-to-date (now has the edits of 'a.jpg', which is an"))
    for index in names.indices {
      let name = names[(index + 1) % names.count]
      #expect(try place.read(name.replacing(".jpg", with: ".one.png")) == renditions[index])
      #expect(try place.sidecar(name).contains("0.\(index + 3)"))
    }
    #expect(try Set(place.reasons("one").reasons.values) == ["up-to-date"])
    #expect(try Command.run(["verify", place.library]).code == 0)
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try Self.bytes(place) == exchanged)
    #expect(try place.leftovers() == [])
  }

  /// Photos get their edits back after the first of a series was removed and the others were
  /// renumbered.
  @Test func relinkFindsTheRenumberedPhotosOfASeries() throws {
    let names = ["1.jpg", "2.jpg", "3.jpg"]
    let place = try Workplace([])
    try Self.recipe("one", stops: 0.2, in: place)
    for (index, name) in names.enumerated() { try place.addPhoto(name, width: 60 + index) }
    #expect(try place.run("one").code == 0)
    let renditions = try names.map { try place.read($0.replacing(".jpg", with: ".one.png")) }
    try FileManager.default.removeItem(atPath: place.path("photos/1.jpg"))
    try Self.move("2.jpg", to: "1.jpg", in: place)
    try Self.move("3.jpg", to: "2.jpg", in: place)
    let renumbered = try Self.bytes(place)
    let result = try Command.run(["relink", place.library])
    #expect(result.messages.contains("'1.jpg' is now another photo, and no photo has the former"))
    #expect(try place.read("1.one.png") == renditions[1])
    #expect(try place.read("2.one.png") == renditions[2])
    #expect(try place.reasons("one").reasons == ["1.jpg": "up-to-date", "2.jpg": "up-to-date"])
    #expect(try !place.names().contains("3.one.png"))
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try Self.bytes(place) == renumbered)
  }

  /// A sidecar with the user's settings stays at its path if its photo is missing, although another
  /// photo now has the path; no other photo gets the settings.
  @Test func relinkKeepsASidecarWithUserSettingsIfItsPhotoIsMissing() throws {
    let place = try Workplace(["1.jpg"])
    try place.addPhoto("2.jpg", width: 61)
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    #expect(
      try Command.run(["adjust", place.path("photos/1.jpg"), "--set", "exposure.stops=0.7"]).code
        == 0)
    #expect(try place.run("one").code == 0)
    try FileManager.default.removeItem(atPath: place.path("photos/1.jpg"))
    try Self.move("2.jpg", to: "1.jpg", in: place)
    let before = try Self.bytes(place)
    let result = try Command.run(["relink", place.library])
    #expect(result.messages.contains("'1.jpg' is now another photo"))
    #expect(
      result.messages.contains("'2.jpg' is missing, and its copy '1.jpg' has its own edits"))
    #expect(try Self.bytes(place) == before)
  }

  /// Two photos with the same bytes get their own edits back, to the extent that their names
  /// identify them.
  @Test func relinkDistinguishesIdenticalPhotosByTheirNames() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    #expect(
      try Command.run(["adjust", place.path("photos/b.jpg"), "--set", "exposure.stops=0.7"]).code
        == 0)
    #expect(try place.run("one").code == 0)
    let tweaked = try place.read("b.one.png")
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    try Self.move("b.jpg", to: "trip/b.jpg", in: place)
    #expect(try Command.run(["relink", place.library]).code == 0)
    #expect(try place.read("trip/b.one.png") == tweaked)
    #expect(
      try place.reasons("one").reasons == ["trip/b.jpg": "up-to-date", "trip/z.jpg": "up-to-date"])
  }

  /// A run between the move and the `relink` renders the same bytes at the new path.
  @Test func undoTakesBackARelinkAfterARunThatRenderedTheSameBytes() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    #expect(try place.run("one").code == 4)
    let between = try Self.bytes(place)
    #expect(try place.read("trip/z.one.png") == place.read("a.one.png"))
    #expect(try Command.run(["relink", place.library]).code == 0)
    let found = try Self.bytes(place)
    #expect(!found.keys.contains("a.one.png"))
    for _ in 0..<2 {
      let undone = try Command.run(["undo", place.library])
      #expect(undone.code == 0, "\(undone.messages)")
      #expect(try Self.bytes(place) == between)
      #expect(try Command.run(["undo", place.library]).code == 0)
      #expect(try Self.bytes(place) == found)
    }
  }

  /// A photo that `.phbatchignore` lists is still there, so no copy of it gets its edits.
  @Test func relinkLeavesTheEditsOfAnIgnoredPhoto() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    try place.folder.write(try place.read("a.jpg"), to: "photos/copy.jpg")
    try place.folder.write("a.jpg\n", to: "photos/.phbatchignore")
    let before = try Self.bytes(place)
    let whole = try Command.run(["relink", place.library])
    #expect(whole.code == 0 && !whole.messages.contains("a.jpg"), "\(whole.messages)")
    let named = try Command.run([
      "relink", place.path("photos/a.jpg"), place.path("photos/copy.jpg"),
    ])
    #expect(named.code == 66 && named.messages.contains("'a.jpg' is still there"))
    #expect(try Self.bytes(place) == before)
  }

  /// An ignored photo that cannot be read keeps its edits; other photos get theirs back.
  @Test(.enabled(if: Unprivileged.isPossible)) func relinkToleratesAnUnreadableIgnoredPhoto() throws
  {
    let place = try Workplace(["a.jpg"])
    try place.addPhoto("b.jpg", width: 61)
    try Self.recipe("one", stops: 0.2, in: place)
    try Unprivileged.open(place)
    #expect(try place.run("one", prefix: Unprivileged.prefix).code == 0)
    try place.folder.write("a.jpg\n", to: "photos/.phbatchignore")
    try Self.move("b.jpg", to: "trip/z.jpg", in: place)
    // The file has other times than the index records, so that its digest is not known.
    try place.folder.write(try place.read("a.jpg"), to: "photos/a.jpg")
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/a.jpg"), 0) == 0)
    let relinked = try Command.run(["relink", place.library], prefix: Unprivileged.prefix)
    #expect(chmod(place.path("photos/a.jpg"), 0o644) == 0)
    #expect(relinked.code == 0 && relinked.messages.contains("'a.jpg'"), "\(relinked.messages)")
    let names = try place.names()
    #expect(names.contains("trip/z.one.png") && names.contains("a.jpg.phbatch.json"))
  }

  /// Some file systems find a renamed photo also by its old name, if the names differ only in case.
  ///
  /// The test imitates that with a hard link under the old name, which the scan leaves out.
  @Test(arguments: [true, false]) func relinkFollowsAChangeOfCase(_ isNamed: Bool) throws {
    let place = try Workplace(["IMG.JPG"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    let (old, new) = (place.path("photos/IMG.JPG"), place.path("photos/img.jpg"))
    try FileManager.default.linkItem(atPath: old, toPath: new)
    try place.folder.write("IMG.JPG\n", to: "photos/.phbatchignore")
    let relinked = try Command.run(["relink"] + (isNamed ? [old, new] : [place.library]))
    #expect(relinked.code == 0, "\(relinked.messages)")
    let names = try place.names()
    #expect(names.contains("img.jpg.phbatch.json") && names.contains("img.one.png"), "\(names)")
    #expect(!names.contains("IMG.JPG.phbatch.json"))
  }

  /// A folder with the previous name of a photo is not the photo.
  @Test func relinkIgnoresAFolderWithTheOldName() throws {
    let place = try Workplace(["a.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    #expect(try place.run("one").code == 0)
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    try FileManager.default.createDirectory(
      atPath: place.path("photos/a.jpg"), withIntermediateDirectories: false)
    let relinked = try Command.run([
      "relink", place.path("photos/a.jpg"), place.path("photos/trip/z.jpg"),
    ])
    #expect(relinked.code == 0, "\(relinked.messages)")
    #expect(try place.names().contains("trip/z.one.png"))
  }
}
