import PhotoBatch
import PhotoRecipes
import SystemPackage

/// The code examples of `docs/library.md`.
///
/// They are compiled so that the page stays correct; they do not run.
enum LibraryPage {
  static func run() async throws {
    Worker.runIfAsked()
    let batch = try Batch(recipe: "web.json", library: "Photos")
    let summary = try await batch.run { event in
      if case .finished(let photo) = event { print(photo.path, photo.reason.rawValue) }
    }
    print(summary.renditions, "renditions in", summary.bytes, "bytes")
  }

  static func runWithOptions() async throws -> RunSummary {
    var options = BatchOptions()
    options.output = "public"
    options.jobs = 2
    options.memory = 1 << 30
    options.assignments = [try Assignment(argument: "edge=1200")]
    let batch = try Batch(recipe: "web.json", library: "Photos", options: options)
    return try await batch.run { _ in }
  }
}
