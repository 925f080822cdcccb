import PhotoRecipes
import Vips

extension Pipeline {
  /// Creates the operations that render a photo's outputs.
  ///
  /// - Parameters:
  ///   - graph: The outputs' graph, planned for the photo.
  ///   - header: The photo's header.
  ///   - outputs: The recipe's outputs, in the same order as the outputs of `graph`.
  ///   - rendering: The recipe's rendering mode.
  ///   - files: The content of the files that the recipe names, by path.
  ///   - returned: The headers of the photos that external programs gave back.
  ///   - mayReadPlanes: False if the photo's RGB samples are read for another image, too.
  /// - Throws: `outputTooLarge`, `tooManyOutputPixels`, `unusableProfile`, `unfitProfile`.
  init(
    _ graph: Graph, _ header: PhotoHeader, _ outputs: [PhotoRecipes.Output],
    _ rendering: RenderingMode, files: [String: [UInt8]], returned: [PhotoHeader],
    mayReadPlanes: Bool = true
  ) throws(RenderError) {
    let depths = outputs.filter { $0.hdr == nil }
      .map { $0.format.bitDepth(forSource: header.depth) }
    let groups = Self.spaces(of: outputs, graph, header)
    var before: Lowering?
    var shared: [Int] = []
    var ends: [Int: Output] = [:]
    for (space, isHDR, numbers) in groups {
      var lowering = Lowering(
        groups.count == 1 ? graph : graph.making(numbers), header, rendering, returned,
        leadingTo: space, isHDR: isHDR,
        areWide: numbers.map { isHDR || outputs[$0].profile.isOfOtherPrimaries })
      lowering.isForDisplay = !isHDR && rendering == .balanced && depths.allSatisfy { $0 == 8 }
      lowering.mayMakeTables = lowering.isForDisplay
      lowering.readsPlanes =
        mayReadPlanes && !isHDR && rendering == .balanced && lowering.canReadPlanes
      let readsInks =
        lowering.colour.isByTables && numbers.contains { outputs[$0].profile == .preserve }
      lowering.holdsPhoto =
        !isHDR && (groups.count { !$0.isHDR } > 1 || readsInks && numbers.count > 1)
      if let before { lowering.go(on: before) }
      for id in lowering.graph.nodes.indices { lowering.lower(id) }
      for (end, number) in zip(lowering.graph.outputs, numbers) {
        try lowering.finish(end.node, outputs[number], files)
        ends[number] = lowering.pipeline.outputs.popLast()
      }
      shared += lowering.shared
      before = lowering
    }
    self = before?.pipeline ?? Pipeline()
    self.outputs = outputs.indices.compactMap { ends[$0] }
    share(shared)
  }

  /// Outputs for which the photo's colours are converted to one space; `isHDR` is true if light
  /// above white is kept, and `outputs` are indices.
  private typealias Group = (space: StandardProfile, isHDR: Bool, outputs: [Int])

  /// The spaces to which the photo's colours are converted, each with the indices of its outputs.
  ///
  /// All outputs for standard displays share one space, unless tables of a profile convert the
  /// colours: the tables clip colours outside the space, and their precision depends on the space.
  /// Outputs for HDR displays come last; the photo is decoded for them a second time.
  private static func spaces(
    of outputs: [PhotoRecipes.Output], _ graph: Graph, _ header: PhotoHeader
  ) -> [Group] {
    let isOriginal = if case .original = graph.nodes.first?.operation { true } else { false }
    let isByTables = isOriginal && SourceColour(header).isByTables
    var groups: [Group] = []
    let order = outputs.indices.filter { outputs[$0].hdr == nil }
    for number in order + outputs.indices.filter({ outputs[$0].hdr != nil }) {
      let space = isByTables ? SourceColour.space(for: outputs[number]) : .srgb
      let isHDR = outputs[number].hdr != nil
      if let known = groups.firstIndex(where: { $0.space == space && $0.isHDR == isHDR }) {
        groups[known].outputs.append(number)
      } else {
        groups.append((space, isHDR, [number]))
      }
    }
    return groups
  }

  /// Creates the operations that render a view, the image that a filter measures; `isHDR` is true
  /// to keep light above white.
  init(
    view graph: Graph, _ header: PhotoHeader, _ rendering: RenderingMode,
    returned: [PhotoHeader], isHDR: Bool = false
  ) {
    var lowering = Lowering(graph, header, rendering, returned, isHDR: isHDR)
    for id in graph.nodes.indices { lowering.lower(id) }
    if let end = graph.outputs.first { lowering.finishView(end.node) }
    self = lowering.pipeline
  }
}

/// Converts a planned graph to the operations (calls) of a pipeline, one node at a time.
struct Lowering {
  let graph: Graph
  let header: PhotoHeader
  let colour: SourceColour
  let rendering: RenderingMode
  /// True if light above white is kept, for HDR displays.
  let isHDR: Bool
  /// True if the results of all point programs are rounded to 8 bits.
  fileprivate(set) var isForDisplay = false
  /// True if point programs may be approximated as lookup tables.
  fileprivate(set) var mayMakeTables = false
  /// True if the photo is read as planes, which resizes convert to RGB.
  fileprivate(set) var readsPlanes = false
  /// True if the photo's stored samples are materialized, because the photo is converted to several
  /// colour spaces, or because an output keeps its inks and another one reads its colours.
  fileprivate(set) var holdsPhoto = false
  /// The index of the operation that materializes the stored samples; nil before the operation is
  /// added.
  private(set) var photo: Int?
  /// The headers of the photos that external programs returned.
  let returned: [PhotoHeader]
  private let held: Set<Graph.ID>
  /// The operations that materialize images which several outputs read from top to bottom.
  private(set) var shared: [Int] = []
  /// The number of nodes and outputs that read each node.
  let uses: [Int]
  /// The nodes whose images contain only brightness, no colours.
  private let greys: Set<Graph.ID>
  /// The nodes whose pixels reach an output in a larger space than sRGB; later nodes only adjust,
  /// crop, turn or flip these pixels.
  private let wide: Set<Graph.ID>
  /// The nodes whose colours stay multiplied by alpha, because only neighbourhood operations read
  /// them.
  private let premultiplied: Set<Graph.ID>
  var pipeline = Pipeline()
  /// The image of each node that is already converted to operations.
  private(set) var rasters: [Raster] = []

  init(
    _ graph: Graph, _ header: PhotoHeader, _ rendering: RenderingMode,
    _ returned: [PhotoHeader], leadingTo space: StandardProfile = .srgb,
    isHDR: Bool = false, areWide: [Bool] = []
  ) {
    self.graph = graph
    self.header = header
    self.rendering = rendering
    self.returned = returned
    self.isHDR = isHDR
    colour =
      isHDR
      ? .unlimited(header, leadingTo: space) : SourceColour(header, leadingTo: space)
    held = graph.heldNodes
    uses = graph.uses
    greys = colour.isGrey ? graph.greyNodes(ofGrey: true) : []
    wide = graph.nodesShown(in: areWide)
    premultiplied = graph.nodesBetweenAreas.subtracting(held)
    pipeline.warnings = colour.warning.map { [$0] } ?? []
    pipeline.sourceMayClip = colour.mayClip
  }

  /// Continues the pipeline that `before` built for other outputs; that pipeline may already
  /// materialize the photo.
  fileprivate mutating func go(on before: Lowering) {
    (pipeline, photo) = (before.pipeline, isHDR ? nil : before.photo)
  }

  /// Returns the index of the pipeline operation (call) that provides the photo's stored samples.
  ///
  /// If several outputs need them (`holdsPhoto`), the samples are loaded and materialized only once.
  mutating func loaded(_ step: Pipeline.Call.Step) -> Int {
    if let photo { return photo }
    let call = pipeline.append(step, [])
    guard holdsPhoto else { return call }
    let hold = pipeline.append(.init(.hold), [call])
    let frame = Pipeline.Frame(
      size: graph.sizes(for: header.shape)[0], bands: header.bands,
      sampleBytes: header.format.size)
    pipeline.note(frame, of: hold)
    shared.append(hold)
    photo = hold
    return hold
  }

  mutating func lower(_ id: Graph.ID) {
    let node = graph.nodes[id]
    var raster = lowered(id, node, inputs: node.inputs.map { rasters[$0] })
    if !premultiplied.contains(id) { unpremultiply(&raster) }
    if held.contains(id) {
      settleLayers(&raster)
      raster.call = pipeline.append(.init(.hold), [raster.call])
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
    case .map, .measured, .replacement, .rolloff: break
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
      apply(.external, ["command": .text("\(step)")], to: &raster)
    case .flatten(let colour): flatten(&raster, colour)
    }
    return raster
  }

  /// True if a node has only brightness.
  func isGrey(_ node: Graph.ID) -> Bool { greys.contains(node) }

  mutating func apply(
    _ operation: Pipeline.Operation, _ arguments: [String: Pipeline.Value] = [:],
    to raster: inout Raster
  ) {
    raster.call = pipeline.append(.init(operation, arguments), [raster.call])
  }
}

extension Graph {
  /// The nodes whose pixels reach one of the selected outputs without being mixed with their
  /// neighbours.
  ///
  /// Later nodes only adjust, crop, turn or flip these pixels.
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
  /// True if the space may contain colours outside sRGB.
  fileprivate var isOfOtherPrimaries: Bool {
    switch self {
    // A preserved space needs no rule here: samples of a preserved non-sRGB photo are converted to
    // float before any neighbourhood operation.
    case .srgb, .grey, .preserve: false
    case .displayP3, .adobeRGB, .proPhoto, .rec2020, .file: true
    }
  }
}
