import Foundation
import TestSupport
import Testing

/// `run --atomic`, which changes all photos or none, with more staged files than a process may have
/// open.
@Suite struct AtomicTests {
  private static let photos = 60
  /// The words in front of the command that limit its open files to 100, which is less than the
  /// number of staged files.
  ///
  /// Each worker also has some files open, so tests set the number of workers.
  private static let fewFiles = ["bash", "-c", "ulimit -n 100; exec \"$@\"", "bash"]

  private static func place() throws -> Workplace {
    let place = try Workplace((0..<photos).map { "\($0).jpg" })
    try place.folder.write(
      """
      {"identifier": "org.example.sizes", "version": "1.0.0", "variant": "web",
       "filters": [ { "filter": "exposure", "stops": 0.5 } ],
       "outputs": [
         {"name": "large", "format": "jpeg"},
         {"name": "small", "format": "jpeg", "filters": [{"filter": "resize", "longEdge": 20}]}]}
      """, to: "recipe.json")
    return place
  }

  @Test func anAtomicRunKeepsItsWaitingFilesClosed() throws {
    let place = try Self.place()
    let before = try place.snapshot()
    let run = try place.run("recipe", "--atomic", "--jobs", "2", prefix: Self.fewFiles)
    #expect(run.code == 0, "\(run.messages)")
    #expect(try place.names().count == 4 * Self.photos)
    let revert = try Command.run(
      ["revert", place.library, "--variant", "web"], prefix: Self.fewFiles)
    #expect(revert.code == 0, "\(revert.messages)")
    let undo = try Command.run(["undo", place.library], prefix: Self.fewFiles)
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(try place.names().count == 4 * Self.photos)
    #expect(try place.leftovers() == [])
    #expect(try place.snapshot().filter { before[$0.key] != nil } == before)
  }

  /// The last photo cannot be read, so no other photo is published.
  @Test func oneFailedPhotoOfAnAtomicRunPreventsAllChanges() throws {
    let place = try Self.place()
    try place.folder.write([0xFF, 0xD8, 0xFF], to: "photos/z.jpg")
    let before = try place.snapshot()
    let run = try place.run("recipe", "--atomic", "--jobs", "2", prefix: Self.fewFiles)
    #expect(run.code == 3, "\(run.messages)")
    #expect(try place.snapshot() == before)
  }

  @Test func anAtomicRunThatPublishesNothingWritesNoManifest() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      output: #""name": "set", "kind": "webSet", "widths": [30], "formats": ["jpeg"]"#)
    try place.folder.write([0xFF, 0xD8, 0xFF], to: "photos/z.jpg")
    #expect(try place.run("recipe", "--atomic").code == 3)
    #expect(try place.names() == ["a.jpg", "z.jpg"])
    try FileManager.default.removeItem(atPath: place.path("photos/z.jpg"))
    #expect(try place.run("recipe", "--atomic").code == 0)
    #expect(try place.names().contains("set.json"))
  }
}
