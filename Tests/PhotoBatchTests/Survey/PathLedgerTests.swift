import Dispatch
import Notation
import PhotoRecipes
import Synchronization
import SystemPackage
import Testing

@testable import PhotoBatch

/// The results of checking photos against a recipe's conditions, which the plans of several photos
/// need.
@Suite struct PathLedgerTests {
  private let recipe: Recipe
  private let ledger: PathLedger

  init() throws {
    let text = """
      {"identifier": "org.example.ledger", "version": "1.0.0",
       "select": {"where": {"width": ">=9"}},
       "filters": [{"filter": "exposure", "stops": 1}],
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """
    recipe = try RecipeDocument(SourceText(name: "recipe", text: text)) { file throws(Problem) in
      throw .missingFile(file.path)
    }.recipe().recipe
    ledger = PathLedger(
      originals: [], claims: [:], planned: (photos: [], paths: RenditionPaths(of: recipe)))
  }

  /// Several threads may need the result at the same time.
  @Test(arguments: [true, false]) func aRunChecksAPhotoOnce(_ isMet: Bool) {
    let condition = isMet ? nil : recipe.selection.conditions.first
    #expect((condition == nil) == isMet)
    let checks = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 20) { number in
      let found = try? ledger.unmetCondition(of: number.isMultiple(of: 2) ? "a.jpg" : "b.jpg") {
        checks.add(1, ordering: .relaxed)
        return condition
      }
      #expect(found == condition)
    }
    let count = checks.load(ordering: .relaxed)
    #expect(count == 2)
  }

  @Test func aFailedCheckIsRepeated() throws {
    #expect(throws: PhotoFailure.self) {
      try ledger.unmetCondition(of: "a.jpg") { () throws(PhotoFailure) in
        throw PhotoFailure(.truncated)
      }
    }
    let condition = recipe.selection.conditions.first
    let found = try ledger.unmetCondition(of: "a.jpg") { condition }
    #expect(found == condition)
  }

  /// The studio changes the recipe while it uses one ledger.
  @Test func outsideOfRunsEveryCheckCounts() throws {
    let ledger = PathLedger(originals: [], claims: [:], planned: nil)
    let condition = recipe.selection.conditions.first
    for unmet in [condition, nil] {
      let found = try ledger.unmetCondition(of: "a.jpg") { unmet }
      #expect(found == unmet)
    }
  }
}
