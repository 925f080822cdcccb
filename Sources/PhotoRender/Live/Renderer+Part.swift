import PhotoRecipes
public import Vips

/// A plan for a part of a rendition at full size.
///
/// The plan equals the plan of a run. The part is cut out of the finished rendition, just before it
/// would be encoded, so it has the pixels of the file that a run writes.
public struct PartPlan: Sendable {
  let picture: LivePicture
  let plan: RenderPlan
  /// The maximum memory for rendering the part.
  public let memory: MemoryNeeds
}

extension Renderer {
  /// Plans a part of a rendition at full size.
  ///
  /// - Throws: `RenderError` for an edit that cannot be rendered.
  public func partPlan(
    _ picture: LivePicture, of held: HeldPhoto
  ) throws(RenderError) -> PartPlan {
    var renderer = self
    if let film = held.film { renderer.recipe.outputs = recipe.outputs.map(film.adapted) }
    let plan = try renderer.plan(held.photo, held.header)
    let kept = HeldPhoto.keptBytes + held.wholeBytes
    return PartPlan(
      picture: picture, plan: plan,
      memory: MemoryNeeds(
        usual: plan.memory.usual + kept, spilled: plan.memory.spilled + kept,
        perThread: plan.memory.perThread))
  }

  /// Renders a part of a rendition: at rest as PNG with the rendition's pixels, while a setting
  /// moves as JPEG.
  ///
  /// The parameters and the result are those of `show` with the plan of a whole picture.
  public func show(
    _ part: PartPlan, of held: HeldPhoto, into target: Int32, monitor: Monitor? = nil
  ) throws(RenderError) -> ShownPicture {
    VipsRuntime.captureWarnings()
    let start = ContinuousClock.now
    let (plan, picture) = (part.plan, part.picture)
    let header = plan.header
    let developed = held.developed(header)
    held.releaseWhole(except: developed)
    var context = context(held.photo, header, values.merging(texts(of: header)) { $1 }, monitor)
    (context.samples, context.faceSearch) = (held.samples, held.faces)
    var measurement = measurement(context)
    (measurement.originals, measurement.views) = (developed.originals, developed.wholeViews)
    measurement.lookFit = held.look
    var programs = ExternalSteps(context, recipe.rendering, limits, runner)
    let lowered = try plan.lowered(
      measurement.completed(plan.recipeGraph, &programs), recipe.rendering, files: held.files,
      returned: programs.headers)
    let pipeline = picture.isMoving ? lowered.pipeline : lowered.pipeline.withTables()
    var execution = try Execution(
      pipeline, context, originals: developed.whole, returned: programs.returned,
      warnings: programs.warnings)
    let planned = ContinuousClock.now
    let sizes = Dictionary(
      zip(plan.outputs, pipeline.outputs).map { ($0.name, $1.size) }
    ) { first, _ in first }
    let name = picture.shownOutput(of: recipe, sizes)
    guard let number = plan.outputs.firstIndex(where: { $0.name == name }) else {
      throw .unreadable("the recipe has no outputs")
    }
    let (output, end) = (plan.outputs[number], pipeline.outputs[number])
    let colour = try OutputColour(
      output, SourceColour(header), header, files: held.files, isGrey: end.isGrey)
    let shown = output.shown(isExact: !picture.isMoving || end.depth != 8)
    let place = picture.part(of: end.size) ?? Rectangle(left: 0, top: 0, size: end.size)
    do throws(RenderError) {
      let image = try execution.image(end.call)
      let cut: Image
      do throws(VipsError) { cut = try image.cut(place) } catch { throw RenderError(error) }
      try Encoder(output: shown, colour: colour, depth: end.depth).write(cut, to: target)
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
    let heard = VipsRuntime.takeWarnings()
    if let damage = heard.damage(of: header) { throw damage }
    var result = ShownPicture(
      size: place.size, fullSize: end.size, planning: (planned - start).milliseconds,
      rendering: (ContinuousClock.now - planned).milliseconds, frame: nil,
      warnings: plan.warnings + pipeline.warnings + held.warnings(header) + execution.warnings.all
        + heard.telling)
    result.part = place
    return result
  }
}

extension Image {
  /// A rectangle of the image.
  fileprivate func cut(_ place: Rectangle) throws(VipsError) -> Image {
    if place.size == Size(width, height) { return self }
    return try applying(
      "extract_area",
      [
        "left": .integer(place.left), "top": .integer(place.top),
        "width": .integer(place.size.width), "height": .integer(place.size.height),
      ])
  }
}
