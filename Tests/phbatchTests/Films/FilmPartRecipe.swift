import TestSupport
import Testing

extension Workplace {
  /// Writes a recipe with one output, `part`; further keys and outputs can follow its `output`.
  func writeFilmRecipe(_ output: String, filters: String = "") throws {
    try folder.write(
      """
      { "identifier": "org.example.part", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ { "name": "part", \(output) } ] }
      """, to: "recipe.json")
  }
}

/// Expects equal times in seconds, within the unit of containers that state milliseconds.
func expectEqualTimes(_ found: [Double], _ wanted: [Double]) {
  #expect(found.count == wanted.count)
  for (first, second) in zip(found, wanted) { #expect(abs(first - second) < 0.002) }
}
