import PhotoBatch
import PhotoRecipes
import SystemPackage

func renderSmall() async throws -> RunSummary {
  var options = BatchOptions()
  options.output = "public"
  options.jobs = 2
  options.memory = 1 << 30
  options.assignments = [try Assignment(argument: "edge=1200")]
  let batch = try Batch(recipe: "web.json", library: "Photos", options: options)
  return try await batch.run { _ in }
}
