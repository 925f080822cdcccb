import Glibc
import TestSupport
import Testing

/// Commands that edit or list photos while a folder of the library cannot be read.
@Suite(.enabled(if: Unprivileged.isPossible)) struct UnreadableFolderTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["c.jpg", "closed/b.jpg", "open/a.jpg"])
    try place.recipe()
    try Unprivileged.open(place)
    #expect(try place.run(prefix: Unprivileged.prefix).code == 0)
  }

  /// Executes a command while the folder `closed` has these permissions.
  private func command(
    _ words: [String], _ permissions: mode_t = 0
  ) throws -> CommandResult {
    #expect(chmod(place.path("photos/closed"), permissions) == 0)
    defer { chmod(place.path("photos/closed"), 0o755) }
    return try Command.run(words, prefix: Unprivileged.prefix)
  }

  /// With the last permissions the files can be opened, but not listed.
  @Test(arguments: [0, 0o644, 0o311] as [mode_t])
  func undoReportsPhotosThatItCannotReach(_ permissions: mode_t) throws {
    let before = try place.snapshot()
    let undo = try command(["undo", place.library], permissions)
    #expect(undo.code == 77)
    #expect(undo.messages.contains("closed/b.jpg: unreadable (cannot "), "\(undo.messages)")
    #expect(undo.messages.contains("hint: 'phbatch undo --skip'"), "\(undo.messages)")
    #expect(try place.snapshot() == before)
    let list = try command(["undo", place.library, "--list"], permissions)
    #expect(list.code == 77)
    #expect(list.messages.contains("closed/b.jpg: unreadable"), "\(list.messages)")
    #expect(list.output.contains("open/a.jpg: due"), "\(list.output)")
    let skipped = try command(["undo", place.library, "--skip"], permissions)
    #expect(skipped.code == 77)
    #expect(skipped.messages.contains("hint: check the permissions"), "\(skipped.messages)")
    #expect(skipped.output.contains("open/a.jpg: reverted"), "\(skipped.output)")
    #expect(try place.names().contains("closed/b.web.jpg"))
  }

  @Test func undoIsNotConcernedByPhotosThatTheCommandDidNotChange() throws {
    let photo = place.path("photos/open/a.jpg")
    #expect(
      try command(["adjust", photo, "--variant", "web", "--set", "exposure.stops=1"]).code == 0)
    let undo = try command(["undo", place.library])
    #expect(undo.code == 0, "\(undo.messages)")
    #expect(undo.output.contains("open/a.jpg: restored"), "\(undo.output)")
  }

  @Test(arguments: [["adjust", "--set", "exposure.stops=1"], ["revert"], ["undo"]])
  func namedPhotosOfOtherFoldersAreEdited(_ words: [String]) throws {
    let before = try place.snapshot()
    let result = try command(
      [words[0], place.path("photos/open/a.jpg")] + words.dropFirst())
    #expect(result.code == 0, "\(result.messages)")
    #expect(!result.messages.contains("closed"), "\(result.messages)")
    #expect(try place.snapshot() != before)
  }

  @Test(arguments: [["adjust", "--list"], ["history"], ["status"]])
  func listsOfOtherFoldersDoNotWarn(_ words: [String]) throws {
    let list = try command(words + [place.path("photos/open"), "--library", place.library])
    #expect(list.code == 0, "\(list.messages)")
    #expect(list.output.contains("open/a.jpg"), "\(list.output)")
    #expect(!list.messages.contains("closed"), "\(list.messages)")
  }
}
