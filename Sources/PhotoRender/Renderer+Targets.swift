import Glibc
import PhotoRecipes
public import Vips

extension Renderer {
  /// Plans a photo and renders every output of the recipe.
  ///
  /// The parameters have the same meaning as in `render` with a plan.
  public func render(
    _ photo: PhotoFile, into targets: [String: Int32], monitor: Monitor? = nil
  ) throws(RenderError) -> Rendering {
    try render(plan(photo), into: targets, monitor: monitor)
  }

  /// Renders every output of the recipe.
  ///
  /// libvips reports damaged files to the whole process: renderings on two threads take each other's
  /// warnings, so that an intact photo fails as damaged, and a damaged photo is rendered. A process
  /// that must know which photo is damaged renders one photo at a time, as the workers of a batch do.
  ///
  /// - Parameters:
  ///   - plan: The plan that this renderer made for the photo.
  ///   - targets: An empty file for each output, by the output's name: a descriptor open for
  ///     reading and writing. An output that is narrower than its `minWidth` needs none.
  ///   - monitor: Reports progress and can cancel the rendering.
  /// - Returns: The renditions, in the order of the recipe, and warnings.
  /// - Throws: `unusableTarget` if a file is missing, belongs to no output or is not empty;
  ///   `unwritable` if writing failed; otherwise the reason why the photo could not be rendered. The
  ///   files are then unusable.
  public func render(
    _ plan: RenderPlan, into targets: [String: Int32], monitor: Monitor? = nil
  ) throws(RenderError) -> Rendering {
    try check(targets, for: plan.outputs)
    return try RenderError.writing(targets.values) { () throws(RenderError) in
      try rendering(of: plan, into: targets, monitor)
    }
  }

  private func check(
    _ targets: [String: Int32], for outputs: [Output]
  ) throws(RenderError) {
    let films = recipe.outputs.filter(recipe.keepsFilm).map { PairedFilm.name(of: $0.name) }
    let names = Set(recipe.outputs.map(\.name) + films)
    for output in outputs where output.minWidth == nil && targets[output.name] == nil {
      throw .unusableTarget(output: output.name, "it has no file")
    }
    for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
      guard names.contains(name) else {
        throw .unusableTarget(output: name, "the recipe has no such output")
      }
      let flags = fcntl(target, F_GETFL)
      let size = lseek(target, 0, SEEK_END)
      if flags < 0 || size < 0 {
        throw .unusableTarget(output: name, "its descriptor is not that of an open file")
      }
      guard flags & O_ACCMODE == O_RDWR else {
        throw .unusableTarget(output: name, "its file is not open for reading and writing")
      }
      if size > 0 { throw .unusableTarget(output: name, "its file is not empty") }
    }
  }
}
