import Foundation
import Glibc
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

@Suite struct FullDiskTests {
  /// The outcome does not depend on the disk being still full after the failure: another worker may
  /// have removed its files.
  @Test func aWorkerReportsThatItCouldNotWriteARendition() throws {
    let place = try Library(["a.jpg"])
    let document = try RecipeDocument(contentsOf: place.folder["recipe.json"])
    var order = WorkOrder(recipe: try document.recipe().recipe)
    order.targets = ["web"]
    let photo = open(place.folder["photos/a.jpg"].string, O_RDONLY | O_CLOEXEC)
    let target = open("/dev/full", O_RDWR | O_CLOEXEC)
    defer { for file in [photo, target] { close(file) } }
    let worker = WorkerProcess(executable: Command.executable)
    do throws(WorkerProcess.Failure) {
      _ = try worker.ask(.render(order), descriptors: [photo, target], time: .seconds(60))
      Issue.record("a full disk has room")
    } catch {
      let failure = PhotoFailure(error)
      #expect(failure.reason == .writeFailed, "\(failure)")
      #expect(failure.code == .cannotCreate)
      #expect(failure.hint?.contains("free some disk space") == true)
    }
  }
}
