import PhotoMetadata
import PhotoRecipes

extension Renderer {
  /// The new gain maps of all outputs that have a target.
  func rebuiltMaps(
    _ plan: RenderPlan, _ completed: Graph, _ lowered: LoweredGraph, _ context: ExecutionContext,
    _ returned: [ReturnedPhoto], _ targets: [String: Int32]
  ) throws(RenderError) -> [String: GainMap] {
    var maps: [String: GainMap] = [:]
    let rebuilt = RebuiltGainMap(graph: completed, context: context, returned: returned)
    for (output, end) in zip(plan.outputs, lowered.pipeline.outputs)
    where output.rebuildsGainMap && targets[output.name] != nil {
      let colour = try OutputColour(
        output, SourceColour(plan.header), plan.header, files: files, isGrey: end.isGrey)
      maps[output.name] = try rebuilt.made(
        for: output, end.size, colour.gamut, isGrey: colour.hasOnlyGreys)
    }
    return maps
  }
}
