import Foundation
import TestSupport
import Testing

/// `phbatch relink OLD NEW`, with the old and the new path of a photo or a folder.
@Suite struct NamedRelinkTests {
  private let place: Workplace
  private var relink: [String] {
    ["relink", place.path("photos/2023"), place.path("photos/Archive/2023")]
  }

  init() throws {
    place = try Workplace(["2023/a.jpg", "2023/b.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    let photo = place.path("photos/2023/a.jpg")
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=1"]).code == 0)
    #expect(try place.run().code == 0)
  }

  /// Moves the photos without their sidecars, and changes one.
  private func move() throws {
    let new = place.path("photos/Archive/2023")
    try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: place.path("photos/2023/a.jpg"), toPath: "\(new)/a.jpg")
    try FileManager.default.removeItem(atPath: place.path("photos/2023/b.jpg"))
    try place.addPhoto("Archive/2023/b.jpg", width: 50)
  }

  @Test func relinkGivesTheEditsBackToPhotosOfAMovedFolder() throws {
    try move()
    let before = try place.snapshot()
    let dry = try Command.run(relink + ["--dry-run"])
    #expect(dry.code == 0, "\(dry.messages)")
    #expect(dry.output.contains("Archive/2023/a.jpg: due (would get the edits of '2023/a.jpg')"))
    #expect(dry.output.contains("'2023/a.web.jpg' becomes 'Archive/2023/a.web.jpg'"))
    #expect(try place.snapshot() == before)
    let done = try Command.run(relink)
    #expect(done.code == 0, "\(done.messages)")
    #expect(done.messages.contains("'Archive/2023/b.jpg' has other content than '2023/b.jpg' had"))
    let files = ["a.jpg", "a.jpg.phbatch.json", "a.web.jpg", "b.jpg", "b.jpg.phbatch.json"]
    let names = try place.names()
    #expect(Set(names).isSuperset(of: files.map { "Archive/2023/\($0)" }))
    #expect(!names.contains { $0.hasPrefix("2023/") })
    #expect(try place.sidecar("Archive/2023/a.jpg").contains(#""exposure.stops": 1"#))
    #expect(
      try place.reasons().reasons
        == ["Archive/2023/a.jpg": "up-to-date", "Archive/2023/b.jpg": "rendered"])
  }

  /// `undo` moves sidecars and renditions back, and a second `undo` moves them to the new paths
  /// again.
  @Test func undoTakesBackARelinkAndRepeatsIt() throws {
    try move()
    let before = try place.snapshot().mapValues(\.bytes)
    #expect(try Command.run(relink).code == 0)
    let after = try place.snapshot().mapValues(\.bytes)
    for expected in [before, after] {
      let undo = try Command.run(["undo", place.library])
      #expect(undo.code == 0, "\(undo.messages)")
      let found = try place.snapshot().mapValues(\.bytes).filter { $0.value != nil }
      #expect(found == expected.filter { $0.value != nil })
    }
  }

  /// A relative old path is resolved against the working directory, although no file exists there.
  @Test func relinkAcceptsRelativePaths() throws {
    try move()
    let shell = ["sh", "-c", #"cd "$0" && exec "$@""#, place.path("")]
    let done = try Command.run(
      ["relink", "photos/2023/a.jpg", "photos/Archive/2023/a.jpg"], prefix: shell)
    #expect(done.code == 0, "\(done.messages)")
    #expect(try place.names().contains("Archive/2023/a.jpg.phbatch.json"))
  }

  /// If a folder was moved with its sidecars, its renditions in another tree are still at their old
  /// paths, and `relink` moves them.
  @Test func relinkMovesRenditionsInASeparateOutputFolder() throws {
    let place = try Workplace(["2023/a.jpg"])
    let path = #""path": "web/{folder}/{name}.jpg""#
    try place.recipe(output: #""name": "web", "format": "jpeg", \#(path)"#)
    #expect(try place.run().code == 0)
    try FileManager.default.moveItem(
      atPath: place.path("photos/2023"), toPath: place.path("photos/2024"))
    let relink = ["relink", place.path("photos/2023"), place.path("photos/2024")]
    let dry = try Command.run(relink + ["--dry-run"])
    #expect(dry.output.contains("'web/2023/a.jpg.jpg' becomes 'web/2024/a.jpg.jpg'"))
    #expect(try Command.run(relink).code == 0)
    #expect(
      try place.names().filter { $0.hasSuffix("g") || $0.hasSuffix("n") } == [
        "2024/a.jpg", "2024/a.jpg.phbatch.json", "web/2024/a.jpg.jpg",
      ])
    #expect(try place.reasons().reasons == ["2024/a.jpg": "up-to-date"])
  }

  @Test func relinkRefusesWrongPaths() throws {
    let present = try Command.run(["relink", place.path("photos/2023/a.jpg"), place.library])
    #expect(present.code == 66 && present.messages.contains("is still there"))
    try move()
    let before = try place.snapshot()
    let none = try Command.run(["relink", place.path("photos/2022"), relink[2]])
    #expect(none.code == 66 && none.messages.contains("there are no edits of '2022'"))
    #expect(try Command.run(["relink", relink[1], place.path("photos/none")]).code == 66)
    #expect(try Command.run(["relink", place.library, "--dry-run"]).code == 64)
    #expect(try place.snapshot() == before)
  }

  @Test func relinkRefusesAPartOfALibrary() throws {
    for name in ["2023", "2023/a.jpg"] {
      let result = try Command.run(["relink", place.path("photos/\(name)")])
      #expect(result.code == 66)
      #expect(result.messages.contains("\(name)' is only a part of a library"))
    }
  }

  /// The folder `.phbatch/` is missing before the first run, and in a fresh copy of a library.
  @Test func relinkNeedsTheLibraryOptionWhereNoRunWas() throws {
    try move()
    try FileManager.default.removeItem(atPath: place.path("photos/.phbatch"))
    let before = try place.folder.files()
    for command in [["relink", place.library], relink] {
      let refused = try Command.run(command)
      #expect(refused.code == 66)
      #expect(refused.messages.contains("is not in a library yet"))
      #expect(refused.messages.contains("hint: name the library's folder with --library"))
    }
    #expect(try place.folder.files() == before)

    let found = try Command.run(["relink", place.library, "--library", place.library])
    #expect(found.output.contains("2023/a.jpg: up-to-date (now has the edits of '2023/a.jpg'"))
    try FileManager.default.removeItem(atPath: place.path("photos/.phbatch"))
    let last = ["2023/b.jpg", "Archive/2023/b.jpg"].map { place.path("photos/\($0)") }
    #expect(try Command.run(["relink"] + last + ["--library", place.library]).code == 0)
    #expect(try place.names().contains("Archive/2023/b.jpg.phbatch.json"))
  }
}
