import Foundation
import SystemPackage
import TestSupport
import Testing

/// Libraries that earlier versions of phbatch wrote are up to date for this version; see
/// Tests/PhotoLibraryTests/Stored.
@Suite struct StoredLibraryTests {
  /// The outcome of each recipe for each photo of a library; for photos that are due, why they are.
  ///
  /// The filter `watermark` has got another revision since.
  static let outcomes: [(library: String, recipe: String, reason: String)] = [
    ("plain", "web", "up-to-date"), ("stack", "first", "up-to-date"),
    ("stack", "second", "up-to-date"), ("variants", "edit", "up-to-date"),
    ("variants", "web", "filter-revised"), ("variants", "dated", "up-to-date"),
    ("resumed", "edit", "up-to-date"), ("replaced", "new", "up-to-date"),
    ("undone", "edit", "up-to-date"), ("reverted", "edit", "reverted"),
    ("reverted", "web", "up-to-date"), ("adjusted", "edit", "up-to-date"),
    ("adopted", "edit", "up-to-date"), ("kept", "large", "up-to-date"), ("kept", "web", "reverted"),
    ("changed", "one", "up-to-date"), ("changed", "two", "original-replaced"),
    ("other-programs", "edit", "up-to-date"), ("names", "web", "up-to-date"),
  ]

  @Test(arguments: outcomes)
  func librariesOfEarlierVersionsAreUpToDate(
    _ library: String, _ recipe: String, _ reason: String
  ) throws {
    let stored = try StoredLibrary("0.1.0/\(library)")
    let result = try Command.run([
      "run", stored.folder["\(recipe).json"].string, stored.library.string, "--dry-run",
      "--format", "json",
    ])
    let photos = try result.events.filter { $0["event"] as? String == "asset-done" }
    #expect(!photos.isEmpty)
    for photo in photos {
      let stale = photo["why"] as? [[String: Any]] ?? []
      let why = stale.flatMap { $0["reasons"] as? [[String: Any]] ?? [] }
        .compactMap { $0["reason"] as? String }
      let found = photo["due"] as? Bool == true ? Set(why) : [photo["reason"] as? String ?? ""]
      #expect(found == [reason], "\(library), \(photo["file"] ?? "")")
    }
  }

  @Test func aSeparateOutputRootOfAnEarlierVersionIsUpToDate() throws {
    let stored = try StoredLibrary("0.1.0/mirror")
    try stored.folder.write(stored.library.string + "\n", to: "mirror/.phbatch/library")
    let result = try Command.run([
      "run", stored.folder["web.json"].string, stored.library.string, "--output",
      stored.folder["mirror"].string, "--check",
    ])
    #expect(result.code == 0, "\(result.output)\(result.messages)")
  }

  /// `verify` finds no problem, because the renditions that were changed by hand were adopted or
  /// kept.
  @Test(arguments: StoredLibrary.all.filter { !$0.hasSuffix("/interrupted") })
  func verifyFindsNoProblemInLibrariesOfEarlierVersions(_ name: String) throws {
    let stored = try StoredLibrary(name)
    let isMirror = name.hasSuffix("/mirror")
    if isMirror {
      try stored.folder.write(stored.library.string + "\n", to: "mirror/.phbatch/library")
    }
    let result = try Command.run(["verify", stored.folder[isMirror ? "mirror" : "library"].string])
    #expect(result.code == 0, "\(name): \(result.output)\(result.messages)")
  }
}
