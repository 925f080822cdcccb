import PhotoBatch
import SystemPackage

enum RenderFolder {
  static func main() async throws {
    Worker.runIfAsked()
    let batch = try Batch(recipe: "web.json", library: "Photos")
    let summary = try await batch.run { event in
      if case .finished(let photo) = event { print(photo.path, photo.reason.rawValue) }
    }
    print(summary.renditions, "renditions in", summary.bytes, "bytes")
  }
}
