import TestSupport
import Testing

/// Runs that find no photo say why.
@Suite struct NoPhotosTests {
  @Test func aLibraryWithoutPhotosReportsItsFiles() throws {
    let place = try Workplace(["a.jpg", "Trip/b.jpg", ".hidden.jpg"])
    try place.recipe()
    try place.folder.write("text", to: "photos/notes.txt")
    try place.folder.write("a.jpg\nTrip/\n", to: "photos/.phbatchignore")
    let reason = "only 1 file of another format, 2 ignored entries and 1 hidden entry"
    for command in [[], ["--dry-run"], ["--check"]] {
      let result = try Command.run(["run", place.path("recipe.json"), place.library] + command)
      #expect(result.code == 0)
      #expect(result.output == "no photos: \(reason)\n")
    }
    #expect(try Command.run(["status", place.library]).output == "no photos: \(reason)\n")
  }

  @Test func aRunStatesThatItsListOfPhotosIsEmpty() throws {
    let place = try Workplace()
    try place.recipe()
    let list = place.path("list")
    try place.folder.write("", to: "list")
    let empty = try place.run("recipe", "--files-from", list)
    #expect(empty.code == 0)
    #expect(empty.output == "no photos: the list is empty\n")
    try place.folder.write("recipe.json\n\(list)\n", to: "list")
    let others = try Command.run(
      ["run", "recipe.json", "photos", "--files-from", "list"],
      prefix: ["env", "-C", place.path("")])
    #expect(others.code == 0, "\(others.messages)")
    #expect(others.output == "no photos: no listed file is a photo of the library\n")
  }
}
