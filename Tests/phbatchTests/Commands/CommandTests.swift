import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Usage errors, `init` and messages: what a new user of the command line sees first.
@Suite struct CommandTests {
  @Test(arguments: [
    ["run"], ["run", "a.json"], ["nonsense"], ["run", "a", "b", "--jobs", "0"],
    ["run", "a", "b", "--timeout", "0"], ["run", "a", "b", "--wait=-1"],
    ["run", "a", "b", "--format", "yaml"], ["run", "a", "b", "--previous", "sometimes"],
    ["explain"], ["status"], ["validate"], ["filters", "--format", "xml"],
  ])
  func wrongUsageHasAnExitCodeOfItsOwnAndPrintsTheUsage(_ arguments: [String]) throws {
    let result = try Command.run(arguments)
    #expect(result.code == 64)
    #expect(result.messages.contains("Usage: phbatch"))
    #expect(result.output == "")
  }

  /// The first value has milliseconds.
  @Test(arguments: ["1700000000000", "abc", "1.5", ""])
  func aSourceDateThatIsNotATimeIsRefused(_ value: String) throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run(environment: ["SOURCE_DATE_EPOCH": value])
    #expect(result.code == 64)
    #expect(result.messages.contains("SOURCE_DATE_EPOCH is '\(value)'"), "\(result.messages)")
    #expect(try place.names() == ["a.jpg"])
  }

  @Test func initCreatesARecipeThatRunsAndNeverOverwritesAFile() throws {
    let place = try Workplace()
    let recipe = place.path("recipe.json")
    #expect(try Command.run(["init", recipe]).code == 0)
    #expect(try Command.run(["validate", recipe]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let before = try place.folder.read("recipe.json")
    let again = try Command.run(["init", recipe])
    #expect(again.code == 73)
    #expect(again.messages.contains("already exists"))
    #expect(try place.folder.read("recipe.json") == before)
    #expect(try Command.run(["init", place.path("new/folder/recipe.json")]).code == 0)
  }

  /// `init` writes the recipe that the README shows, because the commands in the README use this
  /// recipe.
  @Test func initWritesTheRecipeOfTheReadme() throws {
    let place = try Workplace()
    #expect(try Command.run(["init", place.path("recipe.json")]).code == 0)
    let made = String(decoding: try place.folder.read("recipe.json"), as: UTF8.self)
      .replacing("  \"$schema\": \"recipe.schema.json\",\n", with: "")
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../README.md").standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    let shown = text.components(separatedBy: "```json\n").dropFirst().first?
      .components(separatedBy: "```").first
    #expect(made == shown)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsArePrintedAsAScriptOfTheGivenShell(_ shell: String) throws {
    let result = try Command.run(["completions", shell])
    #expect(result.code == 0)
    for word in ["phbatch", "adjust", "on-modified"] { #expect(result.output.contains(word)) }
    #expect(try Command.run(["completions", "cmd"]).code == 64)
  }

  @Test func aQuietRunPrintsNothingUnlessAPhotoFails() throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run("recipe", "--quiet")
    #expect(result.code == 0)
    #expect(result.output == "")
    #expect(result.messages == "")
    try place.folder.write("text", to: "photos/b.jpg")
    #expect(try place.run("recipe", "--quiet").messages.contains("b.jpg: unreadable"))
    // Programs that read the events need all of them.
    let events = try place.run("recipe", "--quiet", "--format", "json").events
    #expect(events.compactMap { $0["file"] as? String }.contains("a.jpg"))
  }

  /// A command that cannot write its results to stdout fails, so that a program that reads them can
  /// detect that some are missing.
  @Test func aCommandFailsIfItsResultsCannotBeWrittenToStdout() throws {
    let place = try Workplace()
    try place.recipe()
    let full = ["sh", "-c", #"exec "$@" >/dev/full"#, "sh"]
    let commands = [
      ["run", place.path("recipe.json"), place.library, "--format", "json"],
      ["status", place.library], ["filters"], ["schema"], ["schema", "--events"], ["--version"],
      ["run", "--help"],
    ]
    for words in commands {
      let result = try Command.run(words, prefix: full)
      #expect(result.code == 73, "\(words[0])")
      #expect(
        result.messages.contains("some results cannot be written to stdout"), "\(words[0])")
    }
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  @Test func progressPrintsOneLineForEachRenderedPhoto() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    let first = try place.run("recipe", "--jobs", "1")
    #expect(first.messages == "1/2 a.jpg\n2/2 b.jpg\n")
    #expect(try place.run("recipe", "--jobs", "1").messages == "")
    try place.recipe(stops: 1)
    #expect(try place.run("recipe", "--progress", "none").messages == "")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func progressOnATerminalIsABar() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    let words = "'\(Command.executable)' run '\(place.path("recipe.json"))' '\(place.library)'"
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = ["-qec", words, place.path("typescript")]
    process.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"]
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try place.folder.read("typescript"), as: UTF8.self)
    #expect(text.contains("2/2"))
    #expect(text.contains("photos/s"))
    #expect(text.contains("2 rendered"))
  }

  @Test func theEventsOfARunAreJSONFromItsStartToItsEnd() throws {
    let place = try Workplace()
    try place.recipe()
    let events = try place.run("recipe", "--format", "json").events
    #expect(
      events.compactMap { $0["event"] as? String } == [
        "run-start", "asset-start", "asset-done", "run-end",
      ])
    #expect(events.last?["exit"] as? Int == 0)
    let renditions = events[2]["renditions"] as? [[String: Any]]
    #expect(renditions?.first?["file"] as? String == "a.web.jpg")
  }

  @Test func statusListsPhotosAndDueWork() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    try place.folder.write("not ours", to: "photos/c.psd")
    _ = try place.run("recipe", "--files-from", try list("a.jpg", place))
    let before = try place.snapshot()
    let result = try Command.run(["status", place.library, "--recipe", place.path("recipe.json")])
    #expect(result.code == 0)
    #expect(
      result.output == """
        a.jpg
          variant web[0] org.example.recipe 1.0.0, as written: a.web.jpg
            possible: resume, revert, not replace or stack (the edit is up to date)
          recipe: up-to-date
        b.jpg: no edits
          recipe: would be rendered
        c.psd: unsupported-format: a Photoshop document
          recipe: unsupported-format (a Photoshop document)
        3 photos: 1 due, 1 unsupported-format, 1 up-to-date

        """)
    try place.folder.write("mine", to: "photos/a.web.jpg")
    let changed = try Command.run(["status", place.library, "--format", "json"])
    #expect(changed.code == 4)
    #expect(try changed.events.count == 3)
    #expect(changed.output.contains(#""state":"modified""#))
    #expect(try place.snapshot().keys == before.keys)
    #expect(try Command.run(["status", place.path("none")]).code == 66)
  }

  private func list(_ text: String, _ place: Workplace) throws -> String {
    try place.folder.write(text, to: "list.txt")
    return place.path("list.txt")
  }

  @Test(arguments: ["text", "json", "dot"])
  func explainPrintsTextJSONOrDOT(_ format: String) throws {
    let place = try Workplace()
    let recipe = try place.recipe()
    for photo in [[], [place.path("photos/a.jpg")]] {
      let result = try Command.run(["explain", recipe, "--format", format] + photo)
      #expect(result.code == 0)
      switch format {
      case "text": #expect(result.output.contains("libvips pipeline") == !photo.isEmpty)
      case "json": _ = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      default: #expect(result.output.hasPrefix("digraph recipe {"))
      }
    }
    #expect(try Command.run(["explain", recipe, place.path("none.jpg")]).code == 66)
    #expect(try place.names() == ["a.jpg"])
  }

  @Test func doctorDescribesLibvipsAndGivenFiles() throws {
    let place = try Workplace()
    try place.folder.write("text", to: "b.jpg")
    let machine = try Command.run(["doctor"]).output
    #expect(machine.contains("libvips 8."))
    #expect(
      machine.contains(
        "limits: 268 megapixels decoded whole, 2200 streamed; 256 frames of an animation; 120 s per"
          + " photo\n"))
    let photo = try Command.run(["doctor", place.path("photos/a.jpg")])
    #expect(photo.output.contains("60×40 pixels upright"))
    let text = try Command.run(["doctor", place.path("b.jpg")]).output
    #expect(text.contains("named like a JPEG photo, but contains an unknown file format"))
    #expect(try Command.run(["doctor", place.path("none")]).code == 66)
  }

  @Test func filtersSchemaCompletionAndVersionPrintTheirResults() throws {
    #expect(try Command.run(["filters"]).output.contains("exposure"))
    let unknown = try Command.run(["filters", "exposur"])
    #expect(unknown.code == 66)
    #expect(unknown.messages.contains("did you mean 'exposure'?"))
    _ = try JSONSerialization.jsonObject(with: Data(try Command.run(["schema"]).output.utf8))
    #expect(try Command.run(["--generate-completion-script", "bash"]).output.contains("phbatch"))
    #expect(try Command.run(["--version"]).output == "\(Engine.version)\n")
  }

  @Test func runStatesAllExitCodesOfTheDocumentation() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/operations.md").standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    let table = try #require(
      text.components(separatedBy: "## Exit codes").dropFirst().first?
        .components(separatedBy: "Of 2, 3 and 4").first)
    let documented = table.components(separatedBy: "\n| ").dropFirst(2)
      .flatMap { $0.prefix { $0 != "|" }.split { !$0.isNumber } }
    #expect(documented.count == 15)
    let help = try Command.run(["run", "--help"]).output
    let stated = try #require(help.components(separatedBy: "Exit codes:").dropFirst().first)
      .components(separatedBy: "USAGE").first?.split { !$0.isNumber }
    #expect(documented == stated)
  }

  /// `status` and `history` print a photo a line, and `plan` a shard a line.
  @Test func theSchemaOfEventsNamesTheCommandsThatPrintEvents() throws {
    let help = try Command.run(["schema", "--help"]).output.split { $0.isWhitespace }
      .joined(separator: " ")
    #expect(
      help.contains(
        "The schema of the lines of '--format json' of run, watch, merge, verify, adjust, revert,"
          + " undo, repair, relink and prune."))
  }
}
