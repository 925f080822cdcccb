import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// `phbatch verify` reports each kind of difference between the files and what the sidecars record.
@Suite struct VerifyTests {
  let place: Workplace

  init() throws {
    place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    let result = try place.run()
    #expect(result.code == 0)
  }

  /// The findings of `verify`, and its exit code.
  private func verify(_ folder: String? = nil) throws -> (findings: [String], code: Int32) {
    let result = try Command.run(["verify", folder ?? place.library, "--format", "json"])
    let events = try result.events
    #expect(events.last?["event"] as? String == "verify-end")
    #expect(events.last?["exit"] as? Int == Int(result.code))
    let findings = events.dropLast().map { "\($0["file"] ?? "") \($0["kind"] ?? "")" }
    return (findings, result.code)
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
  }

  @Test func verifyFindsNoProblemInAnUnchangedLibrary() throws {
    let before = try place.snapshot(below: "")
    #expect(try verify() == ([], 0))
    let text = try Command.run(["verify", place.library])
    #expect(text.output == "checked 2 sidecars, 2 originals and 2 renditions: all as recorded\n")
    #expect(try place.snapshot(below: "") == before)
  }

  @Test func verifyFindsNoProblemInAnEmptyLibrary() throws {
    let empty = try Workplace([])
    let result = try Command.run(["verify", empty.library])
    #expect(result.code == 0)
    #expect(!FileManager.default.fileExists(atPath: empty.path("photos/.phbatch")))
  }

  @Test func verifyReportsAChangedRendition() throws {
    var bytes = try place.read("a.web.jpg")
    bytes[bytes.count / 2] ^= 1
    try place.folder.write(bytes, to: "photos/a.web.jpg")
    #expect(try verify() == (["a.web.jpg modified"], 4))
  }

  @Test func verifyReportsAMissingRendition() throws {
    try remove("a.web.jpg")
    #expect(try verify() == (["a.web.jpg missing"], 3))
  }

  @Test func verifyReportsChangedAndMissingOriginals() throws {
    try place.addPhoto("a.jpg", width: 61, height: 40)
    try remove("b.jpg")
    #expect(try verify() == (["a.jpg original-changed", "b.jpg original-missing"], 4))
  }

  @Test func verifyReportsUnusableSidecars() throws {
    try place.edit("a.jpg") { String($0.dropLast(3)) }
    try place.edit("b.jpg") {
      $0.replacingOccurrences(of: "\"phbatch\": \"1.0\"", with: "\"phbatch\": \"2.0\"")
    }
    #expect(
      try verify() == (
        ["a.jpg.phbatch.json corrupt-sidecar", "b.jpg.phbatch.json newer-sidecar"], 4
      ))
  }

  @Test func aSidecarThatNamesAnotherPhotoIsReportedAsCorrupt() throws {
    try place.edit("a.jpg") { $0.replacingOccurrences(of: "a.web.jpg", with: "b.jpg") }
    #expect(try verify() == (["a.jpg.phbatch.json corrupt-sidecar"], 4))
  }

  @Test func verifyReportsTemporaryFilesAndTheNextRunRemovesThem() throws {
    let names = [
      ".phbatch-1-00ff.tmp", ".phbatch/.phbatch-1-00ff.tmp", ".phbatch/txn/00000001-00ff.tmp",
    ]
    for name in names { try place.folder.write("half", to: "photos/\(name)") }
    #expect(try verify() == (names.map { "\($0) leftover" }, 2))
    #expect(try place.run().code == 0)
    #expect(try verify() == ([], 0))
  }

  /// The files of a running command are neither leftovers nor an unfinished commit.
  @Test func verifyLeavesOutTheFilesOfARunningCommand() throws {
    for name in [".phbatch-1-00ff.tmp", ".phbatch/txn/1.commit"] {
      try place.folder.write("{}", to: "photos/\(name)")
    }
    do {
      let lock = try FileLock(place.path("photos/.phbatch/run.lock"), LOCK_EX)
      defer { withExtendedLifetime(lock) {} }
      #expect(try verify() == ([], 0))
    }
    #expect(try verify() == ([".phbatch unfinished", ".phbatch-1-00ff.tmp leftover"], 2))
  }

  @Test(.enabled(if: Unprivileged.isPossible)) func verifyNamesAnUnreadableFolder() throws {
    try place.addPhoto("closed/c.jpg")
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/closed"), 0) == 0)
    defer { chmod(place.path("photos/closed"), 0o755) }
    let result = try Command.run(["verify", place.library], prefix: Unprivileged.prefix)
    #expect(result.code == 3)
    #expect(result.lines.first?.hasPrefix("closed: unreadable (cannot open") == true)
  }

  @Test func verifyReportsAnUnfinishedCommitUntilTheNextRun() throws {
    try place.folder.write("{}", to: "photos/.phbatch/txn/1.commit")
    #expect(try verify() == ([".phbatch unfinished"], 2))
    #expect(try place.run("recipe", "--check").code == 2)
    chmod(place.path("photos/.phbatch/txn/1.commit"), 0o644)
    let run = try place.run()
    #expect(run.code == 70)
    #expect(run.messages.contains(".phbatch/txn/1.damaged"))
    #expect(try verify() == ([".phbatch/txn/1.damaged damaged-journal"], 70))
    #expect(try place.run().code == 0)
  }

  /// A commit has the seal of the machine that began it, which alone can complete it.
  @Test func theCommitOfAnotherMachineIsADamagedJournal() throws {
    let stored = try StoredLibrary("0.1.0/interrupted", withState: true)
    let (library, recipe) = (stored.library.string, stored.folder["edit.json"].string)
    let journal = ".phbatch/txn/00000001-654e23166da53f6f.commit"
    let sealed = URL(filePath: "\(library)/\(journal)")
    let text = try String(contentsOf: sealed, encoding: .utf8)
    try Data(text.replacing(#""seal":"6c"#, with: #""seal":"6d"#).utf8).write(to: sealed)
    #expect(try verify(library) == (["\(journal) damaged-journal", "a.one.png modified"], 70))
    let plan = stored.folder["edit.plan"].string
    for command in [
      ["run", recipe, library, "--check"], ["run", recipe, library, "--dry-run"],
      ["plan", recipe, library, "-o", plan], ["undo", library, "--list"],
      ["run", recipe, library], ["undo", library],
    ] {
      let result = try Command.run(command)
      #expect(result.code == 70, "\(command): \(result.messages)")
      #expect(result.messages.contains("'\(journal)' was written on another machine"))
      #expect(!result.messages.contains("by hand"), "\(result.messages)")
    }
    try FileManager.default.removeItem(atPath: "\(library)/\(journal)")
    #expect(try Command.run(["run", recipe, library, "--on-modified", "overwrite"]).code == 0)
    #expect(try verify(library) == ([], 0))
  }

  @Test func verifyReportsFilesThatAConflictMovedAside() throws {
    try place.folder.write("?", to: "photos/.phbatch/conflicts/trip/a.web.jpg")
    #expect(try verify() == ([".phbatch/conflicts/trip/a.web.jpg parked"], 4))
  }

  @Test func verifyAlsoChecksASeparateOutputFolder() throws {
    let library = try Workplace(["a.jpg"])
    try library.recipe()
    let output = library.path("out")
    #expect(try library.run("recipe", "--output", output).code == 0)
    #expect(try verify(output) == ([], 0))
    try library.addPhoto("a.jpg", width: 61, height: 40)
    try library.folder.write("x", to: "out/a.web.jpg")
    #expect(try verify(output) == (["a.jpg original-changed", "a.web.jpg modified"], 4))
  }

  @Test func verifyRefusesAMissingLibrary() throws {
    let result = try Command.run(["verify", place.path("none")])
    #expect(result.code == 66)
    #expect(result.messages.contains("there is no library"))
  }

  /// A path template with the photo's folder gives another path after the folder was renamed.
  @Test func verifyReportsTheRenditionsOfARenamedFolderAsMissing() throws {
    let library = try Workplace(["trip/a.jpg"])
    try library.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{root}/web/{folder}/{stem}.{ext}""#)
    #expect(try library.run().code == 0)
    try FileManager.default.moveItem(
      atPath: library.path("photos/trip"), toPath: library.path("photos/tour"))
    let found = try verify(library.library)
    #expect(found.findings.contains("web/tour/a.jpg missing"), "\(found.findings)")
    #expect(found.code == 3)
    #expect(try Command.run(["status", library.library]).code == 3)
  }

  /// If the user renamed the folder of the renditions too, the file exists; the next run renders it
  /// again, because the sidecar records the old path.
  @Test func verifyFindsRenditionsWhoseFolderWasRenamedToo() throws {
    let library = try Workplace(["trip/a.jpg"])
    try library.recipe(
      output: #""name": "web", "format": "jpeg", "path": "{root}/web/{folder}/{stem}.{ext}""#)
    #expect(try library.run().code == 0)
    for folder in ["photos", "photos/web"] {
      try FileManager.default.moveItem(
        atPath: library.path("\(folder)/trip"), toPath: library.path("\(folder)/tour"))
    }
    let found = try verify(library.library)
    #expect(found.findings.contains("web/tour/a.jpg stale"), "\(found.findings)")
    #expect(!found.findings.contains("web/tour/a.jpg missing") && found.code == 2)
    #expect(try library.run("recipe", "--check").code == 2)
    #expect(try library.run().code == 0)
    #expect(try verify(library.library) == ([], 0))
  }

  @Test func verifyCountsOneFileInTheSingular() throws {
    for name in ["a.web.jpg", "b.jpg.phbatch.json", "b.web.jpg"] { try remove(name) }
    let text = try Command.run(["verify", place.library])
    #expect(text.lines.last == "checked 1 sidecar, 1 original and 1 rendition: 1 finding")
  }

  @Test func theSchemaOfEventsContainsTheEventsOfVerify() throws {
    try remove("a.web.jpg")
    let schema = try JSONSerialization.jsonObject(
      with: Data(Command.run(["schema", "--events"]).output.utf8))
    let properties = (schema as? [String: Any])?["properties"] as? [String: [String: Any]]
    let known = try #require(properties?["event"]?["enum"] as? [String])
    let events = try Command.run(["verify", place.library, "--format", "json"]).events
    #expect(events.map { $0["seq"] as? Int } == [1, 2])
    for event in events {
      #expect(known.contains(event["event"] as? String ?? ""))
      #expect(event["time"] is String)
    }
  }
}
