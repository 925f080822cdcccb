import PhotoRecipes
public import Vips

extension Renderer {
  /// Plans the previews of a photo whose header was read.
  ///
  /// - Throws: `RenderError` for a photo that exceeds a limit or cannot be rendered by the recipe.
  public func previewPlan(
    _ photo: PhotoFile, _ header: PhotoHeader, _ size: PreviewSize
  ) throws(RenderError) -> PreviewPlan {
    try PreviewPlan(photo, header, recipe, size, files: files, limits, lenses)
  }

  /// Renders previews of a recipe's outputs: the recipe's graph, computed at display size.
  ///
  /// - Parameters:
  ///   - plan: The plan that this renderer made for the photo.
  ///   - targets: Empty files for `Graph.Preview.before`, `.after` and `.output`: descriptors open
  ///     for reading and writing. The `.output` file of the output that is also `.after` stays
  ///     empty.
  ///   - monitor: Reports progress and can cancel the rendering.
  /// - Returns: The outputs with the sizes that a full rendering gives them, and the warnings of
  ///   libvips.
  /// - Throws: The reason why the photo could not be rendered; the files are then unusable.
  public func preview(
    _ plan: PreviewPlan, into targets: [String: Int32], monitor: Monitor? = nil
  ) throws(RenderError) -> Rendering {
    try RenderError.writing(targets.values) { () throws(RenderError) in
      try rendering(of: plan, into: targets, monitor)
    }
  }

  private func rendering(
    of plan: PreviewPlan, into targets: [String: Int32], _ monitor: Monitor?
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let (photo, header) = (plan.photo, plan.header)
    _ = try photo.lostFrames(recipe.inputs.frames)
    let context = context(photo, header, values.merging(texts(of: header)) { $1 }, monitor)
    var measurement = measurement(context)
    measurement.previewEdge = plan.size.longEdge
    var programs = ExternalSteps(context, recipe.rendering, limits, runner)
    let graph = try measurement.completed(plan.recipeGraph, &programs)
    let pictures = try plan.pictures(graph, recipe, files: files, returned: programs.headers)
    var unedited = context
    unedited.header = plan.uneditedHeader
    for (name, lowered) in pictures.outputs {
      var own = targets
      if name != pictures.current {
        guard let target = targets[Graph.Preview.output(name)] else { continue }
        own = [Graph.Preview.after: target]
      }
      let pipeline = lowered.pipeline.withTables()
      if header.raw != unedited.header.raw,
        let target = own.removeValue(forKey: Graph.Preview.before)
      {
        let before = [Graph.Preview.before: target]
        try write(pipeline, plan.size.outputs, unedited, programs.returned, before)
      }
      try write(pipeline, plan.size.outputs, context, programs.returned, own)
    }
    let renditions = recipe.outputs.map {
      Rendering.Rendition(output: $0.name, size: pictures.fullSizes[$0.name] ?? header.size)
    }
    let heard = VipsRuntime.takeWarnings()
    if let damage = heard.damage(of: header) { throw damage }
    return Rendering(
      renditions: renditions, header: header, warnings: [], libraryWarnings: heard.telling)
  }

  /// Writes those outputs of one preview for which `targets` has a file.
  private func write(
    _ pipeline: Pipeline, _ outputs: [Output], _ context: ExecutionContext,
    _ returned: [ReturnedPhoto], _ targets: [String: Int32]
  ) throws(RenderError) {
    let header = context.header
    var execution = try Execution(pipeline, context, returned: returned)
    for (output, end) in zip(outputs, pipeline.outputs) {
      guard let target = targets[output.name] else { continue }
      let colour = try OutputColour(
        output, SourceColour(header), header, files: files, isGrey: end.isGrey)
      do throws(RenderError) {
        try Encoder(output: output, colour: colour, depth: end.depth)
          .write(try execution.image(end.call), to: target)
      } catch {
        throw context.photo.diagnosis(of: error, header.fileFormat)
      }
    }
  }
}
