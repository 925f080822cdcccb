import Foundation
import Glibc
import TestSupport
import Testing
import Vips

/// Recipes that pass photos to external programs.
@Suite(.serialized) struct ExternalTests {
  /// A library with a recipe that passes the photo to a program.
  private static func place(
    _ command: [String], _ settings: String = "", photos: [String] = ["a.png"]
  ) throws -> Workplace {
    let place = try Workplace(photos)
    try write(command, settings, place)
    return place
  }

  private static func write(
    _ command: [String], _ settings: String, _ place: Workplace
  ) throws {
    let words = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
    try place.folder.write(
      """
      {"identifier": "org.example.external", "version": "1.0.0", "variant": "web",
       "filters": [{"filter": "external", "id": "paint", "command": \(words)\(settings)}],
       "outputs": [{"name": "web", "format": "png"}]}
      """, to: "recipe.json")
  }

  private static func shell(
    _ script: String, _ settings: String = "", photos: [String] = ["a.png"]
  ) throws -> Workplace {
    try place(["sh", "-c", script], settings, photos: photos)
  }

  private static func picture(_ bytes: [UInt8]) throws -> [UInt8] {
    try Image.load(from: Source(bytes: bytes)).samples(as: UInt8.self)
  }

  @Test func aRunStartsExternalProgramsOnlyWithAllowExternal() throws {
    let place = try Self.place(["touch", "ran"], photos: ["a.png", "b.png"])
    let before = try place.snapshot()
    let result = try place.run()
    #expect(result.code == 64)
    #expect(result.messages.contains("'paint'"))
    #expect(result.messages.contains(#"["touch","ran"]"#))
    #expect(result.messages.contains("--allow-external"))
    #expect(result.output == "")
    #expect(try place.snapshot() == before)
  }

  @Test func readOnlyCommandsDoNotNeedAllowExternal() throws {
    let place = try Self.place(["cat"])
    #expect(try place.run("recipe", "--dry-run").code == 0)
    #expect(try place.run("recipe", "--check").code == 2)
    #expect(try Command.run(["validate", place.path("recipe.json")]).code == 0)
    let result = try Command.run(
      ["explain", place.path("recipe.json"), place.path("photos/a.png")])
    #expect(result.code == 0)
    #expect(result.output.contains("not reproducible: the step 'paint' runs"))
    let json = try Command.run(["explain", place.path("recipe.json"), "--format", "json"])
    #expect(json.output.contains(#""reproducible": false"#))
  }

  /// The photo for the program is written to a temporary file.
  ///
  /// A limit of the size of files acts as a full disk does.
  @Test func aPhotoThatCannotBeWrittenForAProgramIsNotReportedAsDamaged() throws {
    let place = try Self.place(["cat"], photos: [])
    try place.addPhoto("a.png", width: 400, height: 300)
    let words = ["run", place.path("recipe.json"), place.library, "--allow-external"]
    let limit = ["bash", "-c", "ulimit -f 100; exec \"$@\"", "bash"]
    let result = try Command.run(words, prefix: limit)
    #expect(result.code == 73)
    #expect(result.messages.contains("a.png: write-failed"), "\(result.messages)")
  }

  @Test func aDisabledExternalStepDoesNotNeedAllowExternal() throws {
    let place = try Self.place(["no-such-program"], #", "enabled": false"#)
    #expect(try place.run().code == 0)
  }

  @Test func aProgramThatReturnsItsInputDoesNotChangeThePicture() throws {
    let place = try Self.place(["cat"])
    #expect(try place.run("recipe", "--allow-external").code == 0)
    #expect(
      try Self.picture(place.read("a.web.png")) == Self.picture(place.read("a.png")))
    #expect(try place.run("recipe", "--allow-external").messages == "")
    let arguments = ["--allow-external", "--set", "paint.timeout=61"]
    #expect(try place.run("recipe", arguments[0], "--check").code == 0)
    #expect(try place.run("recipe", arguments[0], arguments[1], arguments[2], "--check").code == 2)
  }

  @Test func theWordsOfAnExternalCommandAreNotInterpretedByAShell() throws {
    let place = try Workplace(["a.png"])
    let note = place.path("note $HOME;")
    let script = #"cat; printf '%s|%s' "$1" "$2" > "$3""#
    try Self.write(["sh", "-c", script, "name", "a b", "*", note], "", place)
    #expect(try place.run("recipe", "--allow-external").code == 0)
    #expect(String(decoding: try place.folder.read("note $HOME;"), as: UTF8.self) == "a b|*")
  }

  /// The run reports each kind of failure of the program with its own message.
  @Test(arguments: [
    ("exec /no/such/program", "ended with code 127"),
    (
      "echo first >&2; echo 'no such brush' >&2; exit 3",
      "ended with code 3: first)\n  no such brush"
    ),
    ("cat > /dev/null", "'sh' wrote nothing"),
    ("true", "'sh' wrote nothing"),
    ("cat > /dev/null; echo no picture", "is not an image that can be read"),
    ("head -c 3000", "is not an image that can be read"),
    ("kill -SEGV $$", "was ended by signal 11"),
    ("truncate -s 5G /dev/stdout", "wrote more than 4096 megabytes"),
    ("truncate -s 5G /dev/stdout; sleep 300", "wrote more than 4096 megabytes"),
  ])
  func eachKindOfFailureOfAProgramHasItsOwnMessage(_ script: String, _ message: String) throws {
    let place = try Self.shell(script)
    let before = try place.snapshot()
    let result = try place.run("recipe", "--allow-external")
    #expect(result.code == 3)
    #expect(result.messages.contains("a.png: external-failed"))
    #expect(result.messages.contains(message), "\(result.messages)")
    let after = try place.snapshot()
    #expect(before.allSatisfy { after[$0] == $1 })
    #expect(!after.keys.contains("a.web.png"))
    #expect(try place.leftovers() == [])
  }

  /// A program that is missing or cannot be run is an error before any photo is read, with its
  /// position in the recipe.
  @Test(arguments: [
    ("no-such-program", "there is no program 'no-such-program' in PATH"),
    ("/no/such/program", "there is no program '/no/such/program'"),
    ("/etc/passwd", "'/etc/passwd' cannot be run"),
    ("/etc", "'/etc' cannot be run"),
  ])
  func aMissingProgramIsReportedBeforeAnyPhotoIsRead(_ name: String, _ message: String) throws {
    let place = try Self.place([name])
    for result in [
      try place.run("recipe", "--allow-external"),
      try Command.run(["validate", place.path("recipe.json")]),
    ] {
      #expect(result.code == 65)
      #expect(result.messages.contains("recipe.json:2:"), "\(result.messages)")
      #expect(result.messages.contains(message), "\(result.messages)")
    }
    #expect(try place.names() == ["a.png"])
  }

  @Test func programsAreFoundInTheSearchPathLikeInAShell() throws {
    let place = try Self.place(["own-tool"])
    try place.folder.writeProgram("#!/bin/sh\nexec cat\n", to: "tools/own-tool")
    let path = "\(place.path("tools")):/usr/bin:/bin"
    #expect(try place.run("recipe", "--allow-external", environment: ["PATH": path]).code == 0)
  }

  @Test func onlyTheEndOfALongErrorOutputOfAProgramIsReported() throws {
    let place = try Self.shell(
      "head -c 200000 /dev/zero | tr '\\0' x >&2; printf 'last \\033[31mwords' >&2; exit 1")
    let messages = try place.run("recipe", "--allow-external").messages
    #expect(messages.contains("last \u{FFFD}[31mwords"))
    #expect(messages.utf8.count < 3000)
  }

  @Test func aProgramMayChangeTheSizeOnlyIfTheStepStatesResizes() throws {
    let other = try SyntheticPhoto.png(width: 30, height: 50, alpha: true)
    for (settings, code) in [("", 3), (#", "resizes": true"#, 0)] as [(String, Int32)] {
      let place = try Workplace(["a.png"])
      try place.folder.write(other, to: "other.png")
      try Self.write(["cat", place.path("other.png")], settings, place)
      let result = try place.run("recipe", "--allow-external")
      #expect(result.code == code)
      if code == 0 {
        #expect(try Self.picture(place.read("a.web.png")) == Self.picture(other))
      } else {
        #expect(result.messages.contains("30×50 pixels instead of 60×40"))
      }
    }
  }

  @Test func aProgramThatHangsIsKilledWithItsChildren() throws {
    let place = try Workplace(["a.png"])
    let numbers = place.path("numbers")
    let script = "sleep 3000 & echo $! $$ > '\(numbers)'; sleep 3000"
    // On a busy machine the program may be killed before it has written its process identifiers.
    for seconds in [2, 20, 200] where Processes.numbers(in: numbers).isEmpty {
      try Self.write(["sh", "-c", script], #", "timeout": \#(seconds)"#, place)
      let result = try place.run("recipe", "--allow-external")
      #expect(result.code == 3)
      #expect(result.messages.contains("ran for more than \(seconds) seconds"))
    }
    let programs = Processes.numbers(in: numbers)
    #expect(programs.count == 2 && Processes.haveEnded(programs))
  }

  @Test func theMessageAboutATimeLimitOfOneSecondUsesTheSingular() throws {
    let result = try Self.place(["sleep", "300"], #", "timeout": 1"#).run(
      "recipe", "--allow-external")
    #expect(result.messages.contains("'sleep' ran for more than 1 second)"), "\(result.messages)")
    #expect(result.messages.contains("give the step a longer 'timeout'"))
  }

  @Test func thePixelLimitAppliesToTheResultOfAProgram() throws {
    let place = try Workplace(["a.png"])
    try place.folder.write(try SyntheticPhoto.png(width: 90, height: 60), to: "other.png")
    try Self.write(["cat", place.path("other.png")], #", "resizes": true"#, place)
    let result = try place.run("recipe", "--allow-external", "--max-pixels", "5399")
    #expect(result.code == 3)
    #expect(result.messages.contains("90×60 pixels, more than the limit of 5399 pixels"))
    #expect(try place.run("recipe", "--allow-external", "--max-pixels", "5400").code == 0)
  }

  /// Each program may take as long as the time limit of a photo; together the programs may take
  /// longer.
  @Test func theTimeLimitOfAPhotoAppliesToEachProgramSeparately() throws {
    let place = try Workplace(["a.png"])
    func run(_ seconds: Int, limit: Int) throws -> CommandResult {
      let steps = ["a", "b"].map {
        #"{"filter": "external", "id": "\#($0)", "command": ["sh", "-c", "sleep \#(seconds); cat"]}"#
      }
      try place.folder.write(
        """
        {"identifier": "org.example.slow", "version": "1.0.0",
         "filters": [\(steps.joined(separator: ", "))],
         "outputs": [{"name": "web", "format": "png"}]}
        """, to: "recipe.json")
      return try place.run("recipe", "--allow-external", "--timeout", "\(limit)")
    }
    // A slow machine may need the longer limits.
    #expect(try [3, 30, 300].contains { try run($0 * 2 / 3, limit: $0).code == 0 })
    let result = try run(3_000, limit: 2)
    #expect(result.code == 3)
    #expect(result.messages.contains("'sh' ran for more than 2 seconds"), "\(result.messages)")
    #expect(result.messages.contains("give each photo more time with --timeout"))
  }

  @Test func aFailureOfAProgramFailsOnlyThatPhoto() throws {
    let place = try Workplace(["a.png", "b.png", "c.png"])
    let script = "mkdir '\(place.path("first"))' 2>/dev/null && exit 9; cat"
    try Self.write(["sh", "-c", script], "", place)
    let (reasons, code) = try place.reasons("recipe", "--allow-external")
    #expect(code == 3)
    #expect(reasons.values.sorted() == ["external-failed", "rendered", "rendered"])
    #expect(try place.reasons("recipe", "--allow-external").code == 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func stoppingTheRunKillsItsExternalPrograms(signal: Int32, code: Int32) throws {
    let place = try Workplace(["a.png"])
    let numbers = place.path("numbers")
    let script = "sleep 3000 & echo $! $$ > '\(numbers)'; sleep 3000"
    try Self.write(["sh", "-c", script], #", "timeout": 2000"#, place)
    let command = try Command.start(
      ["run", place.path("recipe.json"), place.library, "--allow-external"])
    #expect(eventually { !command.isRunning || Processes.numbers(in: numbers).count == 2 })
    command.send(signal)
    #expect(try command.result().code == code)
    let programs = Processes.numbers(in: numbers)
    #expect(programs.count == 2 && Processes.haveEnded(programs))
    #expect(try place.leftovers() == [])
  }

  /// A photo's own settings cannot make a run start a program that the recipe does not name.
  @Test func aPhotosOwnSettingsCannotNameAProgram() throws {
    let place = try Self.place(["cat"])
    #expect(try place.run("recipe", "--allow-external").code == 0)
    let mark = place.path("mark")
    let own = #"{ "paint.command": ["touch", "\#(mark)"] }"#
    try place.edit("a.png") {
      $0.replacing(#""recipe": {"#, with: "\"overrides\": \(own), \"recipe\": {")
    }
    let result = try place.run("recipe", "--allow-external")
    #expect(result.code == 4)
    #expect(
      result.messages.contains("change the program that the step 'paint' runs"),
      "\(result.messages)")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }
}
