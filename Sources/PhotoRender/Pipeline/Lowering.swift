import PhotoRecipes

extension Pipeline {
  /// The operations that render a photo's outputs: `graph` is theirs, planned for the photo,
  /// `files` the content of the files that the recipe names, `returned` what programs gave back.
  init(
    _ graph: Graph, _ header: PhotoHeader, _ outputs: [PhotoRecipes.Output],
    _ rendering: Recipe.Rendering, files: [String: [UInt8]], returned: [ReturnedPhoto],
    bakes: Bool = true
  ) throws(RenderError) {
    var lowering = Lowering(graph, header, rendering, returned, outputs)
    let depths = outputs.map { $0.format.bitDepth(forSource: header.depth) }
    lowering.isForDisplay = rendering == .balanced && depths.allSatisfy { $0 == 8 }
    lowering.mayBake = bakes && lowering.isForDisplay
    lowering.readsPlanes = rendering == .balanced && lowering.canReadPlanes
    for id in graph.nodes.indices { lowering.lower(id) }
    for (end, output) in zip(graph.outputs, outputs) {
      try lowering.finish(end.node, output, files)
    }
    lowering.pipeline.share(lowering.shared)
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
  /// Whether all that comes of programs is rounded to 8 bits.
  fileprivate(set) var isForDisplay = false
  /// Whether programs may become tables, which takes longer than predicting what they need.
  fileprivate(set) var mayBake = false
  /// Whether the photo comes as planes, which resizes make RGB of.
  fileprivate(set) var readsPlanes = false
  let returned: [ReturnedPhoto]
  private let held: Set<Graph.ID>
  /// The calls that hold what several outputs read from the top down.
  private(set) var shared: [Int] = []
  /// How many nodes and outputs read each node.
  let uses: [Int]
  /// The nodes that are of brightness alone, as the photo is.
  private let greys: Set<Graph.ID>
  /// The nodes from which outputs in other spaces than sRGB come without a look at neighbours.
  private let wide: Set<Graph.ID>
  var pipeline = Pipeline()
  /// What each node that is done came to.
  private(set) var rasters: [Raster] = []

  init(
    _ graph: Graph, _ header: PhotoHeader, _ rendering: Recipe.Rendering,
    _ returned: [ReturnedPhoto], _ outputs: [PhotoRecipes.Output] = []
  ) {
    self.graph = graph
    self.header = header
    self.rendering = rendering
    self.returned = returned
    colour = SourceColour(header, for: outputs)
    held = graph.heldNodes
    uses = graph.uses
    greys = colour.isGrey ? graph.greyNodes : []
    wide = graph.nodesShown(in: outputs.map(\.profile.isOfOtherPrimaries))
    pipeline.warnings = colour.warning.map { [$0] } ?? []
    pipeline.sourceMayClip = colour.mayClip
  }

  mutating func lower(_ id: Graph.ID) {
    let node = graph.nodes[id]
    var raster = lowered(id, node, inputs: node.inputs.map { rasters[$0] })
    if held.contains(id) {
      settleLayers(&raster)
      raster.call = pipeline.append(.init(Pipeline.Special.hold), [raster.call])
      if graph.sharedNodes.contains(id) { shared.append(raster.call) }
    }
    pipeline.note(raster.frame, of: raster.call)
    rasters.append(raster)
  }

  private mutating func lowered(
    _ id: Graph.ID, _ node: Graph.Node, inputs: [Raster]
  ) -> Raster {
    guard var raster = inputs.first else { return load(node.operation) }
    switch node.operation {
    case .original, .orient: break
    case .program(let program): run(program, on: &raster, Array(inputs.dropFirst()))
    case .map, .measured, .replacement: break
    case .crop(let crop): self.crop(&raster, crop.rectangle(in: raster.size))
    case .turn(let quarters): turn(&raster, quarters)
    case .flip(let axis): flip(&raster, axis)
    case .resize(let resize): self.resize(&raster, resize)
    case .pad(let pad): self.pad(&raster, pad)
    case .area(let area):
      filter(&raster, area, Array(inputs.dropFirst()), isWide: wide.contains(id))
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

  /// Whether a node is of brightness alone.
  func isGrey(_ node: Graph.ID) -> Bool { greys.contains(node) }

  mutating func apply(
    _ operation: String, _ arguments: [String: Pipeline.Value] = [:], to raster: inout Raster
  ) {
    raster.call = pipeline.append(.init(operation, arguments), [raster.call])
  }
}

extension Graph {
  /// The nodes whose samples come to some of the outputs as they are, each by itself: changed, cut or
  /// turned, but not averaged.
  fileprivate func nodesShown(in isShown: [Bool]) -> Set<ID> {
    var shown: Set<ID> = []
    for (output, isShown) in zip(outputs, isShown) where isShown {
      var node: ID? = output.node
      while let id = node, shown.insert(id).inserted {
        node =
          switch nodes[id].operation {
          case .program, .crop, .turn, .flip: nodes[id].inputs.first
          default: nil
          }
      }
    }
    return shown
  }
}

extension OutputProfile {
  /// Whether colours beyond sRGB may have a place in it.
  fileprivate var isOfOtherPrimaries: Bool {
    switch self {
    // What is preserved, unless it is sRGB, has floats for samples before any look at neighbours.
    case .srgb, .grey, .preserve: false
    case .displayP3, .adobeRGB, .proPhoto, .rec2020, .file: true
    }
  }
}
