import Foundation
import Glibc
import TestSupport
import Testing

/// The messages of a run about photos that it does not render.
@Suite struct RunMessageTests {
  /// A run names one file of each format that it does not read, with the remedy.
  @Test func filesOfUnsupportedFormatsAreNamedOncePerFormat() throws {
    let place = try Workplace(["z.jpg"])
    for name in ["a.bmp", "b.bmp", "c.bmp"] {
      try place.folder.write("BM" + String(repeating: "\0", count: 60), to: "photos/\(name)")
    }
    let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
    try place.folder.write(svg, to: "photos/d.svg")
    try place.recipe()
    let result = try place.run("recipe", "--progress", "none")
    #expect(result.code == 0)
    #expect(
      result.messages == """
        a.bmp and 2 other files: unsupported-format (a Windows bitmap)
          hint: save it as PNG, TIFF or JPEG first
        d.svg: unsupported-format (an SVG drawing)
          hint: add "inputs": {"formats": ["svg"]} to the recipe to read it

        """)
    #expect(result.output.hasSuffix(", 4 unsupported-format\n"))
    for options in [["--quiet"], ["--format", "json"]] {
      let other = try Command.run(["run", place.path("recipe.json"), place.library] + options)
      #expect(other.code == 0 && other.messages == "")
    }
  }

  /// A run does not read unchanged folders again, so it knows only the number of their files.
  @Test func filesOfUnsupportedFormatsInUnchangedFoldersAreCounted() throws {
    let place = try Workplace(["x/a.jpg"])
    try place.folder.write("BM" + String(repeating: "\0", count: 60), to: "photos/x/a.bmp")
    try place.recipe()
    let messages = try (1...4).map { _ in
      // The index trusts a folder some time after its last change.
      usleep(600_000)
      return try place.run("recipe", "--progress", "none").messages
    }
    #expect(messages.first?.hasPrefix("x/a.bmp: unsupported-format (") == true)
    #expect(messages.last == "hint: run --dry-run names 1 file with an unsupported format\n")
  }

  @Test(arguments: ["--check", "--dry-run"])
  func aQuietCheckPrintsNothingAboutPhotosThatAreDue(_ option: String) throws {
    let place = try Workplace()
    try place.recipe()
    let result = try place.run("recipe", option, "--quiet")
    #expect(result.code == (option == "--check" ? 2 : 0))
    #expect(result.output == "" && result.messages == "")
  }

  @Test func aRunNamesTheRenditionsThatWereChangedByHand() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    try place.folder.write("mine", to: "photos/a.web.jpg")
    let result = try place.run()
    #expect(result.code == 4)
    #expect(
      result.messages == """
        a.jpg: modified ('a.web.jpg' was changed by hand and was kept)
          hint: replace it with --on-modified overwrite, or keep it as a separate edit with \
        --on-modified adopt

        """)
  }

  @Test func theStatusWithoutARecipeNamesTheOperationsThatNeedOne() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    let status = try Command.run(["status", place.library])
    let line = "    possible: revert; resume, replace and stack: name a recipe with --recipe"
    #expect(status.lines.contains(line), "\(status.output)")
  }
}
