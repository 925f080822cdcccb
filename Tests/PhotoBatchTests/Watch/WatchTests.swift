import Foundation
import Glibc
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A watch over photos that arrive, change and are removed.
@Suite struct WatchTests {
  let place: WatchedPlace

  init() throws { place = try WatchedPlace() }

  @Test func aWatchRendersExistingAndNewPhotos() async throws {
    try place.addPhoto("a.png", 1)
    try await place.begin()
    #expect(try place.files() == ["a.png", "a.png.phbatch.json", "a.png.web.png"])
    try place.addPhoto("new/folder/b.png", 2)
    try await place.sync()
    #expect(try place.files().contains("new/folder/b.png.web.png"))
    let outcomes = place.takeEvents().outcomes
    #expect(outcomes.map(\.photo) == ["a.png", "new/folder/b.png"])
    #expect(outcomes.allSatisfy { $0.reason == .rendered })
    try await place.end()
  }

  /// The watch's own files cause no work: after a sync, no photo is due.
  @Test func renditionsAndSidecarsOfAWatchCauseNoFurtherWork() async throws {
    try await place.begin()
    for number in 0..<10 {
      try place.addPhoto("\(number).png", number)
      try await place.sync()
    }
    try await place.sync()
    let rounds = place.takeEvents().filter { if case .finished = $0 { true } else { false } }.count
    // There is one round without photos and one for each photo. Some photos may take two rounds,
    // because they may be found before they are complete. If renditions were treated as changes,
    // all photos would take two rounds.
    #expect(rounds <= 16)
    try await place.sync()
    #expect(place.takeEvents().filter { if case .finished = $0 { true } else { false } }.isEmpty)
    try await place.end()
  }

  @Test func aWatchRendersAChangedPhotoAgain() async throws {
    try place.addPhoto("a.png", 1)
    try await place.begin()
    let before = try place.folder.read("photos/a.png.web.png")
    try place.addPhoto("a.png", 2)
    try await place.sync()
    #expect(try place.folder.read("photos/a.png.web.png") != before)
    #expect(try await FreshRun(place).differences == [])
    try place.remove("a.png.web.png")
    try await place.sync()
    #expect(try await FreshRun(place).differences == [])
    try await place.end()
  }

  /// A photo without the metadata that a step needs fails, as in a run.
  @Test func aPhotoWithoutTheRequiredDepthMapFailsInAWatch() async throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.web", "version": "1.0.0", "variant": "web",
        "filters": [ { "filter": "invert", "mask": { "matte": { "of": "skin" } } } ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    try place.addPhoto("a.png", 1)
    try await place.begin()
    let outcomes = place.takeEvents().compactMap { event -> AssetOutcome? in
      if case .run(.finished(let outcome)) = event { outcome } else { nil }
    }
    #expect(outcomes.map(\.reason) == [.fileMissing])
    #expect(outcomes.first?.detail?.contains("has no") == true)
    try await place.end()
  }

  /// A photo that is open for writing is not read, even if it is unchanged.
  @Test func aWatchDoesNotReadAPhotoThatIsOpenForWriting() async throws {
    try await place.begin()
    let photo = try WatchedPlace.photo(1)
    let file = try place.makeFile("a.png")
    try file.write(contentsOf: Data(photo.prefix(photo.count / 2)))
    try place.addPhoto("b.png", 2)
    // a.png was written before b.png, so when b.png is stable, only the open file keeps a.png from
    // being stable.
    #expect(try await place.event { if case .run(.finished) = $0 { true } else { false } } != nil)
    #expect(try place.files() == ["a.png", "b.png", "b.png.phbatch.json", "b.png.web.png"])
    try file.write(contentsOf: Data(photo.dropFirst(photo.count / 2)))
    try file.close()
    try await place.sync()
    #expect(place.takeEvents().outcomes.map(\.photo) == ["b.png", "a.png"])
    try await place.end()
  }

  /// A failed photo is reported once, and again when it changes.
  @Test func aWatchReportsAFailedPhotoOnceUntilItChanges() async throws {
    try place.folder.write(Array(WatchedPlace.photo(1).prefix(100)), to: "photos/half.png")
    try await place.begin()
    // A photo that becomes stable during its first round is tried once more.
    try await place.sync()
    #expect(place.takeEvents().outcomes.map(\.reason.outcome) == [.failed])
    for number in 0..<3 {
      try place.addPhoto("\(number).png", number)
      try await place.sync()
    }
    let events = place.takeEvents()
    #expect(!events.outcomes.contains { $0.photo == "half.png" })
    // The failed photo is not tried again when other photos arrive.
    let counts = events.compactMap { event in
      if case .finished(let summary) = event { summary.counts } else { nil }
    }
    #expect(!counts.contains { $0.keys.contains { $0.outcome == .failed } }, "\(counts)")
    try place.addPhoto("half.png", 4)
    try await place.sync()
    #expect(place.takeEvents().outcomes.map(\.reason) == [.rendered])
    try await place.end()
  }

  /// A failed photo is not tried again when other files are removed.
  @Test func aFailedPhotoIsNotTriedAgainWhenOtherFilesAreRemoved() async throws {
    try place.folder.write(Array(WatchedPlace.photo(1).prefix(100)), to: "photos/half.png")
    for number in 0..<3 { try place.addPhoto("\(number).png", number) }
    try await place.begin()
    #expect(place.takeEvents().outcomes.contains { $0.photo == "half.png" })
    // The answer to a sync shows that the folder has been scanned.
    try await place.sync()
    for number in 0..<3 {
      try place.remove("\(number).png")
      try place.remove("\(number).png.phbatch.json")
      try await place.sync()
    }
    let events = place.takeEvents()
    #expect(!events.outcomes.contains { $0.photo == "half.png" })
    let counts = events.compactMap { event in
      if case .finished(let summary) = event { summary.counts } else { nil }
    }
    #expect(!counts.contains { $0.keys.contains { $0.outcome == .failed } }, "\(counts)")
    try await place.end()
  }

  /// The file at the rendition's path is removed, so the user no longer has to act, and the photo
  /// is rendered.
  @Test func aPhotoIsRenderedOnceTheFileAtItsOutputPathIsRemoved() async throws {
    try place.addPhoto("a.png", 1)
    try place.folder.write("mine", to: "photos/a.png.web.png")
    try await place.begin()
    let before = place.takeEvents().outcomes.filter { $0.photo == "a.png" }
    #expect(before.map(\.reason) == [.occupied])
    try place.remove("a.png.web.png")
    try await place.sync()
    #expect(place.takeEvents().outcomes.map(\.reason) == [.rendered])
    try await place.end()
  }

  @Test func aCollisionEndsWhenTheRecipeNoLongerSelectsTheOtherPhoto() async throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.web", "version": "1.0.0",
        "select": { "where": { "rating": ">=3" } },
        "filters": [ { "filter": "exposure", "stops": 0.5 } ],
        "outputs": [ { "name": "web", "format": "png", "path": "{root}/web/{name}.{ext}" } ]
      }
      """, to: "recipe.json")
    for folder in ["a", "b"] {
      try place.addPhoto("\(folder)/x.png")
      try place.rate("\(folder)/x.png", 5)
    }
    try await place.begin()
    let before = place.takeEvents().outcomes.sorted { $0.photo < $1.photo }
    #expect(before.map(\.photo) == ["a/x.png", "b/x.png"])
    #expect(before.map(\.reason) == [.collision, .collision])
    try place.rate("b/x.png", 1)
    try await place.sync()
    let after = place.takeEvents().outcomes
    #expect(after.map(\.photo) == ["a/x.png"] && after.map(\.reason) == [.rendered], "\(after)")
    try await place.end()
  }

  @Test(arguments: [true, false])
  func aPhotoWaitsWhileItsCompanionIsOpenForWriting(_ isLate: Bool) async throws {
    // The photo may wait for its companion for an hour, because other tests use the cores and can
    // slow this one down.
    try await place.begin { options in options.patience = .seconds(3600) }
    let file = try place.makeFile("a.xmp")
    try place.addPhoto(isLate ? "a.png" : "b.png", 1)
    try place.addPhoto("c.png", 2)
    let wanted = isLate ? "c.png" : "b.png"
    #expect(
      try await place.event {
        if case .run(.finished(let outcome)) = $0 { outcome.path.string == wanted } else { false }
      } != nil)
    #expect(try !place.files().contains("a.png.web.png"))
    try file.close()
    try await place.sync()
    #expect(try place.files().contains("a.png.web.png") == isLate)
    try await place.end()
  }

  @Test func aWatchFindsNewPhotosByPolling() async throws {
    try await place.begin { options in options.poll = .milliseconds(200) }
    try place.addPhoto("new/a.png", 1)
    try await place.sync()
    #expect(try place.files().contains("new/a.png.web.png"))
    try place.addPhoto("new/b.png", 2)
    #expect(
      try await place.event {
        if case .run(.finished(let outcome)) = $0 { outcome.path == "new/b.png" } else { false }
      } != nil)
    try await place.end()
  }

  @Test func theWarningAboutTheLimitOfWatchedFoldersNamesTheSetting() async throws {
    for number in 0..<60 { try place.makeFolder("\(number)") }
    try await place.begin { options in options.events = try? Inotify(limit: 50) }
    let warnings = place.takeEvents().warnings
    #expect(warnings.contains { $0.contains("sysctl fs.inotify.max_user_watches=") })
    for number in 0..<60 { try place.addPhoto("\(number)/b.png", number) }
    try await place.sync()
    #expect(try place.files().filter { $0.hasSuffix(".web.png") }.count == 60)
    try await place.end()
  }

  @Test func aWatchRendersPhotosIntoASeparateOutputFolder() async throws {
    try place.addPhoto("in/a.png", 1)
    try place.folder.write("", to: "out/.keep")
    let output = place.folder["out"]
    let watch = try Command.start([
      "watch", place.recipe.string, place.library.string, "--output", output.string, "--settle",
      "0.05", "--format", "json",
    ])
    let rendition = place.folder["out/in/a.png.web.png"].string
    while watch.isRunning, !FileManager.default.fileExists(atPath: rendition) { usleep(2_000) }
    try place.addPhoto("in/b.png", 2)
    #expect(try Command.run(["watch", "--sync", output.string]).code == 0)
    #expect(try place.files() == ["in/a.png", "in/b.png"])
    unlink(rendition)
    #expect(try Command.run(["watch", "--sync", output.string]).code == 0)
    #expect(FileManager.default.fileExists(atPath: rendition))
    // The watch has another output root, so a sync of the library itself finds no watch.
    #expect(try Command.run(["watch", "--sync", place.library.string]).code == 66)
    watch.send(SIGINT)
    #expect(try watch.result().code == 130)
  }

  /// A photo with a date in the future or the past becomes stable like any other, because stability
  /// is measured with a monotonic clock.
  @Test func aPhotoWithAFutureOrPastDateBecomesStableLikeAnyOther() async throws {
    try await place.begin()
    for (name, year) in [("future.png", 2_100), ("past.png", 1_971)] {
      try place.addPhoto(name, year % 100)
      var times = [timeval(tv_sec: (year - 1_970) * 31_557_600, tv_usec: 0)]
      times.append(times[0])
      utimes(place.library.appending(name).string, times)
    }
    try await place.sync()
    #expect(try place.files().filter { $0.hasSuffix(".web.png") }.count == 2)
    try await place.end()
  }
}
