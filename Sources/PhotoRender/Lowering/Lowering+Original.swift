import PhotoRecipes

/// The beginning of a pipeline.
extension Lowering {
  mutating func load(_ operation: Operation) -> Raster {
    if case .map(let source) = operation {
      let call = pipeline.append(.init(.map, ["map": .map(source)]), [])
      return Raster(
        call: call, size: Size(1, 1), format: .float, hasAlpha: false, pending: PointProgram(),
        isUntouched: true, isMap: true)
    }
    if case .replacement(let replacement) = operation { return load(replacement) }
    var arguments: [String: Pipeline.Value] = [
      "access": .choice("sequential"), "fail-on": .choice("truncated"),
    ]
    let shrink = if case .original(let shrink) = operation { shrink } else { 1 }
    if shrink > 1 { arguments["shrink"] = .integer(shrink) }
    if readsPlanes { arguments = ["planes": .flag(true), "shrink": .integer(shrink)] }
    var call = loaded(.init(.load, arguments))
    for step in colour.normalization { call = pipeline.append(step, [call]) }
    let size = graph.sizes(for: header.shape)[0]
    var raster = Raster(
      call: call, size: size, format: colour.format, hasAlpha: header.hasAlpha,
      pending: PointProgram(colour.toSRGB), isUntouched: colour.format != .float && !isHDR,
      planes: readsPlanes ? header.planes?.frame(of: header.stored, shrink: shrink) : nil)
    if colour.readsGains {
      let gains = pipeline.append(
        .init(
          .gains,
          [
            "width": .integer(size.width), "height": .integer(size.height),
            "alpha": .flag(header.hasAlpha),
          ]), [])
      let frame = Pipeline.Frame(size: size, bands: raster.bands, sampleBytes: 4)
      pipeline.note(frame, of: gains)
      raster.layers = [gains]
    }
    return raster
  }

  /// The largest factor by which the planes of a JPEG photo can be reduced.
  ///
  /// The factor is limited because all planes are read from the same buffered rows; for a wide
  /// photo, half as many rows are buffered.
  private var mostReduction: Int { header.isWide ? 4 : 8 }

  /// True if the photo can be read as separate planes.
  ///
  /// Only resizes can read planes. So this is false if any other operation reads the photo's stored
  /// samples.
  var canReadPlanes: Bool {
    guard header.planes != nil, colour.normalization.isEmpty, colour.format == .uchar,
      !header.hasAlpha, !graph.outputs.contains(where: { $0.node == 0 })
    else { return false }
    let size = graph.sizes(for: header.shape)[0]
    let readers = graph.nodes.filter { $0.inputs.contains(0) }
    return !readers.isEmpty
      && readers.allSatisfy { node in
        guard case .resize(let resize) = node.operation, node.inputs == [0] else { return false }
        let target = resize.size(from: size)
        return resize.kernel != .nearest && !resize.linear
          && target.width * mostReduction >= size.width
          && target.height * mostReduction >= size.height
      }
  }

  private mutating func load(_ replacement: Replacement) -> Raster {
    let header = returned[replacement.number]
    let colour = SourceColour(header)
    let arguments = ["replacement": Pipeline.Value.integer(replacement.number)]
    var call = pipeline.append(.init(.load, arguments), [])
    for step in colour.normalization { call = pipeline.append(step, [call]) }
    return Raster(
      call: call, size: replacement.size, format: colour.format, hasAlpha: header.hasAlpha,
      pending: PointProgram(colour.toSRGB), isUntouched: colour.format != .float)
  }
}
