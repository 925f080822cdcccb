import Foundation
import Glibc
import TestSupport
import Testing

/// A watch reports each rendition that no sidecar records once, and leaves such files to later
/// runs.
@Suite struct WatchOrphanTests {
  @Test(arguments: [false, true])
  func anOrphanIsReportedOnceAndAgainByARun(_ isNew: Bool) throws {
    let place = try Workplace()
    try place.recipe("first")
    #expect(try place.run("first").code == 0)
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg.phbatch.json"))
    try place.recipe(variant: "full", output: #""name": "full", "format": "jpeg""#)
    // The first round begins before a new file is stable.
    if isNew {
      try place.folder.write(place.folder.read("photos/a.web.jpg"), to: "photos/a.web.jpg")
    }
    let watch = try place.watch(["--format", "json"] + (isNew ? ["--settle", "1"] : []))
    #expect(try place.sync().code == 0)
    for (number, name) in ["b.jpg", "c.jpg"].enumerated() {
      try place.addPhoto(name, width: 70 + number)
      #expect(try place.sync().code == 0)
    }
    watch.send(SIGTERM)
    let done = try watch.result().events.filter { $0["event"] as? String == "asset-done" }
    let orphans = done.filter { $0["reason"] as? String == "orphan" }
    #expect(orphans.map { $0["file"] as? String } == ["a.web.jpg"])
    #expect(done.count == 4)
    for _ in 0..<2 {
      let run = try place.reasons()
      #expect(run.code == 0)
      #expect(
        run.reasons == [
          "a.jpg": "up-to-date", "a.web.jpg": "orphan", "b.jpg": "up-to-date",
          "c.jpg": "up-to-date",
        ])
    }
  }
}
