import PhotoRecipes
public import Vips

extension Renderer {
  /// Plans one picture of a held photo.
  ///
  /// - Throws: `RenderError` for an edit that cannot be rendered.
  public func livePlan(
    _ picture: LivePicture, of held: HeldPhoto
  ) throws(RenderError) -> LivePlan {
    try LivePlan(picture, held, recipe, limits, lenses)
  }

  /// Renders one picture of a held photo as JPEG: the recipe's graph, computed at display size.
  ///
  /// - Parameters:
  ///   - plan: The plan that this renderer made.
  ///   - held: The photo of the plan.
  ///   - target: An empty file: a descriptor open for reading and writing.
  ///   - monitor: Can cancel the rendering.
  /// - Returns: The picture's sizes, times and warnings.
  /// - Throws: The reason why the picture could not be rendered; the file is then unusable.
  public func show(
    _ plan: LivePlan, of held: HeldPhoto, into target: Int32, monitor: Monitor? = nil
  ) throws(RenderError) -> ShownPicture {
    VipsRuntime.captureWarnings()
    let start = ContinuousClock.now
    let (header, picture) = (plan.header, plan.picture)
    let developed = held.developed(header)
    let shown = held.developed(plan.shownHeader)
    var context = context(held.photo, header, values.merging(texts(of: header)) { $1 }, monitor)
    (context.samples, context.faceSearch) = (held.samples, held.faces)
    var measurement = measurement(context)
    let shrink = plan.measuredShrink
    (measurement.previewEdge, measurement.previewShrink) = (plan.edge, shrink)
    (measurement.originals, measurement.views) = (
      developed.originals, developed.views(shrink: shrink)
    )
    measurement.lookFit = held.look
    var programs = ExternalSteps(context, recipe.rendering, limits, runner)
    let graph = try measurement.completed(plan.recipeGraph, &programs)
    // A measured crop determines the size of the rendition only now.
    let (full, edge) = picture.size(of: graph, header, recipe)
    let lowered =
      graph == plan.recipeGraph
      ? plan.lowered
      : try LivePlan.lowered(
        graph, picture, plan.outputs, edge, header, recipe, held.files,
        returned: programs.headers)
    let pipeline = picture.isMoving ? lowered.pipeline : lowered.pipeline.withTables()
    context.header = plan.shownHeader
    var execution = try Execution(
      pipeline, context, originals: shown.originals, returned: programs.returned,
      warnings: programs.warnings)
    let planned = ContinuousClock.now
    let kind = LivePicture.Kind(
      longEdge: edge, isUnedited: picture.isUnedited, isMoving: picture.isMoving, raw: shown.raw)
    try held.images(for: kind).serve(&execution)
    try write(&execution, plan, context, to: target)
    let heard = VipsRuntime.takeWarnings()
    if let damage = heard.damage(of: header) { throw damage }
    return ShownPicture(
      size: pipeline.outputs[0].size, fullSize: full,
      planning: (planned - start).milliseconds,
      rendering: (ContinuousClock.now - planned).milliseconds,
      frame: lowered.graph.frames(for: header.shape).values.first?.numbers,
      warnings: plan.warnings + held.warnings(header) + execution.warnings.all + heard.telling)
  }

  private func write(
    _ execution: inout Execution, _ plan: LivePlan, _ context: ExecutionContext,
    to target: Int32
  ) throws(RenderError) {
    let output = plan.outputs[0]
    let shown = output.shown(isExact: !plan.picture.isMoving)
    let (header, end) = (context.header, execution.pipeline.outputs[0])
    let colour = try OutputColour(
      output, SourceColour(header), header, files: context.files, isGrey: end.isGrey)
    do throws(RenderError) {
      try Encoder(output: shown, colour: colour, depth: end.depth)
        .write(try execution.image(end.call), to: target)
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }
}

extension Duration {
  /// The duration in milliseconds.
  package var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
