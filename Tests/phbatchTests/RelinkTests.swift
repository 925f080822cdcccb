import Foundation
import TestSupport
import Testing

/// Photos that were moved or renamed, and the way back.
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

  @Test func undoMovesTheEditsBackAndForth() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try Self.recipe("one", stops: 0.2, in: place)
    try Self.recipe("two", stops: -0.4, in: place)
    for recipe in ["one", "two"] { #expect(try place.run(recipe).code == 0) }
    try Self.move("a.jpg", to: "trip/z.jpg", in: place)
    let lost = try Self.bytes(place)
    let relinked = try Command.run(["relink", place.library])
    #expect(relinked.code == 0)
    #expect(relinked.output.contains("trip/z.jpg: up-to-date (has the edits now of 'a.jpg'"))
    let found = try Self.bytes(place)
    #expect(found.keys.contains("trip/z.one.png") && !found.keys.contains("a.one.png"))

    for _ in 0..<2 {
      let undone = try Command.run(["undo", place.library])
      #expect(undone.code == 0)
      #expect(undone.output.contains("trip/z.jpg: reverted"))
      #expect(try Self.bytes(place) == lost)
      #expect(try Command.run(["undo", place.library]).code == 0)
      #expect(try Self.bytes(place) == found)
    }
    #expect(
      try place.reasons("two").reasons == ["b.jpg": "up-to-date", "trip/z.jpg": "up-to-date"])
    #expect(try place.leftovers() == [])
  }

  /// What was changed since is nobody's to take back.
  @Test func undoLeavesWhatChangedSince() throws {
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

  /// A rendition that was changed by hand and adopted goes along; one that was only changed stays.
  @Test func whatWasMadeByHandGoesAlong() throws {
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
    let relinked = try Command.run(["relink", place.library])
    #expect(relinked.code == 0)
    #expect(relinked.messages.contains("'b.one.png' was changed by hand: it stays where it is"))
    #expect(try place.read("trip/y.one.png") == byHand)
    #expect(try place.read("b.one.png") == byHand)
    #expect(try !place.names().contains("a.one.png"))
    // What stayed is made again at the new place.
    #expect(
      try place.reasons("one").reasons["trip/x.jpg"] == "rendered")
    #expect(try place.names().contains("trip/x.one.png"))
    try Self.recipe("two", stops: 0.3, in: place)
    #expect(try place.reasons("two").reasons["trip/y.jpg"] == "rendered")
    #expect(try place.sidecar("trip/y.jpg").contains(#""width": 31"#))
  }

  /// The files of another program are known again by their bytes, whatever their new names.
  @Test func telephonesEditsAreFoundUnderTheirNewNames() throws {
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
}
