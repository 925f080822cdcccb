import Foundation
import Glibc
import PhotoLibrary
import SystemPackage
import TestRandom
import TestSupport
import Testing

@testable import PhotoBatch

/// Errors of the system and of the user while a watch runs.
@Suite(.serialized) struct WatchTroubleTests {
  let place: WatchedPlace

  init() throws { place = try WatchedPlace() }

  private func isAway(_ event: WatchEvent) -> Bool {
    if case .away = event { true } else { false }
  }

  private func isBack(_ event: WatchEvent) -> Bool {
    if case .back = event { true } else { false }
  }

  /// The library is deleted, renamed or replaced by a file, and comes back later.
  ///
  /// The watch waits, and continues when the library is available again.
  @Test(arguments: ["renamed", "replaced", "removed"])
  func aLibraryThatWasRemovedAndComesBackIsWatchedAgain(_ how: String) async throws {
    try place.addPhoto("a.png", 1)
    try await place.begin()
    _ = place.takeEvents()
    let (here, there) = (place.library.string, place.folder["elsewhere"].string)
    #expect(rename(here, there) == 0)
    if how == "replaced" { try Data().write(to: URL(filePath: here)) }
    #expect(try await place.event(isAway) != nil)
    #expect(place.takeEvents().outcomes.isEmpty)
    unlink(here)
    if how == "removed" {
      // A new folder on the same disk is treated as the library.
      try place.addPhoto("b.png", 2)
    } else {
      try FileManager.default.moveItem(atPath: there, toPath: here)
      try place.addPhoto("b.png", 2)
    }
    #expect(try await place.event(isBack) != nil)
    try await place.sync()
    #expect(try place.files().contains("b.png.web.png"))
    try place.addPhoto("c.png", 3)
    try await place.sync()
    #expect(try place.files().contains("c.png.web.png"))
    try await place.end()
  }

  /// After a disk is unmounted, the library is an empty mount point.
  ///
  /// The watch does not treat the photos as removed, and writes nothing.
  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func aWatchWaitsForAnUnmountedDiskAndWritesNothing() async throws {
    let mountPoint = place.library.string
    let image = place.folder["disk"].string
    try Shell.run("truncate -s 8M '\(image)' && mkfs.ext4 -q '\(image)'")
    guard (try? Shell.run("mount -o loop '\(image)' '\(mountPoint)'")) != nil else {
      print("SKIPPED: no loop device can be mounted here")
      return
    }
    defer { try? Shell.run("umount '\(mountPoint)'") }
    try place.addPhoto("a.png", 1)
    try await place.begin()
    _ = place.takeEvents()
    try Shell.run("umount '\(mountPoint)'")
    #expect(try await place.event(isAway) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: mountPoint) == [])
    try Shell.run("mount -o loop '\(image)' '\(mountPoint)'")
    try place.addPhoto("b.png", 2)
    #expect(try await place.event(isBack) != nil)
    try await place.sync()
    #expect(try place.files().contains("b.png.web.png"))
    #expect(place.takeEvents().outcomes.map(\.photo) == ["b.png"])
    try await place.end()
  }

  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func aWatchReportsAFullDiskAndTriesThePhotoAgain() async throws {
    try Shell.run("mount -t tmpfs -o size=1m tmpfs '\(place.library.string)'")
    defer { try? Shell.run("umount -l '\(place.library.string)'") }
    try await place.begin()
    // The rendition needs as much space as the photo, but the disk has less space left.
    let photo = try SyntheticPhoto.noise(width: 400, height: 300)
    try #require((100 << 10..<800 << 10).contains(photo.count))
    try place.folder.write(
      [UInt8](repeating: 0, count: (900 << 10) - photo.count), to: "photos/filler.bin")
    try place.folder.write(photo, to: "photos/a.png")
    #expect(
      try await place.event { event in
        switch event {
        case .run(.finished(let outcome)): outcome.reason.outcome == .failed
        case .warning(let text, _): text.contains("tried again")
        default: false
        }
      } != nil)
    try place.remove("filler.bin")
    place.reload()
    try await place.sync()
    #expect(try place.files().contains("a.png.web.png"))
    try await place.end()
  }

  @Test func aWatchUsesTheRecipeAfterItHasChanged() async throws {
    try place.addPhoto("a.png", 1)
    try await place.begin()
    let before = try place.folder.read("photos/a.png.web.png")
    try place.writeRecipe(stops: 1)
    #expect(try await place.event { if case .reloaded = $0 { true } else { false } } != nil)
    try await place.sync()
    #expect(try place.folder.read("photos/a.png.web.png") != before)
    #expect(try await FreshRun(place).differences == [])
    try await place.end()
  }

  /// While the recipe is invalid or missing, the last valid recipe stays in use.
  @Test(arguments: [true, false])
  func aWatchKeepsTheLastValidRecipeWhileTheFileIsInvalidOrMissing(_ isRemoved: Bool) async throws {
    try await place.begin()
    if isRemoved {
      unlink(place.recipe.string)
    } else {
      try place.folder.write(
        WatchedPlace.recipeText().replacingOccurrences(of: "exposure", with: "exposur"),
        to: "recipe.json")
    }
    let warning = try await place.event { if case .warning = $0 { true } else { false } }
    guard case .warning(let text, _)? = warning else {
      Issue.record("no warning")
      return
    }
    #expect(text.contains(isRemoved ? "recipe.json" : "exposure"))
    try place.addPhoto("a.png", 1)
    try await place.sync()
    #expect(try place.files().contains("a.png.web.png"))
    try place.writeRecipe(stops: 1)
    #expect(try await place.event { if case .reloaded = $0 { true } else { false } } != nil)
    try await place.sync()
    #expect(place.takeEvents().warnings.count == 1)
    #expect(try await FreshRun(place).differences == [])
    try await place.end()
  }

  @Test func aWatchNoticesAChangeOfTheRecipeThatItsRecipeExtends() async throws {
    try place.folder.write(WatchedPlace.recipeText(), to: "base/base.json")
    try place.folder.write(#"{ "extends": "base/base.json" }"#, to: "recipe.json")
    try place.addPhoto("a.png", 1)
    try await place.begin()
    let before = try place.folder.read("photos/a.png.web.png")
    try place.folder.write(WatchedPlace.recipeText(stops: 1), to: "base/base.json")
    #expect(try await place.event { if case .reloaded = $0 { true } else { false } } != nil)
    try await place.sync()
    #expect(try place.folder.read("photos/a.png.web.png") != before)
    try await place.end()
  }

  /// A change of the recipe is noticed if a symbolic link in the recipe's path is replaced, as in a
  /// Kubernetes volume.
  @Test func aWatchNoticesAReplacedLinkInThePathOfTheRecipe() async throws {
    func publish(_ stops: Double, as version: String) throws {
      try place.folder.write(WatchedPlace.recipeText(stops: stops), to: "\(version)/recipe.json")
      #expect(symlink(version, place.folder["data.new"].string) == 0)
      #expect(rename(place.folder["data.new"].string, place.folder["data"].string) == 0)
    }
    unlink(place.recipe.string)
    #expect(symlink("data/recipe.json", place.recipe.string) == 0)
    try publish(0.5, as: "first")
    try place.addPhoto("a.png", 1)
    try await place.begin()
    var before = try place.folder.read("photos/a.png.web.png")
    func follows() async throws {
      _ = place.takeEvents()
      #expect(try await place.event { if case .reloaded = $0 { true } else { false } } != nil)
      try await place.sync()
      let after = try place.folder.read("photos/a.png.web.png")
      #expect(after != before)
      before = after
    }
    try publish(1, as: "second")
    try await follows()
    try place.folder.write(WatchedPlace.recipeText(stops: 0.7), to: "second/recipe.json")
    try await follows()
    try await place.end()
  }

  @Test func aFileThatKeepsGrowingDoesNotBlockOtherPhotos() async throws {
    try await place.begin()
    let file = try place.makeFile("growing.png")
    let writer = Task {
      while !Task.isCancelled {
        try file.write(contentsOf: Data([1]))
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    for number in 0..<3 {
      try place.addPhoto("\(number).png", number)
      let wanted = FilePath("\(number).png")
      #expect(
        try await place.event {
          if case .run(.finished(let outcome)) = $0 { outcome.path == wanted } else { false }
        } != nil)
    }
    await #expect(throws: NotSettled.self) {
      try await WatchSync(place.library).run(atMost: .milliseconds(100))
    }
    writer.cancel()
    #expect(try !place.files().contains("growing.png.web.png"))
    try await place.end()
  }

  @Test func aPhotoIsFoundAmongManyEmptyFoldersAndALinkLoop() async throws {
    for number in 0..<(TestVolume.isWhole ? 10_000 : 1_000) {
      try place.makeFolder("\(number / 100)/\(number)")
    }
    #expect(symlink("..", place.library.appending("loop").string) == 0)
    try await place.begin()
    try place.addPhoto("7/777/a.png", 1)
    try await place.sync()
    #expect(try place.files().filter { $0.hasSuffix(".web.png") } == ["7/777/a.png.web.png"])
    try await place.end()
  }

  @Test func aSyncFailsIfNoWatchIsRunning() async throws {
    await #expect(throws: MissingInput.self) {
      try await WatchSync(place.library).run(atMost: .seconds(1))
    }
    #expect(throws: MissingInput.self) { try WatchSync(place.folder["none"]) }
    let watch = try Watch(recipe: place.recipe, library: place.folder["none"])
    await #expect(throws: MissingInput.self) { try await watch.run { _ in } }
  }
}
