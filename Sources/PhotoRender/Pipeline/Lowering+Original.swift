import PhotoRecipes

/// What a pipeline begins with.
extension Lowering {
  mutating func load(_ operation: Operation) -> Raster {
    if case .map(let source) = operation {
      let call = pipeline.append(.init(Pipeline.Special.map, ["map": .map(source)]), [])
      return Raster(
        call: call, size: Size(1, 1), format: .float, hasAlpha: false, pending: PointProgram(),
        isUntouched: true, isMap: true)
    }
    if case .replacement(let replacement) = operation { return load(replacement) }
    var arguments: [String: Pipeline.Value] = [
      "access": .choice("sequential"), "fail-on": .choice("truncated"),
    ]
    if case .original(let shrink) = operation, shrink > 1 { arguments["shrink"] = .integer(shrink) }
    var call = pipeline.append(.init(Pipeline.Special.load, arguments), [])
    for step in colour.normalization { call = pipeline.append(step, [call]) }
    let size = graph.sizes(for: header.shape)[0]
    return Raster(
      call: call, size: size, format: colour.format, hasAlpha: header.hasAlpha,
      pending: PointProgram(colour.toSRGB), isUntouched: colour.format != .float)
  }

  private mutating func load(_ replacement: Replacement) -> Raster {
    let header = returned[replacement.number].header
    let colour = SourceColour(header)
    let arguments = ["replacement": Pipeline.Value.integer(replacement.number)]
    var call = pipeline.append(.init(Pipeline.Special.load, arguments), [])
    for step in colour.normalization { call = pipeline.append(step, [call]) }
    return Raster(
      call: call, size: replacement.size, format: colour.format, hasAlpha: header.hasAlpha,
      pending: PointProgram(colour.toSRGB), isUntouched: colour.format != .float)
  }
}
