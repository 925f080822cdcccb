import PhotoRecipes

/// What a pipeline ends with.
extension Lowering {
  /// The last steps of one output: what is pending, its profile and its bit depth.
  mutating func finish(
    _ node: Graph.ID, _ output: Output, _ files: [String: [UInt8]]
  ) throws(RenderError) {
    var raster = rasters[node]
    let format = output.format
    let type = Swift.type(of: format)
    if !format.keepsAlpha { flatten(&raster, .white) }
    if raster.size.longEdge > type.longestEdge {
      throw .outputTooLarge(raster.size, format: type.name, limit: type.longestEdge)
    }
    let isGrey = output.keepsGrey && isGrey(node)
    let target = try OutputColour(output, colour, header, files: files, isGrey: isGrey)
    pipeline.warnings += target.warning.map { [$0] } ?? []
    let inks = inks(of: raster, for: output, target)
    raster.pending.append(target.fromSRGB)
    let depth = format.bitDepth(forSource: header.depth)
    let samples = SampleFormat.integer(depth: depth)
    let isRounded = !raster.pending.isIdentity || raster.format != samples
    if output.dither && depth == 8 && isRounded && !target.isDevice {
      raster.pending.append([.dither(Dither(levels: 255))])
    }
    switch target.model {
    case .rgb:
      write(&raster, node, samples)
    case .grey:
      write(&raster, node, samples)
      let frame = Pipeline.Frame(
        size: raster.size, bands: raster.hasAlpha ? 2 : 1, sampleBytes: samples.bytes)
      apply(Pipeline.Special.grey, to: &raster)
      pipeline.note(frame, of: raster.call)
    case .device where inks != nil:
      raster.call = inks ?? raster.call
    case .device(let device):
      flatten(&raster, .white)
      flush(&raster, to: .ushort)
      let frame = Pipeline.Frame(
        size: raster.size, bands: device.model.bands, sampleBytes: samples.bytes)
      apply(
        Pipeline.Special.export,
        [
          "profile": .profile(device), "intent": .choice(output.intent.rawValue),
          "depth": .integer(depth),
        ], to: &raster)
      pipeline.note(frame, of: raster.call)
    }
    pipeline.outputs.append(
      Pipeline.Output(
        name: output.name, call: raster.call, size: raster.size, depth: depth, isGrey: isGrey))
  }

  /// The photo as it is stored, where an output preserves its profile and nothing else was done than
  /// to leave it: separating its colours anew would mix other inks.
  private func inks(of raster: Raster, for output: Output, _ target: OutputColour) -> Int? {
    let call = pipeline.calls[raster.call]
    guard output.profile == .preserve, target.isDevice, !raster.hasAlpha,
      call.step.operation == SourceColour.tables,
      raster.pending == PointProgram(colour.toSRGB),
      output.format.bitDepth(forSource: header.depth) == header.depth
    else { return nil }
    return call.inputs.first
  }

  /// The last steps of a view: unclipped floats, held in memory.
  mutating func finishView(_ node: Graph.ID) {
    var raster = rasters[node]
    flush(&raster, to: .float)
    pipeline.outputs = [
      Pipeline.Output(name: "view", call: raster.call, size: raster.size, depth: header.depth)
    ]
  }

  /// Makes the final samples.
  private mutating func write(
    _ raster: inout Raster, _ node: Graph.ID, _ format: SampleFormat
  ) {
    if !retarget(raster, node, format) { flush(&raster, to: format) }
    raster.format = format
    pipeline.note(raster.frame, of: raster.call)
  }

  /// Lets a kernel that made float samples for this output alone write the final ones itself.
  private mutating func retarget(
    _ raster: Raster, _ node: Graph.ID, _ format: SampleFormat
  ) -> Bool {
    let writesAny = pipeline.calls[raster.call].step.operation.hasPrefix("phbatch_")
    guard writesAny, raster.pending.isIdentity, uses[node] == 1 else { return false }
    pipeline.set("format", .choice(format.rawValue), of: raster.call)
    return true
  }
}
