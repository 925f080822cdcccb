import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct BadInputTests {
  @Test func aRunRefusesAMissingLibrary() throws {
    let place = try Workplace([])
    let recipe = try place.recipe()
    let result = try Command.run(["run", recipe, place.path("none")])
    #expect(result.code == 66)
    #expect(result.messages.contains("there is no library or photo '"))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["run", "status"])
  func aSingleMissingPhotoIsNotCalledALibrary(_ command: String) throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    #expect(try place.run().code == 0)
    let path = place.path("photos/none.jpg")
    let result = try Command.run([command] + (command == "run" ? [recipe] : []) + [path])
    #expect(result.code == 66)
    #expect(
      result.messages == """
        Error: there is no library or photo '\(path)'
          hint: give the path of a folder of photos, or of photos in it

        """)
  }

  @Test func theFolderOfTheOutputFolderMustExist() throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run("recipe", "--output", place.path("none/web"))
    #expect(result.code == 73)
    #expect(
      result.messages.hasSuffix("\n  hint: create the folder that contains it first\n"),
      "\(result.messages)")
  }

  @Test func aRunRefusesAFileInPlaceOfALibrary() throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    let result = try Command.run(["run", recipe, place.path("photos/a.jpg")])
    #expect(result.code == 66)
    #expect(result.messages.contains("is not in a library yet"))
    #expect(try place.names() == ["a.jpg"])
  }

  @Test func aRunOverAnEmptyLibrarySucceedsWithAMessage() throws {
    let place = try Workplace([])
    try place.recipe()
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.output == "no photos: the folder is empty\n")
    #expect(result.messages == "")
  }

  @Test func aRunReportsAMissingRecipe() throws {
    let place = try Workplace()
    let result = try place.run("none")
    #expect(result.code == 66)
    #expect(result.messages.contains("none.json"))
    #expect(try place.names() == ["a.jpg"])
  }

  @Test(arguments: [
    "", "{", "\u{FEFF}{}", "[]", "null", #"{"identifier": "x", "identifier": "y"}"#,
    #"{"identifier": NaN}"#, "not json at all", "{\"identifier\": \"\u{0}\"}",
  ])
  func anInvalidRecipeIsReportedBeforeTheLibraryIsRead(_ text: String) throws {
    let place = try Workplace()
    try place.folder.write(text, to: "recipe.json")
    let result = try place.run()
    #expect(result.code == 65)
    #expect(result.messages.contains("recipe.json:1:"))
    #expect(try place.folder.files() == ["photos/a.jpg", "recipe.json"])
  }

  /// Each file fails or is skipped for its own reason, and the valid photo is rendered.
  @Test func eachBadFileFailsAloneAndLeavesNoFiles() throws {
    let place = try Workplace(["good.jpg", "way below/in folders/good.jpg"])
    try place.recipe()
    let whole = try SyntheticPhoto.jpeg(width: 300, height: 200)
    try place.folder.write([], to: "photos/empty.jpg")
    try place.folder.write(Array(whole.prefix(whole.count / 2)), to: "photos/cut.jpg")
    try place.folder.write("hello", to: "photos/text.jpg")
    try place.folder.write("hello", to: "photos/notes.txt")
    try place.folder.write("%PDF-1.7", to: "photos/page.pdf")
    try place.folder.write(try SyntheticPhoto.png(), to: "photos/really-a-png.jpg")
    try place.folder.write(try SyntheticPhoto.jpeg(), to: "photos/no extension")
    try place.addPhoto("folder.jpg/inside.jpg")
    #expect(mkfifo(place.path("photos/fifo.jpg"), 0o600) == 0)
    #expect(symlink("good.jpg", place.path("photos/link.jpg")) == 0)
    #expect(chmod(place.path("photos/good.jpg"), 0o444) == 0)
    let before = try place.snapshot()

    let (reasons, code) = try place.reasons()
    #expect(code == 3)
    #expect(
      reasons == [
        "good.jpg": "rendered", "way below/in folders/good.jpg": "rendered",
        "folder.jpg/inside.jpg": "rendered", "really-a-png.jpg": "rendered",
        "no extension": "rendered", "empty.jpg": "unreadable", "text.jpg": "unreadable",
        "cut.jpg": "truncated", "page.pdf": "unsupported-format",
      ])
    let after = try place.snapshot()
    #expect(
      before.allSatisfy { name, facts in
        facts.mode & S_IFMT == S_IFDIR || after[name] == facts
      })
    #expect(try place.leftovers() == [])
    #expect(after["cut.jpg.phbatch.json"] == nil && after["cut.web.jpg"] == nil)
  }

  @Test func aRunReportsThatItCannotWriteTemporaryFiles() throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run(environment: ["TMPDIR": "/nowhere/at/all"])
    #expect(result.code == 73)
    #expect(result.messages.contains("temporary files cannot be written to '/nowhere/at/all'"))
  }

  /// A run waits for a lock only as long as `--wait` states, at any position of the option.
  ///
  /// Without a correction, ArgumentParser would lose the value of an option that precedes another
  /// option.
  @Test(arguments: [["--wait=0", "--quiet"], ["--wait=1"], ["--wait", "1", "--quiet"]])
  func aRunWaitsForALockOnlyAsLongAsWaitStates(_ options: [String]) throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    #expect(try place.run().code == 0)
    let lock = open(place.path("photos/.phbatch/run.lock"), O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    defer { close(lock) }
    #expect(try Command.run(["run", recipe, place.library] + options).code == 75)
  }

  @Test func photosWithNamesOfAnyBytesAreRendered() throws {
    let place = try Workplace([])
    try place.recipe()
    let jpeg = try SyntheticPhoto.jpeg(width: 30, height: 20)
    let names: [[UInt8]] = [
      Array("with space.jpg".utf8), Array("line\nbreak.jpg".utf8),
      [0x62, 0xFF, 0xFE] + Array(".jpg".utf8), Array("-dash.jpg".utf8), Array("ü.jpg".utf8),
      [UInt8](repeating: 0x6C, count: 230) + Array(".jpg".utf8),
      [UInt8](repeating: 0x78, count: 251) + Array(".jpg".utf8),
    ]
    for name in names {
      let path =
        Array(place.library.utf8CString.dropLast()) + [0x2F] + name.map(CChar.init(bitPattern:)) + [
          0
        ]
      let file = try #require(fopen(path, "w"))
      fwrite(jpeg, 1, jpeg.count, file)
      fclose(file)
    }
    let result = try place.run("recipe", "--format", "json")
    #expect(result.code == 3)
    let reasons = try result.reasons
    #expect(reasons.count == names.count)
    #expect(reasons.filter { $0.value != "rendered" }.map(\.value) == ["name-too-long"])
    let odd = try result.events.first { ($0["fileBytes"] as? String) != nil }
    #expect(
      odd?["fileBytes"] as? String
        == Data([0x62, 0xFF, 0xFE] + Array(".jpg".utf8)).base64EncodedString())
    let second = try place.run("recipe", "--format", "json")
    #expect(try second.reasons.values.filter { $0 == "up-to-date" }.count == names.count - 1)
    // A line break in a name never starts a new line of output.
    #expect(
      try place.run("recipe", "--dry-run").lines.allSatisfy {
        $0.contains(": ") || $0.contains("up-to-date")
      })
  }

  /// In a folder with the second permissions, the names can be read, but not the files' status.
  @Test(.enabled(if: Unprivileged.isPossible), arguments: [0, 0o644] as [mode_t])
  func anUnreadableFolderIsReportedAndOtherPhotosAreRendered(_ permissions: mode_t) throws {
    let place = try Workplace(["a.jpg", "closed/b.jpg"])
    try place.recipe()
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/closed"), permissions) == 0)
    defer { chmod(place.path("photos/closed"), 0o755) }
    let result = try place.run(prefix: Unprivileged.prefix)
    #expect(result.code == 77)
    #expect(result.messages.contains("closed"))
    #expect(result.output.hasPrefix("1 rendered"))
  }

  @Test(.enabled(if: Unprivileged.isPossible))
  func aPhotoThatMayNotBeReadFailsLikeOthers() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/b.jpg"), 0) == 0)
    let result = try place.run(prefix: Unprivileged.prefix)
    #expect(result.code == 3, "\(result.messages)")
    #expect(result.messages.contains("b.jpg: unreadable (cannot open 'b.jpg': Permission denied)"))
    #expect(result.output.hasPrefix("1 rendered"), "\(result.output)")
  }

  @Test(.enabled(if: Unprivileged.isPossible))
  func aReadOnlyLibraryIsRenderedOnlyToAnOutputFolder() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    try Unprivileged.open(place)
    #expect(chmod(place.library, 0o555) == 0)
    defer { chmod(place.library, 0o755) }
    let refused = try place.run(prefix: Unprivileged.prefix)
    #expect(refused.code == 77)
    #expect(refused.messages.contains("cannot create '.phbatch'"))
    let mirror = place.path("mirror")
    let result = try place.run("recipe", "--output", mirror, prefix: Unprivileged.prefix)
    #expect(result.code == 0)
    #expect(try place.names() == ["a.jpg"])
    #expect(FileManager.default.fileExists(atPath: "\(mirror)/a.web.jpg"))
    #expect(FileManager.default.fileExists(atPath: "\(mirror)/a.jpg.phbatch.json"))
  }

  @Test(.enabled(if: Corpus.isHere)) func everyBrokenFileOfTheCorpusIsReportedWithAReason() throws {
    let place = try Workplace(["good.jpg"])
    try place.recipe()
    let corpus = try #require(Corpus.folder)
    try FileManager.default.copyItem(
      atPath: "\(corpus)/broken", toPath: place.path("photos/broken"))
    let before = try place.snapshot()
    let (reasons, code) = try place.reasons("recipe", "--timeout", "300")
    #expect(code == 3)
    #expect(reasons["good.jpg"] == "rendered")
    // The decoder of libvips 8.14 crashes on these palettes.
    for name in ["libvips/issue412.jp2", "openjpeg/issue235.jp2", "openjpeg/issue254.jp2"] {
      #expect(reasons["broken/\(name)"] == "rendered")
    }
    let after = try place.snapshot()
    #expect(before.allSatisfy { $1.mode & S_IFMT == S_IFDIR || after[$0] == $1 })
    #expect(try place.leftovers() == [])
  }

  @Test func aRecipeAbove1MiBIsRefusedWithTheLimit() throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    let text = try place.folder.read("recipe.json")
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) - text.count)
    try place.folder.write(text + spaces, to: "recipe.json")
    #expect(try Command.run(["validate", recipe]).code == 0)
    try place.folder.write(text + spaces + [UInt8(ascii: " ")], to: "recipe.json")
    try place.folder.write(#"{ "extends": "recipe.json" }"#, to: "base.json")
    for name in ["recipe", "base"] {
      let result = try place.run(name)
      #expect(result.code == 65, "\(name)")
      #expect(result.messages.contains("recipe.json' has more than 1 MiB"), "\(name)")
      #expect(result.messages.contains("hint: move a part of it into another recipe"), "\(name)")
    }
    #expect(try place.run("base").messages.contains("base.json:1:14: error: the recipe"))
    #expect(try place.names() == ["a.jpg"])
  }
}
