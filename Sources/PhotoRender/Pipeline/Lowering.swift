import PhotoRecipes

extension Pipeline {
  /// The operations that render a photo's outputs: `graph` is theirs, planned for the photo,
  /// `files` the content of the files that the recipe names, `returned` what programs gave back.
  init(
    _ graph: Graph, _ header: PhotoHeader, _ outputs: [PhotoRecipes.Output],
    _ rendering: Recipe.Rendering, files: [String: [UInt8]], returned: [ReturnedPhoto]
  ) throws(RenderError) {
    var lowering = Lowering(graph, header, rendering, returned)
    let depths = outputs.map { $0.format.bitDepth(forSource: header.depth) }
    lowering.isForDisplay = rendering == .balanced && depths.allSatisfy { $0 == 8 }
    for id in graph.nodes.indices { lowering.lower(id) }
    for (end, output) in zip(graph.outputs, outputs) {
      try lowering.finish(end.node, output, files)
    }
    self = lowering.pipeline
  }

  /// The operations that render what a measuring filter sees.
  init(
    view graph: Graph, _ header: PhotoHeader, _ rendering: Recipe.Rendering,
    returned: [ReturnedPhoto]
  ) {
    var lowering = Lowering(graph, header, rendering, returned)
    for id in graph.nodes.indices { lowering.lower(id) }
    if let end = graph.outputs.first { lowering.finishView(end.node) }
    self = lowering.pipeline
  }
}

/// Turns a planned graph into calls, one node at a time.
struct Lowering {
  let graph: Graph
  let header: PhotoHeader
  let colour: SourceColour
  let rendering: Recipe.Rendering
  /// Whether programs may become tables: all that comes of them is rounded to 8 bits.
  fileprivate(set) var isForDisplay = false
  private let returned: [ReturnedPhoto]
  private let held: Set<Graph.ID>
  private let uses: [Int]
  private(set) var pipeline = Pipeline()
  private var rasters: [Raster] = []

  init(
    _ graph: Graph, _ header: PhotoHeader, _ rendering: Recipe.Rendering,
    _ returned: [ReturnedPhoto]
  ) {
    self.graph = graph
    self.header = header
    self.rendering = rendering
    self.returned = returned
    colour = SourceColour(header)
    held = graph.heldNodes
    uses = graph.uses
    pipeline.warnings = colour.warning.map { [$0] } ?? []
  }

  mutating func lower(_ id: Graph.ID) {
    let node = graph.nodes[id]
    var raster = lowered(node, inputs: node.inputs.map { rasters[$0] })
    if held.contains(id) {
      settleLayers(&raster)
      raster.call = pipeline.append(.init(Pipeline.Special.hold), [raster.call])
    }
    rasters.append(raster)
  }

  private mutating func lowered(_ node: Graph.Node, inputs: [Raster]) -> Raster {
    guard var raster = inputs.first else { return load(node.operation) }
    switch node.operation {
    case .original, .orient: break
    case .program(let program): run(program, on: &raster, Array(inputs.dropFirst()))
    case .map, .measured, .replacement: break
    case .crop(let crop): self.crop(&raster, crop.rectangle(in: raster.size))
    case .turn(let quarters): turn(&raster, quarters)
    case .flip(let axis):
      settleLayers(&raster)
      apply("flip", ["direction": .choice(axis.rawValue)], to: &raster)
      raster.pending = raster.pending.flipped(axis)
    case .resize(let resize): self.resize(&raster, resize)
    case .pad(let pad): self.pad(&raster, pad)
    case .area(let area): filter(&raster, area)
    case .blend: break
    case .drawn(let drawing): draw(drawing, on: &raster)
    case .warp(let warp): self.warp(&raster, warp)
    case .shadow(let shadow): self.shadow(&raster, shadow)
    case .external(let step):
      flush(&raster, to: .ushort)
      apply(Pipeline.Special.external, ["command": .text("\(step)")], to: &raster)
    case .flatten(let colour): flatten(&raster, colour)
    }
    return raster
  }

  mutating func apply(
    _ operation: String, _ arguments: [String: Pipeline.Value] = [:], to raster: inout Raster
  ) {
    raster.call = pipeline.append(.init(operation, arguments), [raster.call])
  }

  private mutating func load(_ operation: Operation) -> Raster {
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
      call: call, size: size, format: .integer(depth: header.depth), hasAlpha: header.hasAlpha,
      pending: PointProgram(colour.toSRGB), isUntouched: true)
  }

  private mutating func load(_ replacement: Replacement) -> Raster {
    let header = returned[replacement.number].header
    let colour = SourceColour(header)
    let arguments = ["replacement": Pipeline.Value.integer(replacement.number)]
    var call = pipeline.append(.init(Pipeline.Special.load, arguments), [])
    for step in colour.normalization { call = pipeline.append(step, [call]) }
    return Raster(
      call: call, size: replacement.size, format: .integer(depth: header.depth),
      hasAlpha: header.hasAlpha, pending: PointProgram(colour.toSRGB), isUntouched: true)
  }

  /// Carries out what is pending, into samples of `format`.
  private mutating func flush(_ raster: inout Raster, to format: SampleFormat) {
    if raster.pending.isIdentity && raster.format == format { return }
    let program = Pipeline.Value.program(
      baked(raster, to: format) ?? raster.pending, input: raster.format, size: raster.size,
      forDisplay: isForDisplay)
    let images = ["layers": raster.layers, "maps": raster.maps].filter { !$0.value.isEmpty }
    raster.call = pipeline.append(
      .init("phbatch_point", ["program": program, "format": .choice(format.rawValue)]),
      [raster.call], images: images)
    raster.pending = PointProgram()
    raster.layers = []
    raster.maps = []
    raster.isUntouched = false
    raster.format = format
  }

  /// What is pending as a table, where that pays: within a level for samples to be written, half a
  /// level for a kernel that goes on with them.
  private func baked(_ raster: Raster, to format: SampleFormat) -> PointProgram? {
    guard isForDisplay, raster.format == .uchar, format != .ushort, raster.layers.isEmpty,
      raster.maps.isEmpty
    else { return nil }
    return Bake.replacement(
      for: raster.pending, input: raster.format, bound: (format == .uchar ? 1 : 0.5) / 255,
      pixels: raster.size.pixels)
  }

  /// Carries out a pending program that reads other images at the same place, which is about to
  /// change.
  private mutating func settleLayers(_ raster: inout Raster) {
    if !raster.layers.isEmpty { flush(&raster, to: .float) }
  }

  /// Lets a program wait; the images that it reads must be there when it runs.
  private mutating func run(
    _ program: PointProgram, on raster: inout Raster, _ images: [Raster]
  ) {
    if raster.layers.count + raster.maps.count + images.count > PointProgram.mostImages {
      flush(&raster, to: .float)
    }
    if !raster.hasAlpha && images.contains(where: \.hasAlpha) { addAlpha(&raster) }
    var numbers: [Int] = []
    for var image in images {
      if image.isMap {
        numbers.append(raster.maps.count)
        raster.maps.append(image.call)
        continue
      }
      if raster.hasAlpha && !image.hasAlpha { addAlpha(&image) }
      settle(&image)
      numbers.append(raster.layers.count)
      raster.layers.append(image.call)
    }
    raster.pending.append(program.renumbered { numbers[$0] }.instructions)
    raster.isUntouched = false
  }

  /// Makes the samples display-encoded sRGB: as they are where nothing is pending, else unclipped.
  mutating func settle(_ raster: inout Raster) {
    flush(&raster, to: raster.pending.isIdentity ? raster.format : .float)
  }

  /// Makes the samples unclipped floats, display-encoded sRGB.
  mutating func settleToFloat(_ raster: inout Raster) { flush(&raster, to: .float) }

  private mutating func crop(_ raster: inout Raster, _ rectangle: Rectangle) {
    settleLayers(&raster)
    apply(
      "extract_area",
      [
        "left": .integer(rectangle.left), "top": .integer(rectangle.top),
        "width": .integer(rectangle.size.width), "height": .integer(rectangle.size.height),
      ], to: &raster)
    raster.pending = raster.pending.cropped(to: rectangle, of: raster.size)
    raster.size = rectangle.size
  }

  private mutating func turn(_ raster: inout Raster, _ quarters: Int) {
    settleLayers(&raster)
    apply("rot", ["angle": .choice("d\(quarters * 90)")], to: &raster)
    raster.pending = raster.pending.turned(quarters)
    if !quarters.isMultiple(of: 2) { raster.size = raster.size.turned }
  }

  private mutating func resize(_ raster: inout Raster, _ resize: Resize) {
    let target = resize.size(from: raster.size)
    // What is pending may end as light: then there is no need to encode and decode it again.
    let isLight = resize.linear && !raster.pending.isIdentity
    if isLight {
      raster.pending.append([.curve(.decode)])
      flush(&raster, to: .float)
    } else if !(raster.isUntouched && rendering == .balanced) {
      settle(&raster)
    }
    var arguments: [String: Pipeline.Value] = [
      "width": .integer(target.width), "height": .integer(target.height),
    ]
    if resize.kernel == .nearest {
      apply(Pipeline.Special.pick, arguments, to: &raster)
    } else {
      arguments["kernel"] = .choice(resize.kernel.rawValue)
      arguments["format"] = .choice(raster.format.rawValue)
      if resize.linear && !isLight { arguments["linear"] = .flag(true) }
      apply("phbatch_resize", arguments, to: &raster)
    }
    raster.size = target
    if isLight { raster.pending.append([.curve(.encode)]) }
  }

  /// Runs operations on premultiplied alpha, if the image has any.
  mutating func premultiplied(
    _ raster: inout Raster, _ body: (inout Lowering, inout Raster) -> Void
  ) {
    guard raster.hasAlpha else { return body(&self, &raster) }
    let format = raster.format
    let full = Pipeline.Value.number(format.maximum)
    apply("premultiply", ["max-alpha": full], to: &raster)
    body(&self, &raster)
    apply("unpremultiply", ["max-alpha": full], to: &raster)
    if format == .float { return }
    apply("round", ["round": .choice("rint")], to: &raster)
    apply("cast", ["format": .choice(format.rawValue)], to: &raster)
  }

  /// Runs a kernel of ours that looks at neighbours; on premultiplied alpha, if the image has any.
  private mutating func filter(_ raster: inout Raster, _ area: AreaOperation) {
    settle(&raster)
    if raster.hasAlpha { flush(&raster, to: .float) }
    var arguments = area.arguments.mapValues(Pipeline.Value.init)
    arguments["format"] = .choice(raster.format.rawValue)
    let full = Pipeline.Value.number(raster.format.maximum)
    if raster.hasAlpha { apply("premultiply", ["max-alpha": full], to: &raster) }
    apply("phbatch_\(area.kernel)", arguments, to: &raster)
    if raster.hasAlpha { apply("unpremultiply", ["max-alpha": full], to: &raster) }
  }

  mutating func addAlpha(_ raster: inout Raster) {
    settleLayers(&raster)
    apply("bandjoin_const", ["c": .numbers([raster.format.maximum])], to: &raster)
    raster.hasAlpha = true
  }

  private mutating func pad(_ raster: inout Raster, _ pad: Pad) {
    settle(&raster)
    let (frame, place) = pad.placement(of: raster.size)
    if pad.colour.alpha < 255 && !raster.hasAlpha { addAlpha(&raster) }
    apply(
      "embed",
      [
        "x": .integer(place.left), "y": .integer(place.top), "width": .integer(frame.width),
        "height": .integer(frame.height), "extend": .choice("background"),
        "background": .numbers(pad.colour.samples(as: raster.format, alpha: raster.hasAlpha)),
      ], to: &raster)
    raster.size = frame
  }

  mutating func flatten(_ raster: inout Raster, _ colour: Colour) {
    guard raster.hasAlpha else { return }
    settle(&raster)
    apply(
      "flatten",
      [
        "background": .numbers(colour.samples(as: raster.format, alpha: false)),
        "max-alpha": .number(raster.format.maximum),
      ], to: &raster)
    raster.hasAlpha = false
  }

  /// The last steps of one output: what is pending, its profile and its bit depth.
  mutating func finish(
    _ node: Graph.ID, _ output: Output, _ files: [String: [UInt8]]
  ) throws(RenderError) {
    var raster = rasters[node]
    let format = output.format
    let type = Swift.type(of: format)
    if !type.hasAlpha { flatten(&raster, .white) }
    if raster.size.longEdge > type.longestEdge {
      throw .outputTooLarge(raster.size, format: type.name, limit: type.longestEdge)
    }
    let target = try OutputColour(output, colour, header, files: files)
    pipeline.warnings += target.warning.map { [$0] } ?? []
    raster.pending.append(target.fromSRGB)
    let depth = format.bitDepth(forSource: header.depth)
    let samples = SampleFormat.integer(depth: depth)
    let isRounded = !raster.pending.isIdentity || raster.format != samples
    if output.dither && depth == 8 && isRounded {
      raster.pending.append([.dither(Dither(levels: 255))])
    }
    if !retarget(raster, node, samples) { flush(&raster, to: samples) }
    pipeline.outputs.append(
      Pipeline.Output(name: output.name, call: raster.call, size: raster.size, depth: depth))
  }

  /// The last steps of a view: unclipped floats, held in memory.
  mutating func finishView(_ node: Graph.ID) {
    var raster = rasters[node]
    flush(&raster, to: .float)
    pipeline.outputs = [
      Pipeline.Output(name: "view", call: raster.call, size: raster.size, depth: header.depth)
    ]
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

extension Pipeline.Value {
  fileprivate init(_ argument: AreaOperation.Argument) {
    self =
      switch argument {
      case .length(let number), .number(let number), .arc(_, let number): .number(number)
      case .integer(let number): .integer(number)
      case .numbers(let numbers): .numbers(numbers)
      case .flag(let flag): .flag(flag)
      case .choice(let name): .choice(name)
      }
  }
}

extension Colour {
  /// The colour in samples of a format.
  func samples(as format: SampleFormat, alpha hasAlpha: Bool) -> [Double] {
    ([red, green, blue] + (hasAlpha ? [alpha] : [])).map { Double($0) / 255 * format.maximum }
  }
}
