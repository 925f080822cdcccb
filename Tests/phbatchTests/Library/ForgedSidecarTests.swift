import Foundation
import TestSupport
import Testing

/// Sidecars whose renditions the ledger does not know: those of a copied library, or forged ones.
@Suite struct ForgedSidecarTests {
  private static let rooted =
    #""name": "web", "format": "jpeg", "metadata": "none", "path": "{root}/B/{stem}.jpg""#

  /// A library with the photos `A/b.jpg` and `B/b.jpg`, in which a sidecar records the second as a
  /// rendition of the first, with the right digest.
  private func forged() throws -> Workplace {
    let place = try Workplace(["A/b.jpg"])
    try place.recipe(output: Self.rooted)
    #expect(try place.run().code == 0)
    try FileManager.default.removeItem(atPath: place.path("photos/.phbatch"))
    return place
  }

  @Test func thePhotoOfAnotherFolderStays() throws {
    let place = try forged()
    let photo = try place.read("B/b.jpg")
    try place.recipe()
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("only the sidecar says that phbatch wrote it"), "\(result)")
    #expect(try place.read("B/b.jpg") == photo)
    #expect(try place.names().contains("A/b.web.jpg"))
    #expect(try Command.run(["revert", place.path("photos/A/b.jpg"), "--all"]).code == 0)
    #expect(try place.read("B/b.jpg") == photo)
  }

  /// A rendition that is replaced in a copy of a library can be restored.
  @Test func aReplacedFileGoesToTheTrash() throws {
    let place = try forged()
    let photo = try place.read("B/b.jpg")
    try place.recipe(stops: -1, output: Self.rooted)
    #expect(try place.reasons().reasons == ["A/b.jpg": "rendered"])
    #expect(try place.read("B/b.jpg") != photo)
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.read("B/b.jpg") == photo)
  }
}
