import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender

/// Decodes a whole image in a worker, to check whether an edit can start from it.
struct DecodeCheck {
  let context: EditContext
  let worker: WorkerProcess

  /// A recipe without filters, because only decoding matters.
  private static let recipe = SourceText(
    name: "decode check",
    text: """
      { "identifier": "org.phbatch.check", "version": "1.0.0",
        "outputs": [ { "name": "check", "format": "jpeg" } ] }
      """)

  /// The longer edge of the pictures that the worker renders for the check, in pixels.
  private static let edge = 64

  /// Throws the reason why the image cannot be decoded; `inputs` are the allowed formats.
  func run(_ image: OpenFile, _ inputs: InputSettings) throws(PhotoFailure) {
    var recipe = try PhotoFailure.attempt {
      try RecipeDocument(Self.recipe) { file throws(Problem) in throw .missingFile(file.path) }
        .recipe().recipe
    }
    recipe.inputs = inputs
    var order = WorkOrder(recipe: recipe)
    order.limits = context.options.limits
    order.targets = [Graph.Preview.before, Graph.Preview.after]
    order.displayEdge = Self.edge
    let targets = try PhotoFailure.attempt { [try TemporaryFile(), try TemporaryFile()] }
    do throws(WorkerProcess.Failure) {
      _ = try OpenFile.withDescriptors(of: [image]) { descriptors throws(WorkerProcess.Failure) in
        try worker.ask(
          .preview(order), descriptors: descriptors + targets.map(\.descriptor),
          time: context.options.timeout)
      }
    } catch { throw PhotoFailure(error) }
  }
}
