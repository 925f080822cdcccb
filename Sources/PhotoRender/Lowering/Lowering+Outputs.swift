import PhotoRecipes
import Vips

/// The end of a pipeline.
extension Lowering {
  /// Adds the last operations of one output, which run the pending point program, and convert to
  /// the output's profile and bit depth.
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
    let most = max(RenderLimits.standard.streamedPixels, header.stored.pixels)
    if raster.size.pixels > most { throw .tooManyOutputPixels(raster.size, limit: most) }
    let isGrey = output.keepsGrey && output.hdr == nil && isGrey(node)
    let target = try OutputColour(output, colour, header, files: files, isGrey: isGrey)
    pipeline.warnings += target.warning.map { [$0] } ?? []
    let depth = output.bitDepth(forSource: header.depth)
    let inks = inks(of: raster, for: output, target, depth: depth)
    raster.pending.append(output.gamut == .perceptual ? target.mappedFromSRGB : target.fromSRGB)
    let samples = SampleFormat.integer(depth: depth)
    let isRounded = !raster.pending.isIdentity || raster.format != samples
    let dithers = output.dithers(forSource: header.depth)
    if dithers && depth == 8 && isRounded && !target.isDevice {
      raster.pending.append([.dither(Dither(levels: 255))])
    }
    switch target.model {
    case .rgb:
      write(&raster, node, samples)
    case .grey:
      write(&raster, node, samples)
      let frame = Pipeline.Frame(
        size: raster.size, bands: raster.hasAlpha ? 2 : 1, sampleBytes: samples.bytes)
      apply(.grey, to: &raster)
      pipeline.note(frame, of: raster.call)
    case .device where inks != nil:
      raster.call = inks ?? raster.call
    case .device(let device):
      flatten(&raster, .white)
      flush(&raster, to: .ushort)
      let frame = Pipeline.Frame(
        size: raster.size, bands: device.model.bands, sampleBytes: samples.bytes)
      apply(.exportByTables, device.conversion(output.intent, depth: depth), to: &raster)
      pipeline.note(frame, of: raster.call)
    }
    pipeline.outputs.append(
      Pipeline.Output(
        name: output.name, call: raster.call, size: raster.size, depth: depth, isGrey: isGrey))
  }

  /// Adds the operations that move the photo's stored inks to their places in an output, and returns
  /// the index of the last one.
  ///
  /// Nil unless the output preserves the profile and all steps only move pixels. The stored inks are
  /// kept because converting the colours to inks again would result in other inks.
  private mutating func inks(
    of raster: Raster, for output: Output, _ target: OutputColour, depth: Int
  ) -> Int? {
    guard output.profile == .preserve, case .device(let device) = target.model, !raster.hasAlpha,
      raster.pending == PointProgram(colour.toSRGB)
    else { return nil }
    var moves: [Int] = []
    var call = raster.call
    while pipeline.calls[call].step.operation.movesPixels,
      let input = pipeline.calls[call].inputs.first
    {
      // A shared image is read from top to bottom, and the stored inks are shared already.
      if !shared.contains(call) { moves.append(call) }
      call = input
    }
    guard pipeline.calls[call].step.operation == .importByTables,
      var inks = pipeline.calls[call].inputs.first
    else { return nil }
    var frame = Pipeline.Frame(
      size: raster.size, bands: device.model.bands, sampleBytes: header.format.size)
    for move in moves.reversed() {
      frame.size = pipeline.frame(of: move).size
      inks = pipeline.append(pipeline.calls[move].step, [inks])
      pipeline.note(frame, of: inks)
    }
    guard depth != header.depth else { return inks }
    guard [.uchar, .ushort].contains(header.format) else { return nil }
    let (own, samples) = (
      SampleFormat.integer(depth: header.depth), SampleFormat.integer(depth: depth)
    )
    frame.sampleBytes = samples.bytes
    let steps: [Pipeline.Call.Step] = [
      // The cast truncates; adding 0.5 makes it round.
      .init(
        .vips(.linear),
        ["a": .numbers([samples.maximum / own.maximum]), "b": .numbers([0.5])]),
      .init(.vips(.cast), ["format": .choice(samples.rawValue)]),
      .init(
        .vips(.copy), ["interpretation": .choice(device.model.interpretation(depth: depth))]),
    ]
    for step in steps { inks = pipeline.append(step, [inks]) }
    pipeline.note(frame, of: inks)
    return inks
  }

  /// Adds the last operation of a view, an image that a filter measures; the operation produces
  /// unclipped floats.
  mutating func finishView(_ node: Graph.ID) {
    var raster = rasters[node]
    flush(&raster, to: .float)
    pipeline.outputs = [
      Pipeline.Output(name: "view", call: raster.call, size: raster.size, depth: header.depth)
    ]
  }

  /// Adds the calls that produce the final samples of an output.
  private mutating func write(
    _ raster: inout Raster, _ node: Graph.ID, _ format: SampleFormat
  ) {
    if !retarget(&raster, node, format) { flush(&raster, to: format) }
    raster.format = format
    pipeline.note(raster.frame, of: raster.call)
  }

  /// Makes the kernel that produces the image run the pending program on its samples, and write
  /// them as the output's final samples.
  ///
  /// Returns false if the kernel cannot run the program, or if other operations or outputs also
  /// read the image.
  private mutating func retarget(
    _ raster: inout Raster, _ node: Graph.ID, _ format: SampleFormat
  ) -> Bool {
    guard let kernel = pipeline.calls[raster.call].step.operation.kernel,
      isReadOnce(node, as: raster.call)
    else { return false }
    if !raster.pending.isIdentity {
      guard kernel.takesProgram, raster.layers.isEmpty, raster.maps.isEmpty,
        raster.format == .float
      else { return false }
      let program = Pipeline.Value.program(
        raster.pending, input: .float, size: raster.size, end(format))
      pipeline.set("program", program, of: raster.call)
      raster.pending = PointProgram()
    }
    pipeline.set("format", .choice(format.rawValue), of: raster.call)
    return true
  }

  /// True if only this output reads an operation's image.
  ///
  /// The image may belong to the output's node, or to an earlier node whose program is still
  /// pending.
  private func isReadOnce(_ node: Graph.ID, as call: Int) -> Bool {
    guard uses[node] == 1 else { return false }
    return graph.nodes[node].inputs.allSatisfy {
      rasters[$0].call != call || isReadOnce($0, as: call)
    }
  }
}

extension Pipeline.Operation {
  /// True if the operation only moves pixels, without mixing or changing them.
  fileprivate var movesPixels: Bool {
    switch self {
    case .hold, .pick, .vips(.extractArea), .vips(.flip), .vips(.rot): true
    default: false
    }
  }
}

extension DeviceProfile.Model {
  /// The interpretation of device values in libvips.
  fileprivate func interpretation(depth: Int) -> String {
    switch self {
    case .rgb: depth > 8 ? "rgb16" : "srgb"
    case .cmyk: "cmyk"
    case .grey: depth > 8 ? "grey16" : "b-w"
    }
  }
}
