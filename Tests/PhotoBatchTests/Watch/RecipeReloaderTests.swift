import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

@Suite struct RecipeReloaderTests {
  /// A recipe that no worker could check is checked again after a while, even if it is unchanged.
  @Test func aRecipeThatNoWorkerCouldCheckIsCheckedAgain() throws {
    let place = try WatchedPlace()
    var options = WatchOptions()
    options.batch = WatchedPlace.options
    options.batch.workerExecutable = place.folder["worker"].string
    let watch = try Watch(recipe: place.recipe, library: place.library, options: options)
    var reloader = try RecipeReloader(watch)
    let reporter = WatchReporter { _ in }
    let start = ContinuousClock.now
    func follow(after time: Duration) -> Bool {
      reloader.follow(nil, start + time, settle: .seconds(2), isBusy: false, reporter)
      return reloader.takeChange()
    }
    #expect(!follow(after: .zero))
    try place.folder.write(
      WatchedPlace.recipeText().replacingOccurrences(
        of: #""filters": ["#, with: #""filters": [ {"filter": "text", "content": "a"},"#),
      to: "recipe.json")
    #expect(!follow(after: .seconds(1)))
    #expect(!follow(after: .seconds(3)))
    try FileManager.default.createSymbolicLink(
      atPath: place.folder["worker"].string, withDestinationPath: Command.executable)
    #expect(!follow(after: .seconds(30)))
    #expect(follow(after: .seconds(3) + RecipeReloader.pause + .seconds(2)))
    #expect(!follow(after: .seconds(100)))
  }
}
