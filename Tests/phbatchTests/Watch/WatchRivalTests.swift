import Foundation
import Glibc
import TestSupport
import Testing

/// Several watches of one library.
@Suite struct WatchRivalTests {
  @Test func aSecondWatchOfARecipeIsRefused() throws {
    let place = try Workplace()
    try place.recipe()
    let first = try place.watch(["--quiet"])
    #expect(try place.sync().code == 0)
    // A copy of the recipe with other settings makes the same edit.
    try place.folder.write(
      String(decoding: place.folder.read("recipe.json"), as: UTF8.self)
        .replacingOccurrences(of: "0.5", with: "0.7"), to: "copy.json")
    for recipe in ["recipe.json", "copy.json"] {
      let second = try Command.run(["watch", place.path(recipe), place.library])
      #expect(second.code == 75)
      #expect(
        second.messages.hasPrefix(
          "Error: '\(place.library)' is already watched with org.example.recipe (variant 'web') by"
            + " 'phbatch watch \(place.path("recipe.json"))', process \(first.number) on "),
        "\(second.messages)")
    }
    #expect(try place.sync().code == 0)
    first.send(SIGTERM)
    #expect(try first.result().code == 143)
    // The ended watch does not prevent another one.
    let third = try place.watch(["--quiet"])
    #expect(try place.sync().code == 0)
    third.send(SIGKILL)
    _ = try third.result()
    let fourth = try place.watch(["--quiet"])
    #expect(try place.sync().code == 0)
    fourth.send(SIGTERM)
    #expect(try fourth.result().code == 143)
  }

  /// A watch whose recipe is replaced by another gives the former one up.
  @Test func watchesOfDifferentRecipesRunBesideEachOther() throws {
    let place = try Workplace()
    try place.recipe()
    try place.folder.write(place.folder.read("recipe.json"), to: "copy.json")
    let first = try place.watch(["--quiet"])
    #expect(try place.sync().code == 0)
    try place.recipe("big", variant: "big", output: #""name": "big", "format": "jpeg""#)
    try place.folder.write(place.folder.read("big.json"), to: "recipe.json")
    #expect(eventually { (try? place.names().contains("a.big.jpg")) == true })
    let second = try Command.start(["watch", place.path("copy.json"), place.library, "--quiet"])
    try place.addPhoto("b.jpg", width: 70)
    #expect(
      eventually {
        !second.isRunning
          || (try? Set(place.names()).isSuperset(of: ["b.web.jpg", "b.big.jpg"])) == true
      })
    for watch in [first, second] {
      watch.send(SIGTERM)
      let result = try watch.result()
      #expect(result.code == 143, "\(result.messages)")
    }
  }

  /// A changed recipe that would make the edit of another watch is not used.
  @Test func aWatchDoesNotTakeOverTheRecipeOfAnother() throws {
    let place = try Workplace()
    try place.recipe()
    try place.recipe("other", variant: "big", output: #""name": "big", "format": "jpeg""#)
    let first = try place.watch(["--quiet"])
    let second = try Command.start([
      "watch", place.path("other.json"), place.library, "--settle", "0.05", "--format", "json",
    ])
    #expect(eventually { (try? place.names().contains("a.big.jpg")) == true })
    #expect(try place.sync().code == 0)
    try place.folder.write(place.folder.read("recipe.json"), to: "other.json")
    #expect(try second.says("the last valid recipe stays in use: "))
    for watch in [first, second] {
      watch.send(SIGTERM)
      #expect(try watch.result().code == 143)
    }
  }
}
