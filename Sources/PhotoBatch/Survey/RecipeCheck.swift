import Notation
import PhotoLibrary
import PhotoRecipes

/// Checks the parts of a recipe one by one in a worker process, each within a limit of memory and
/// time.
struct RecipeCheck {
  let recipe: Recipe
  /// All files that the recipe names, by their paths as they are written in the recipe.
  let files: [String: OpenFile]
  let options: BatchOptions
  let worker: WorkerProcess

  /// The flaws because of which no photo can be rendered, each once.
  ///
  /// If a part takes longer than the time limit of a photo, the check ends without the later parts.
  ///
  /// - Throws: `UncheckedRecipe` if no worker could check the recipe; `CancellationError` if the
  ///   worker was stopped.
  func flaws() throws -> [RecipeFlaw] {
    var flaws: [RecipeFlaw] = []
    var order = WorkOrder(recipe: recipe)
    order.limits = options.limits
    for (number, part) in recipe.parts.enumerated() {
      do throws(WorkerProcess.Failure) {
        let found = try flaw(of: part, number, order)
        if let found, !flaws.contains(found) { flaws.append(found) }
      } catch {
        switch error {
        case .stopped: throw CancellationError()
        case .cannotStart, .isNoWorker, .neverBegan, .noScratch:
          throw UncheckedRecipe(recipe, error)
        case .refused, .unwritable, .crashed, .outOfMemory: flaws.append(RecipeFlaw(part, error))
        case .timedOut: return flaws + [RecipeFlaw(part, error)]
        }
      }
    }
    return flaws
  }

  private func flaw(
    of part: RecipePart, _ number: Int, _ order: WorkOrder
  ) throws(WorkerProcess.Failure) -> RecipeFlaw? {
    let named = part.files.compactMap { file in files[file.path].map { (file.path, $0) } }
    var order = order
    order.files = named.map(\.0)
    let reply = try OpenFile.withDescriptors(of: named.map(\.1)) {
      descriptors throws(WorkerProcess.Failure) in
      try worker.ask(
        .check(order, part: number), descriptors: descriptors, time: options.timeout)
    }
    guard case .checked(let flaw) = reply else { return nil }
    return flaw
  }
}

/// The error of a recipe that no worker could check.
public struct UncheckedRecipe: CommandError {
  public let message: String
  public let hint: String
  public let code: ExitCode

  init(_ recipe: Recipe, _ failure: WorkerProcess.Failure) {
    let known = PhotoFailure(failure)
    message =
      "the images and texts that \(recipe.identifier) uses cannot be checked: \(known.detail ?? "")"
    hint = known.hint ?? "run 'phbatch doctor'"
    code = known.code ?? .internalError
  }
}
