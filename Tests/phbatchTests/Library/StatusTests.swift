import Foundation
import Glibc
import TestSupport
import Testing

/// `status` and `verify` agree on what is wrong with a library.
@Suite struct StatusTests {
  private static let changes: [(name: String, code: Int32, reason: String)] = [
    ("nothing", 0, "as written"), ("rendition removed", 3, "a rendition is missing"),
    ("rendition changed", 4, "a rendition was changed by hand"),
    ("original replaced", 4, "original-changed"), ("original removed", 4, "original-missing"),
  ]

  @Test(arguments: changes.map(\.name))
  func statusAndVerifyReportTheSameProblems(_ name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name })
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    switch name {
    case "rendition removed":
      try FileManager.default.removeItem(atPath: place.path("photos/a.web.jpg"))
    case "rendition changed": try place.folder.write([1], to: "photos/a.web.jpg")
    case "original replaced": try place.addPhoto("a.jpg", width: 30)
    case "original removed":
      try FileManager.default.removeItem(atPath: place.path("photos/a.jpg"))
    default: break
    }
    #expect(try Command.run(["verify", place.library]).code == change.code)
    let status = try Command.run(["status", place.library])
    #expect(status.code == change.code)
    #expect(status.output.contains(change.reason), "\(status.output)")
  }

  @Test(
    .enabled(if: Unprivileged.isPossible),
    arguments: [
      ["status"], ["status", "--recipe"], ["history"], ["adjust", "--list"], ["prune"], ["relink"],
    ])
  func commandsWarnOfFoldersThatTheyCannotRead(_ words: [String]) throws {
    let place = try Workplace(["a.jpg", "closed/b.jpg"])
    let recipe = try place.recipe()
    _ = try place.run()
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/closed"), 0) == 0)
    defer { chmod(place.path("photos/closed"), 0o755) }
    let result = try Command.run(
      words + (words.last == "--recipe" ? [recipe] : []) + [place.library],
      prefix: Unprivileged.prefix)
    #expect(result.code == 77, "\(result.messages)")
    #expect(result.messages.contains("warning: cannot open 'closed'"), "\(result.messages)")
    let isEdit = ["prune", "relink"].contains(words[0])
    let expected = isEdit ? "nothing to \(words[0])" : "a.jpg"
    #expect(result.output.contains(expected), "\(result.output)")
  }

  /// A changed original is also detected if its size is the same.
  @Test func aChangedOriginalOfTheSameSizeIsDetected() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    var bytes = try place.read("a.jpg")
    bytes[bytes.count - 3] ^= 1
    try place.folder.write(bytes, to: "photos/a.jpg")
    let status = try Command.run(["status", place.library])
    #expect(status.code == 4)
    #expect(status.output.contains("a.jpg: original-changed"))
  }
}
