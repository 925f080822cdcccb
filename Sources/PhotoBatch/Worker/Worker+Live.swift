import PhotoRecipes
import PhotoRender
import Vips

extension Worker {
  /// Opens a photo and keeps it open.
  static func hold(
    _ photo: Int32, named name: String, for order: WorkOrder, _ descriptors: [Int32],
    _ held: inout HeldPhotos
  ) throws(RenderError) -> WorkerReply {
    let kept = try HeldPhoto(
      photo, order.recipe.inputs, files: try files(order, descriptors.dropFirst()),
      RenderLimits(order.limits), origin: order.origin(among: descriptors))
    held.add(kept, named: name)
    return .probed(PhotoSummary(kept.header))
  }

  /// Renders one picture of a photo that this worker keeps open, within the memory that the
  /// coordinator allows.
  static func show(
    _ held: HeldPhoto, _ order: WorkOrder, _ show: ShowOrder, into target: Int32,
    _ channel: Channel
  ) throws(RenderError) -> WorkerReply {
    var renderer = try renderer(order, [], channel)
    renderer.files = held.files
    if show.picture.part != nil {
      let plan = try renderer.partPlan(show.picture, of: held)
      if let refusal = try prepare(&renderer, for: plan.memory, held, show, channel) {
        return refusal
      }
      defer { VipsRuntime.setConcurrency(1) }
      return .shown(try renderer.show(plan, of: held, into: target))
    }
    let plan = try renderer.livePlan(show.picture, of: held)
    if let refusal = try prepare(&renderer, for: plan.memory, held, show, channel) {
      return refusal
    }
    defer { VipsRuntime.setConcurrency(1) }
    return .shown(try renderer.show(plan, of: held, into: target))
  }

  /// Waits for the allowance of a picture; returns the refusal if its memory is not granted.
  private static func prepare(
    _ renderer: inout Renderer, for needs: MemoryNeeds, _ held: HeldPhoto, _ show: ShowOrder,
    _ channel: Channel
  ) throws(RenderError) -> WorkerReply? {
    let allowance = admission(held.header, 0, needs, channel)
    if let refusal = allowance.refusal(of: needs, remedy: "show the photo smaller") {
      return refusal
    }
    renderer.threads = show.threads
    renderer.spills = allowance.spills
    VipsRuntime.setConcurrency(show.threads)
    try held.header.setStripRows()
    return nil
  }
}
