import Foundation
import TestSupport
import Testing

/// A run over a folder of a library makes this folder a separate library; runs over the inner and
/// the outer library warn about it.
@Suite struct NestedLibraryTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["a.jpg", "trip/b.jpg"])
    try place.recipe()
    _ = try place.run()
  }

  private func run(_ folder: String, _ more: String...) throws -> CommandResult {
    try Command.run(["run", place.path("recipe.json"), place.path(folder)] + more)
  }

  @Test func runsOverNestedLibrariesWarn() throws {
    let dry = try run("photos/trip", "--dry-run")
    #expect(dry.messages.contains("is inside the library"))
    let inner = try run("photos/trip")
    #expect(inner.code == 0)
    #expect(inner.messages.contains("'\(place.path("photos/trip"))' is inside the library"))
    #expect(inner.messages.contains("--library \(place.library)"))
    #expect(try !run("photos/trip").messages.contains("lies in"))
    for _ in 0..<2 {
      let outer = try run("photos")
      #expect(outer.messages.contains("'trip' is a library of its own"))
      #expect(outer.messages.contains("remove 'trip/.phbatch'"))
    }
    // An ignored folder is not part of the library, so there is no warning.
    try place.folder.write("trip\n", to: "photos/.phbatchignore")
    #expect(try !run("photos").messages.contains("of its own"))
    try FileManager.default.removeItem(atPath: place.path("photos/trip/.phbatch"))
    #expect(try !run("photos/trip").messages.contains("lies in"))
  }

  /// The output folder of a library is not treated as a separate library.
  @Test func anOutputFolderIsNotReportedAsANestedLibrary() throws {
    #expect(try run("photos", "--output", place.path("photos/public")).code == 0)
    #expect(try !run("photos").messages.contains("of its own"))
  }

  @Test func aRunCanBeLimitedToOneFolderOfALibrary() throws {
    try place.recipe(stops: 1)
    let only = try run("photos/trip", "--library", place.library, "--format", "json")
    #expect(try only.reasons == ["trip/b.jpg": "rendered"])
    #expect(!FileManager.default.fileExists(atPath: place.path("photos/trip/.phbatch")))
    #expect(try place.reasons().reasons["a.jpg"] == "rendered")
    let outside = try run("", "--library", place.library)
    #expect(outside.code == 66)
    #expect(outside.messages.contains("is not in '"))
    #expect(try run("photos", "--library", place.library, "--since", "HEAD").code == 64)
  }
}
