import TestSupport
import Testing

/// Commands that name a photo at a path where there is none.
@Suite struct UnknownPathTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    _ = try place.run()
  }

  /// No photo is changed if one of the paths is unknown.
  @Test(arguments: [["adjust", "--set", "exposure.stops=1"], ["revert"], ["repair"], ["history"]])
  func aCommandNamesUnknownPathsAndChangesNoPhoto(_ command: [String]) throws {
    let before = try place.snapshot()
    let paths = ["a.jpg", "none.jpg", "b.jpg", "gone/"].map { place.path("photos/\($0)") }
    let result = try Command.run([command[0]] + paths + command.dropFirst())
    #expect(result.code == 66)
    #expect(result.messages.contains("'\(paths[1])'"))
    #expect(result.messages.contains("photos/gone"))
    #expect(!result.messages.contains("a.jpg"))
    #expect(result.output == "")
    #expect(try place.snapshot() == before)
  }

  /// A mistyped path is above all a path where there is nothing, in a library or not.
  @Test(arguments: ["history", "undo", "prune", "revert", "repair", "relink"])
  func aMistypedPathOutsideOfALibraryIsMissing(_ command: String) throws {
    let result = try Command.run([command, place.path("phtos")])
    #expect(result.code == 66)
    #expect(result.messages.contains("there is no '\(place.path("phtos"))'"))
  }

  @Test func aCommandNamesAnUnknownVariant() throws {
    let photo = place.path("photos/a.jpg")
    let list = ["adjust", photo, "--list", "--variant"]
    let unknown = try Command.run(list + ["nope"])
    #expect(unknown.code == 66)
    #expect(unknown.output == "")
    #expect(unknown.messages.contains("no photo has a variant 'nope'"))
    #expect(unknown.messages.contains("hint: name a variant with --variant: 'web'"))
    #expect(try Command.run(list + ["web"]).code == 0)
  }

  /// A command refuses the state folder `.phbatch/`, and folders in it, as a library.
  @Test func theStateFolderIsRefusedAsLibrary() throws {
    let recipe = place.path("recipe.json")
    let before = try place.folder.files()
    for folder in [".phbatch", ".phbatch/trash"].map({ place.path("photos/\($0)") }) {
      let commands = [
        ["run", recipe, folder], ["run", recipe, folder, "--dry-run"], ["status", folder],
        ["verify", folder], ["watch", recipe, folder],
        ["run", recipe, place.library, "--output", folder],
      ]
      for command in commands {
        let result = try Command.run(command)
        #expect(result.code == 66, "\(command)")
        #expect(result.messages.contains("belongs to the data that phbatch keeps"), "\(command)")
      }
    }
    #expect(try place.folder.files() == before)
  }

  @Test func aCommandForAPathWithoutPhotosStatesTheReason() throws {
    let rendition = place.path("photos/a.web.jpg")
    let history = try Command.run(["history", rendition])
    #expect(history.output == "no photos: only 1 rendition\n")
    let reverted = try Command.run(["revert", rendition])
    #expect(reverted.code == 66)
    #expect(reverted.messages.contains("there is nothing to revert: only 1 rendition"))
    let repaired = try Command.run(["repair", rendition])
    #expect(repaired.output == "no photos: only 1 rendition\n")
  }
}
