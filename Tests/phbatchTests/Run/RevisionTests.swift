import Foundation
import TestSupport
import Testing

/// `run --since`: the files that git lists as changed, and the photos to which they belong.
@Suite struct RevisionTests {
  /// A work tree that contains a committed library, including its renditions and sidecars.
  private struct Repository {
    let place: Workplace

    init(_ photos: [String]) throws {
      place = try Workplace(photos)
      try place.recipe()
      try git("init", "-q", "-b", "main")
      try git("config", "user.email", "a@example.org")
      try git("config", "user.name", "A")
      #expect(try place.run().code == 0)
      try commit()
    }

    @discardableResult
    func git(_ arguments: String...) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["git", "-C", place.path("")] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self)
    }

    func commit() throws {
      try git("add", "-A")
      try git("commit", "-q", "-m", "x", "--allow-empty")
    }

    /// The photos that a run processes, with their reasons.
    func seen(since revision: String = "HEAD") throws -> [String: String] {
      try place.reasons("recipe", "--since", revision).reasons
    }
  }

  @Test func aRunSinceARevisionChecksOnlyChangedPhotos() throws {
    let repository = try Repository(["a.jpg", "b.jpg", "trip/c.jpg"])
    let place = repository.place
    #expect(try repository.seen() == [:])
    try place.addPhoto("b.jpg", width: 50)
    try place.addPhoto("trip/new one.jpg")
    #expect(try repository.seen() == ["b.jpg": "rendered", "trip/new one.jpg": "rendered"])
    try repository.commit()
    #expect(try repository.seen() == [:])
    #expect(
      try repository.seen(since: "HEAD~1")
        == ["b.jpg": "up-to-date", "trip/new one.jpg": "up-to-date"])
  }

  @Test func aChangedSidecarRenditionOrCompanionSelectsItsPhoto() throws {
    let repository = try Repository(["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
    let place = repository.place
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg.phbatch.json"))
    try FileManager.default.removeItem(atPath: place.path("photos/a.web.jpg"))
    try FileManager.default.removeItem(atPath: place.path("photos/b.web.jpg"))
    try place.folder.write("mine", to: "photos/c.web.jpg")
    try place.folder.write("<x/>", to: "photos/D.XMP")
    let seen = try repository.seen()
    #expect(seen["a.jpg"] == "rendered")
    #expect(seen["b.jpg"] == "rendered")
    #expect(seen["c.jpg"] == "modified")
    #expect(seen["d.jpg"] == "up-to-date")
    #expect(seen["e.jpg"] == nil)
  }

  @Test func renamedAndRemovedPhotosAreFoundSinceARevision() throws {
    let repository = try Repository(["a.jpg", "b.jpg", "c.jpg"])
    try repository.git("mv", "photos/a.jpg", "photos/moved.jpg")
    try FileManager.default.removeItem(atPath: repository.place.path("photos/b.jpg"))
    let (seen, code) = try repository.place.reasons("recipe", "--since", "HEAD", "--check")
    #expect(
      seen == ["moved.jpg": "due", "a.jpg": "original-missing", "b.jpg": "original-missing"])
    #expect(code == 4)
  }

  /// With `--since`, a missing photo is reported, as in other runs; a photo that was removed
  /// together with its sidecar is not reported.
  @Test func aRunSinceARevisionReportsAMissingPhoto() throws {
    let repository = try Repository(["a.jpg", "b.jpg", "c.jpg"])
    try repository.git("rm", "-q", "photos/b.jpg")
    let missed = try repository.place.reasons("recipe", "--since", "HEAD", "--check")
    #expect(missed.reasons == ["b.jpg": "original-missing"])
    #expect(missed.code == 4)
    #expect(try repository.place.run("recipe", "--check").code == 4)
    try repository.git("rm", "-q", "photos/b.jpg.phbatch.json", "photos/b.web.jpg")
    let gone = try repository.place.reasons("recipe", "--since", "HEAD", "--check")
    #expect(gone.reasons == [:])
    #expect(gone.code == 0)
    // A photo that an earlier commit removed is not reported.
    try repository.commit()
    try repository.git("rm", "-q", "photos/c.jpg")
    try repository.commit()
    try repository.place.addPhoto("a.jpg", width: 50)
    #expect(try repository.seen() == ["a.jpg": "rendered"])
  }

  /// The command line for lists of changed files from the manual works in its exact form, and in
  /// the variations that people write.
  @Test func listsOfChangedFilesFromGitAreRead() throws {
    let repository = try Repository(["a.jpg", "b.jpg", "c.jpg"])
    let place = repository.place
    try place.folder.write("about", to: "README.md")
    try repository.commit()
    try place.folder.write("about photos", to: "README.md")
    try place.addPhoto("a.jpg", width: 50)
    try repository.git("rm", "-q", "photos/b.jpg")
    func seen(_ list: String) throws -> (reasons: [String: String], code: Int32) {
      let result = try Command.run(
        [
          "run", "recipe.json", "photos", "--files-from", "-", "--null", "--check", "--format",
          "json",
        ], input: list, prefix: ["env", "-C", place.path("")])
      return (try result.reasons, result.code)
    }
    let short = try seen(
      repository.git(
        "diff", "--name-only", "-z", "--diff-filter=d", "--relative=photos", "HEAD"))
    #expect(short.reasons == ["a.jpg": "due"])
    #expect(short.code == 2)
    let long = try seen(repository.git("diff", "--name-only", "-z", "HEAD"))
    #expect(long.reasons == ["a.jpg": "due", "b.jpg": "original-missing"])
    #expect(long.code == 4)
  }

  @Test func changedFilesWithUnusualNamesAreReadFromGit() throws {
    let names = ["new\nline.jpg", "quo\"te.jpg", "ta\tb.jpg", " space .jpg", "-dash.jpg", "ü.jpg"]
    let repository = try Repository(["a.jpg"])
    for name in names { try repository.place.addPhoto(name) }
    let seen = try repository.seen()
    #expect(seen == Dictionary(uniqueKeysWithValues: names.map { ($0, "rendered") }))
  }

  @Test func aRunSinceARevisionChecksAllPhotosIfTheRecipeChanged() throws {
    let repository = try Repository(["a.jpg", "b.jpg"])
    try repository.place.recipe(stops: 1)
    let result = try repository.place.run("recipe", "--since", "HEAD")
    #expect(result.output.hasPrefix("2 rendered"))
    #expect(result.messages.contains("the recipe changed since 'HEAD'"))
  }

  @Test func aBranchIsComparedWithTheMergeBase() throws {
    let repository = try Repository(["a.jpg", "b.jpg"])
    try repository.git("checkout", "-q", "-b", "topic")
    try repository.git("checkout", "-q", "main")
    try repository.place.addPhoto("a.jpg", width: 50)
    try repository.commit()
    try repository.git("checkout", "-q", "topic")
    try repository.place.addPhoto("b.jpg", width: 50)
    #expect(try repository.seen(since: "main") == ["b.jpg": "rendered"])
  }

  @Test func revisionsAreReadInsideAGitHook() throws {
    let repository = try Repository(["a.jpg"])
    try repository.place.addPhoto("b.jpg")
    let result = try repository.place.run(
      "recipe", "--since", "HEAD", "--format", "json",
      environment: ["GIT_DIR": ".git", "GIT_INDEX_FILE": "/nowhere"])
    #expect(try result.reasons == ["b.jpg": "rendered"])
  }

  @Test(arguments: ["nothing", "--output=x", "-1", "HEAD:photos", "a b"])
  func anUnknownRevisionIsRefused(_ revision: String) throws {
    let repository = try Repository(["a.jpg"])
    let result = try repository.place.run("recipe", "--since=\(revision)")
    #expect(result.code == 66)
    #expect(result.messages.contains("not know the revision '\(revision)'"))
  }

  @Test func aRunSinceARevisionReportsAMissingWorkTreeOrGit() throws {
    let place = try Workplace()
    try place.recipe()
    let outside = try place.run("recipe", "--since", "HEAD")
    #expect(outside.code == 66)
    #expect(outside.messages.contains("is not in a git work tree"))
    let without = try place.run("recipe", "--since", "HEAD", environment: ["PATH": "/nowhere"])
    #expect(without.code == 66)
    #expect(without.messages.contains("git, which --since needs, is not installed"))
    let both = try place.run("recipe", "--since", "HEAD", "--files-from", "x")
    #expect(both.code == 64)
  }
}
