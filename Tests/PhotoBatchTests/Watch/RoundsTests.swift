import Foundation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// The progress reports of a watch; a service manager ends a watch that does not report progress.
@Suite struct RoundsTests {
  let place: WatchedPlace

  init() throws { place = try WatchedPlace() }

  /// The rounds of a watch over a library whose files are all stable, with the recipe and the
  /// schedule that they need.
  private func rounds(
    _ change: (inout WatchOptions) throws -> Void = { _ in }
  ) throws -> (Rounds, WatchedRecipe, WatchSchedule) {
    var options = WatchOptions()
    options.batch = WatchedPlace.options
    try change(&options)
    let watch = try Watch(recipe: place.recipe, library: place.library, options: options)
    let roots = try WatchedRoots(library: place.library, output: nil)
    let rounds = Rounds(
      WatchState(roots.trees, nil, options), roots, WatchReporter { _ in }, watch.waker,
      photoTime: .seconds(1))
    let opened = try roots.open()
    rounds.withState { $0.refreshAll(in: opened, now: .now) { _ in true } }
    return (rounds, try RecipeReloader(watch).recipe, WatchSchedule(options))
  }

  /// Waits up to two hours, because the round is a task, and other tests may occupy every thread of
  /// Swift's pool.
  private func wait(until isTrue: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(7_200)
    while !isTrue() && .now < end { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// The watch reports progress while it waits for another command that holds the lock of the
  /// library.
  @Test func aWatchReportsProgressWhileItWaitsForTheLibraryLock() async throws {
    try place.addPhoto("a.png", 1)
    let lock = try await LibraryLock.acquire(
      OutputRoot.create(library: place.library), command: "run other.json")
    let (rounds, recipe, _) = try rounds()
    rounds.begin(recipe, .now)
    let first = rounds.lastSign
    try await wait { rounds.lastSign > first }
    #expect(rounds.lastSign > first && rounds.isRunning)
    rounds.stop()
    withExtendedLifetime(lock) {}
  }

  /// The watch reports progress until the time limit of the photo in progress is over, and not
  /// after it.
  @Test func aWatchReportsProgressUntilThePhotosTimeLimitIsOver() async throws {
    try place.addPhoto("a.png", 1)
    var (rounds, recipe, schedule) = try rounds { options in
      options.batch.workerExecutable = try Stub.script("hang", in: place.folder)
      options.batch.timeout = .seconds(9_000)
    }
    var deadline = recipe.batch.pool.deadline
    // On a slow machine a round may end without its photo. Later rounds skip a photo that ended a
    // worker, so each round gets another photo.
    var number = 1
    try await wait {
      rounds.collect(.now, &schedule)
      if !rounds.isRunning {
        number += 1
        try? place.addPhoto("\(number).png", number)
        rounds.begin(recipe, .now)
      }
      deadline = recipe.batch.pool.deadline
      return deadline != nil && rounds.isAlive(.now + .seconds(8_000))
    }
    #expect(try #require(deadline) > .now + .seconds(8_000))
    #expect(!rounds.isAlive(.now + .seconds(9_500)))
    rounds.stop()
    #expect(recipe.batch.pool.deadline == nil)
  }
}
