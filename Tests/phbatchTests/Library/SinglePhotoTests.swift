import Foundation
import TestSupport
import Testing

/// `status PHOTO` and `explain RECIPE PHOTO` read only the files that concern the photo.
@Suite struct SinglePhotoTests {
  /// A library of folders that contain one photo each; a recipe was run over the library.
  private func library(_ count: Int, output: String) throws -> Workplace {
    let place = try Workplace([])
    for number in 0..<count { try place.addPhoto("\(number)/a.png", width: 8, height: 8) }
    try place.recipe(output: output)
    _ = try place.run("recipe", "--durability", "none")
    return place
  }

  private func commands(_ place: Workplace, _ photo: String) -> [[String]] {
    let (photo, recipe) = (place.path("photos/\(photo)"), place.path("recipe.json"))
    return [
      ["status", photo], ["status", photo, "--why"], ["status", photo, "--recipe", recipe],
      ["explain", recipe, photo],
    ]
  }

  @Test(arguments: [
    #""name": "web", "format": "png""#,
    #""name": "web", "format": "png", "path": "web/{stem}.png""#,
  ])
  func statusAndExplainReadOnlyTheFolderOfThePhoto(_ output: String) throws {
    let place = try library(60, output: output)
    try place.recipe(stops: 1, output: output)
    let opened = OpenedFiles((0..<60).map { place.path("photos/\($0)") })
    for command in commands(place, "7/a.png") {
      _ = opened.take()
      let result = try Command.run(command)
      #expect(result.code == 0, "\(result.messages)")
      #expect(Array(opened.take().keys) == [place.path("photos/7")])
      if command[0] == "status" {
        #expect(result.output.hasPrefix("7/a.png\n"))
        #expect(result.output.contains("1 photo: "))
      } else {
        #expect(result.output.contains("7/a.png: resume\n    web: recipe changed"))
      }
    }
  }

  /// `status` gives a single photo the same result as in the list of the whole library.
  @Test func statusOfASinglePhotoEqualsItsStatusInTheLibrary() throws {
    let output = #""name": "web", "format": "png""#
    let place = try library(3, output: output)
    try FileManager.default.removeItem(atPath: place.path("photos/1/a.web.png"))
    try place.recipe(stops: 1, output: output)
    let recipe = ["--recipe", place.path("recipe.json"), "--why"]
    let whole = try Command.run(["status", place.library] + recipe).output
    for number in 0..<3 {
      let one = try Command.run(["status", place.path("photos/\(number)/a.png")] + recipe)
      let lines = one.output.split(separator: "\n").dropLast().joined(separator: "\n")
      #expect(whole.contains(lines + "\n"), "\(one.output)")
    }
  }

  /// `status` and `explain` report that another photo's rendition already has the path of a new
  /// rendition.
  @Test func statusAndExplainReportCollisionsWithOtherFolders() throws {
    let place = try library(3, output: #""name": "web", "format": "png""#)
    try place.addPhoto("1/all/a.png", width: 8, height: 8)
    _ = try place.run()
    let recipe = try place.recipe(
      "all", variant: "all",
      output: #""name": "all", "format": "png", "path": "all/{stem}.web.png""#)
    let photo = place.path("photos/1/a.png")
    for command in [["status", photo, "--recipe", recipe], ["explain", recipe, photo]] {
      let result = try Command.run(command)
      #expect(
        result.output.contains("'1/all/a.web.png' belongs to '1/all/a.png'"), "\(result.output)")
    }
  }

  /// `status` does not treat a rendition or a file of another library as a photo.
  @Test(arguments: [
    ["{root}/all/{folder}/{stem}-x.png", "all/1/a-x.png"], ["x/{stem}-x.png", "1/x/a-x.png"],
  ])
  func statusRefusesPathsOfFilesThatAreNotPhotosOfTheLibrary(_ paths: [String]) throws {
    let place = try library(
      2, output: #""name": "web", "format": "png", "path": "\#(paths[0])""#)
    try place.addPhoto("b/nested/c.png")
    try FileManager.default.createDirectory(
      atPath: place.path("photos/b/.phbatch"), withIntermediateDirectories: true)
    for name in [paths[1], "b/nested/c.png"] {
      let photo = place.path("photos/\(name)")
      let result = try Command.run(["status", photo, "--library", place.library])
      #expect(result.code == 66, "\(result.output)")
      #expect(result.messages.contains("there is no photo at"))
    }
  }

  /// `status` also plans for other values of `--previous`, but does not read the photo again for
  /// these plans.
  @Test func statusReadsAPhotoOnceForAllValuesOfPrevious() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.recipe(stops: 1)
    let opened = OpenedFiles([place.path("photos/a.jpg")])
    func count(_ command: [String]) throws -> Int {
      _ = opened.take()
      _ = try Command.run(command)
      return opened.take().values.reduce(0, +)
    }
    let recipe = place.path("recipe.json")
    let plain = try count(["status", place.library])
    let plan = try count(["run", recipe, place.library, "--dry-run"])
    #expect(plan > 0)
    #expect(try count(["status", place.library, "--recipe", recipe]) <= plain + plan)
  }
}
