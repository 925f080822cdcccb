import Foundation
import Glibc
import TestSupport
import Testing

/// Sidecars that the user, another program or an attacker may have changed.
@Suite struct SidecarFileTests {
  @Test func unknownSidecarKeysAreKeptWhenTheSidecarIsWritten() throws {
    let place = try Workplace()
    try place.recipe(stops: 0.1)
    _ = try place.run()
    let marks = [
      #""adjustments": ["#: #""xTop": { "n": 1.50, "e": 1e3, "z": -0, "t": "\u00e9" },"#,
      #""output": "web""#: #""xRendition": [1.50, 1e3, null],"#,
      #""phbatch": ""#: #""xBefore": 12345678901234567890,"#,
      #""formatVersion": ""#: #""xAdjustment": 0.10,"#,
    ]
    try place.edit("a.jpg") { text in
      marks.reduce(text) { $0.replacing($1.key, with: "\($1.value) \($1.key)") }
    }
    for round in 0..<4 {
      try place.recipe(stops: Double(round) + 0.2)
      #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    }
    let text = try place.sidecar("a.jpg")
    for number in ["1.50", "1e3", "-0", "12345678901234567890", "0.10", "xTop", "xBefore"] {
      #expect(text.contains(number), "\(number)")
    }
    #expect(text.contains("xAdjustment"))
  }

  /// Commands print names from a sidecar without control characters, which a terminal would
  /// execute.
  @Test func namesFromASidecarArePrintedWithoutControlCharacters() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.edit("a.jpg") {
      $0.replacing(#""file": "a.web.jpg""#, with: #""file": "a\u001b[31m\n.jpg""#)
    }
    for command in ["status", "history"] {
      let text = try Command.run([command, place.library]).output
      #expect(!text.contains("\u{1b}"), "\(command)")
      #expect(text.contains(#"a\u{1B}[31m\n.jpg"#), "\(text)")
    }
  }

  @Test func anEmptySidecarIsReportedWithAHint() throws {
    let place = try Workplace()
    try place.recipe()
    try place.folder.write("", to: "photos/a.jpg.phbatch.json")
    let result = try place.run()
    #expect(result.code == 4)
    #expect(result.messages.contains("a.jpg: corrupt-sidecar (the sidecar is empty)"))
    #expect(result.messages.contains("hint: 'phbatch repair' renames it"))
    #expect(!result.messages.contains("init"))
    let repaired = try Command.run(["repair", place.path("photos/a.jpg")])
    #expect(repaired.output.hasPrefix("a.jpg: repaired"))
    #expect(repaired.output.hasSuffix("1 repaired\n"))
  }

  /// A byte-order mark at the start of a recipe or sidecar, as editors on Windows write it, is
  /// ignored.
  @Test func byteOrderMarksInRecipesAndSidecarsAreIgnored() throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    let text = try place.folder.read("recipe.json")
    try place.folder.write([0xEF, 0xBB, 0xBF] + text, to: "recipe.json")
    #expect(try Command.run(["validate", recipe]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    try place.edit("a.jpg") { "\u{FEFF}" + $0 }
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(
      try Command.run(["adjust", place.path("photos/a.jpg"), "--focal-point", "0,0"]).code == 0)
    #expect(try place.sidecar("a.jpg").hasPrefix("{"))
  }

  @Test func undoFailsInAFolderWithoutEdits() throws {
    let place = try Workplace()
    let result = try Command.run(["undo", place.library])
    #expect(result.code == 66)
    #expect(result.messages.contains("there is nothing to undo in"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.library) == ["a.jpg"])
  }

  @Test func corruptSidecarsAreNotChanged() throws {
    let texts = [
      "", "{", "{}", "[]", "null", #"{"phbatch": "1.0"}"#, "\u{0}",
      #"{"phbatch": "1.0", "phbatch": "1.0", "adjustments": [], "original": {}}"#,
    ]
    let place = try Workplace(texts.indices.map { "\($0).jpg" } + ["good.jpg"])
    try place.recipe()
    var expected = ["good.jpg": "rendered"]
    for (number, text) in texts.enumerated() {
      try place.folder.write(text, to: "photos/\(number).jpg.phbatch.json")
      expected["\(number).jpg"] = "corrupt-sidecar"
    }
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons == expected)
    let status = try Command.run(["status", place.library])
    #expect(status.code == 4)
    for (number, text) in texts.enumerated() {
      #expect(try place.sidecar("\(number).jpg") == text)
      #expect(try place.names().contains("\(number).web.jpg") == false)
      #expect(status.output.contains("\(number).jpg: corrupt-sidecar"), "\(status.output)")
    }
  }

  /// Links, folders and pipes that have the name of a sidecar are neither followed nor replaced.
  @Test(arguments: ["link", "broken link", "folder", "pipe"])
  func aSidecarThatIsNotARegularFileIsNotChanged(_ kind: String) throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    _ = try place.run()
    let sidecar = place.path("photos/a.jpg.phbatch.json")
    let aside = place.path("aside.json")
    try FileManager.default.moveItem(atPath: sidecar, toPath: aside)
    switch kind {
    case "link": #expect(symlink(aside, sidecar) == 0)
    case "broken link": #expect(symlink("nowhere", sidecar) == 0)
    case "folder": #expect(mkdir(sidecar, 0o755) == 0)
    default: #expect(mkfifo(sidecar, 0o600) == 0)
    }
    try place.recipe(stops: 0.9)
    let before = try place.snapshot()
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons["a.jpg"] == "corrupt-sidecar")
    #expect(reasons["b.jpg"] == "rendered")
    #expect(try place.snapshot()["a.jpg.phbatch.json"] == before["a.jpg.phbatch.json"])
    #expect(try place.snapshot()["a.web.jpg"] == before["a.web.jpg"])
    for command in [["status"], ["history"], ["verify"], ["repair"], ["revert", "--all", "--yes"]] {
      let photo = command == ["status"] || command == ["verify"] ? "" : "/a.jpg"
      let arguments = command.prefix(1) + ["\(place.library)\(photo)"] + command.dropFirst()
      let result = try Command.run(Array(arguments))
      #expect(result.code != 0, "\(command)")
      #expect((result.output + result.messages).contains("corrupt-sidecar"), "\(command)")
    }
    #expect(try place.snapshot()["a.jpg.phbatch.json"] == before["a.jpg.phbatch.json"])
  }

  @Test func oversizedAndUnreadableSidecarsAreNotChanged() throws {
    let place = try Workplace(["a.jpg", "b.jpg", "c.jpg"])
    try place.recipe()
    _ = try place.run()
    let blank = [UInt8](repeating: 0x20, count: 2 << 20)
    try place.folder.write(
      try place.read("a.jpg.phbatch.json") + blank, to: "photos/a.jpg.phbatch.json")
    var bytes = try place.read("b.jpg.phbatch.json")
    bytes[bytes.firstIndex(of: UInt8(ascii: "o")) ?? 0] = 0xFF
    try place.folder.write(bytes, to: "photos/b.jpg.phbatch.json")
    try place.edit("c.jpg") { $0.replacing(#""phbatch": "1.0""#, with: #""phbatch": "2.0""#) }
    let before = try place.snapshot()
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(
      reasons
        == [
          "a.jpg": "oversized-sidecar", "b.jpg": "corrupt-sidecar", "c.jpg": "newer-sidecar",
          // No valid sidecar records these files as renditions.
          "a.web.jpg": reasons["a.web.jpg"], "b.web.jpg": reasons["b.web.jpg"],
          "c.web.jpg": reasons["c.web.jpg"],
        ].compactMapValues(\.self))
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
  }

  /// A run that cannot read a sidecar must not treat the photo's renditions as photos.
  @Test func renditionsOfACorruptSidecarAreNotTreatedAsPhotos() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.folder.write("{", to: "photos/a.jpg.phbatch.json")
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons == ["a.jpg": "corrupt-sidecar"])
    #expect(try place.names() == ["a.jpg", "a.jpg.phbatch.json", "a.web.jpg"])
  }

  @Test func recordedPathsThatTheirTemplateDoesNotGiveAreIgnored() throws {
    let claims = [
      "b.jpg", "../b.jpg", "/etc/passwd", "{root}/../b.jpg", "{root}/b.jpg", "below/../b.jpg", "",
      "7.jpg",
    ]
    let photos = claims.indices.map { "\($0).jpg" } + ["b.jpg"]
    let place = try Workplace(photos)
    try place.recipe()
    _ = try place.reasons()
    let before = try photos.map { try place.read($0) }
    for (number, claim) in claims.enumerated() {
      let plain = #""file": "\#(number).web.jpg""#
      #expect(try place.sidecar("\(number).jpg").contains(plain))
      try place.edit("\(number).jpg") { $0.replacing(plain, with: "\"file\": \"\(claim)\"") }
    }
    try place.recipe(stops: 1)
    let (reasons, _) = try place.reasons("recipe", "--on-modified", "overwrite")
    // The other photo is still rendered, and no original is overwritten.
    #expect(reasons["b.jpg"] == "rendered")
    #expect(try photos.map { try place.read($0) } == before)
  }

  /// The path template in the sidecar of `a.jpg` is forged: it always gives `b.jpg`, the path of
  /// another original.
  @Test func aForgedPathTemplateNeverOverwritesAnOriginal() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    _ = try place.reasons()
    let bytes = try place.read("b.jpg")
    try place.edit("a.jpg") {
      $0.replacing(#""file": "a.web.jpg""#, with: #""file": "b.jpg""#)
        .replacing(#""name": "web""#, with: #""name": "web", "path": "b.jpg""#)
    }
    for path in ["b.jpg.phbatch.json", "b.web.jpg"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(path)"))
    }
    try place.recipe(stops: 1)
    _ = try place.reasons("recipe", "--on-modified", "overwrite")
    #expect(try place.read("b.jpg") == bytes)
  }

  @Test func thePhotosOwnSettingsInASidecarAreAppliedAndKeptByLaterRuns() throws {
    let place = try Workplace()
    try place.recipe(stops: 0.5)
    _ = try place.run()
    let plain = try place.read("a.web.jpg")
    try place.edit("a.jpg") {
      $0.replacing(#""recipe": {"#, with: #""overrides": { "exposure.stops": 2.50 }, "recipe": {"#)
    }
    #expect(try place.run("recipe", "--check").code == 2)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let bright = try place.read("a.web.jpg")
    #expect(bright != plain)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    try place.recipe(stops: 0.7)
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 2.50"#))
    // A setting on the command line takes precedence, and is not recorded among the photo's own
    // settings.
    #expect(
      try place.reasons("recipe", "--set", "exposure.stops=0.5").reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.web.jpg") == plain)
    #expect(try place.sidecar("a.jpg").contains(#""exposure.stops": 2.50"#))
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try place.read("a.web.jpg") == bright)
  }

  @Test func invalidSettingsInASidecarFailThatPhotoAndNameTheLine() throws {
    let settings = [#"{ "exposure.stops": 99 }"#, #"{ "exposure.stops": "x" }"#, "[]", "7"]
    let photos = settings.indices.map { "\($0).jpg" }
    let place = try Workplace(photos + ["good.jpg"])
    try place.recipe()
    _ = try place.run()
    for (photo, overrides) in zip(photos, settings) {
      try place.edit(photo) {
        $0.replacing(#""recipe": {"#, with: "\"overrides\": \(overrides), \"recipe\": {")
      }
    }
    let before = try photos.map { try place.sidecar($0) }
    let result = try place.run()
    #expect(result.code == 4)
    for photo in photos { #expect(result.messages.contains("\(photo).phbatch.json:")) }
    #expect(result.output.contains("1 up-to-date"))
    #expect(try photos.map { try place.sidecar($0) } == before)
  }

  /// A sidecar with numbers whose products or sums exceed 64 bits affects only its own photo.
  @Test(arguments: [
    (#""width": 60"#, #""width": 1099511627776"#),
    (#""width": 60"#, #""width": -4611686018427387904"#),
    (#""bytes": "#, #""bytes": 4611686018427387904, "x": "#),
  ])
  func impossibleNumbersInASidecarAffectOnlyItsPhoto(_ old: String, _ new: String) throws {
    let place = try Workplace(["a.jpg", "b.jpg", "c.jpg"])
    try place.recipe()
    _ = try place.run()
    for photo in ["a.jpg", "b.jpg"] {
      try place.edit(photo) {
        $0.replacing(old, with: new).replacing(#""height": 40"#, with: #""height": 1099511627776"#)
      }
    }
    try place.recipe(stops: 1)
    let (reasons, code) = try place.reasons()
    #expect(code == 4)
    #expect(reasons["a.jpg"] == "corrupt-sidecar")
    #expect(reasons["c.jpg"] == "rendered")
    for command in ["status", "verify"] {
      #expect(try Command.run([command, place.library]).code == 4, "\(command)")
    }
  }

  /// `verify` compares recorded file sizes even if their sum exceeds 64 bits; each is a possible
  /// size of a file.
  @Test func verifyComparesFileSizesWhoseSumExceeds64Bits() throws {
    let place = try Workplace()
    try place.recipe()
    _ = try place.run()
    try place.edit("a.jpg") { text in
      guard let start = text.range(of: #""renditions": ["#)?.upperBound,
        let end = text[start...].range(of: "]")?.lowerBound
      else { return text }
      let record = text[start..<end].replacing(
        #""bytes": "#, with: #""bytes": 9007199254740992, "x": "#)
      let records = [String](repeating: String(record), count: 1_100).joined(separator: ",")
      return text.replacingCharacters(in: start..<end, with: records)
    }
    #expect(try Command.run(["verify", place.library]).code == 4)
  }

  @Test func unknownKeysInEveryPartOfASidecarAreKept() throws {
    let place = try Workplace()
    for name in ["first", "second"] {
      try place.recipe(name, variant: nil, output: "\"name\": \"\(name)\", \"format\": \"png\"")
      _ = try place.run(name)
    }
    let marks = [
      (#""base": {"#, #" "xBase": 1.50,"#, 1), (#""engine": {"#, #" "xEngine": 1e400,"#, 2),
      (#""recipe": {"#, #" "xRecipe": -0,"#, 2), (#""height": 40,"#, #" "xSize": 12e-3,"#, 3),
      (#""formatVersion": "1.0.0","#, #" "xAdjustment": 0.10,"#, 2),
    ]
    try place.edit("a.jpg") { text in
      marks.reduce(text) { $0.replacing($1.0, with: "\($1.0)\($1.1)") }
    }
    func expectMarks(_ place: Workplace) throws {
      let text = try place.sidecar("a.jpg")
      for (_, mark, count) in marks {
        let mark = mark.trimmingCharacters(in: [" ", ","])
        #expect(text.components(separatedBy: mark).count - 1 == count, "\(mark)")
      }
    }
    // A run renders the first edit with the recipe, and the second edit with the recipe that the
    // sidecar records.
    for round in 0..<3 {
      try place.recipe(
        "first", variant: nil, stops: Double(round) / 10,
        output: #""name": "first", "format": "png""#)
      #expect(try place.reasons("first").reasons == ["a.jpg": "rendered"])
      try expectMarks(place)
    }
    #expect(try place.reasons("second").reasons == ["a.jpg": "up-to-date"])
    // The second edit is reverted and rendered again.
    let photo = place.path("photos/a.jpg")
    #expect(try Command.run(["revert", photo]).code == 0)
    #expect(try place.sidecar("a.jpg").components(separatedBy: "xAdjustment").count == 3)
    #expect(try place.reasons("second", "--redo").reasons == ["a.jpg": "rendered"])
    #expect(try place.sidecar("a.jpg").components(separatedBy: "xAdjustment").count == 3)
  }

  /// If the sidecar names a base file that is missing, a run does not render the edit from another
  /// base.
  @Test func anEditWhoseBaseFileIsMissingIsNotRendered() throws {
    let place = try Workplace()
    try place.recipe(variant: nil)
    _ = try place.run()
    try place.edit("a.jpg") {
      $0.replacing(#""base": "original""#, with: #""base": {"file": "nope.jpg", "sha256": "00"}"#)
    }
    let before = try place.snapshot()
    try place.recipe(variant: nil, stops: 1)
    let (reasons, code) = try place.reasons()
    #expect(reasons == ["a.jpg": "base-missing"])
    #expect(code == 4)
    #expect(try place.snapshot() == before)
    #expect(
      try place.reasons("recipe", "--previous", "replace").reasons == ["a.jpg": "rendered"])
  }
}
