import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// Detects that another folder, such as a mounted disk, has taken the place of a watched library.
@Suite struct LibraryPresenceTests {
  let folder: TemporaryFolder
  let library: FilePath

  init() throws {
    folder = try TemporaryFolder()
    library = folder["disk/photos"]
    try FileManager.default.createDirectory(
      atPath: library.string, withIntermediateDirectories: true)
  }

  private func finding(_ presence: inout LibraryPresence) -> String {
    switch presence.check() {
    case .here: "here"
    case .replaced: "replaced"
    case .away: "away"
    }
  }

  private func mount(_ path: FilePath) throws {
    try #require(Glibc.mount("tmpfs", path.string, "tmpfs", 0, "size=1m") == 0)
  }

  /// A disk that is mounted over the library, or over a folder above it, becomes the library,
  /// whether the disk is empty or has photos.
  @Test(
    .enabled(if: geteuid() == 0, "mounting needs root"),
    arguments: ["disk/photos", "disk"], [true, false])
  func aDiskMountedOverTheLibraryBecomesTheWatchedLibrary(_ place: String, _ isEmpty: Bool) throws {
    var presence = try LibraryPresence(library: library, output: nil)
    #expect(finding(&presence) == "here")
    try mount(folder[place])
    defer { umount2(folder[place].string, Int32(MNT_DETACH)) }
    try FileManager.default.createDirectory(
      atPath: library.string, withIntermediateDirectories: true)
    if !isEmpty { try folder.write("photo", to: "disk/photos/a.jpg") }
    #expect(finding(&presence) == "replaced")
    #expect(finding(&presence) == "here")
    // Then the disk is unmounted.
    #expect(umount2(folder[place].string, Int32(MNT_DETACH)) == 0)
    #expect(finding(&presence) == "away")
    try mount(folder[place])
    try folder.write("photo", to: "disk/photos/trip/b.jpg")
    #expect(finding(&presence) != "away")
  }

  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func aLibraryPathWhoseLinkChangesLeadsToTheNewLibrary() throws {
    let link = folder["link"]
    #expect(symlink(library.string, link.string) == 0)
    var presence = try LibraryPresence(library: link, output: nil)
    try FileManager.default.createDirectory(
      atPath: folder["other"].string, withIntermediateDirectories: true)
    try mount(folder["other"])
    defer { umount2(folder["other"].string, Int32(MNT_DETACH)) }
    try FileManager.default.createDirectory(
      atPath: folder["other/photos"].string, withIntermediateDirectories: true)
    #expect(unlink(link.string) == 0)
    #expect(symlink(folder["other/photos"].string, link.string) == 0)
    #expect(finding(&presence) == "replaced")
    #expect(finding(&presence) == "here")
  }

  /// The kernel reports no event when a disk is mounted, so the watch checks the library at least
  /// every minute.
  @Test func theWatchChecksAtLeastEveryMinuteWhetherADiskWasMounted() {
    let schedule = WatchSchedule(WatchOptions())
    let now = ContinuousClock.now
    #expect(schedule.nextTime(now, polls: false, hasChanges: false) <= now + .seconds(60))
  }
}
