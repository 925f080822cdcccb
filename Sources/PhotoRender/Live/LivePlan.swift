import PhotoRecipes

/// The plan for one live picture.
public struct LivePlan: Sendable {
  let picture: LivePicture
  /// The photo's header, with the development of a raw photo for the light that the recipe names.
  let header: PhotoHeader
  /// The header whose development the picture shows; an unedited picture has the camera's own white
  /// balance.
  let shownHeader: PhotoHeader
  /// The recipe's graph with its lookup tables; filters that measure the photo are still
  /// placeholders in it.
  let recipeGraph: Graph
  let lowered: LoweredGraph
  /// The output that is computed, as a list.
  let outputs: [Output]
  /// The longer edge of the picture in pixels, without crops that depend on measurements.
  let edge: Int
  /// The warnings about lenses.
  let warnings: [String]
  /// The maximum memory for rendering the picture.
  public let memory: MemoryNeeds

  /// Plans a picture of a held photo.
  ///
  /// - Throws: `RenderError` for an edit that cannot be rendered.
  init(
    _ picture: LivePicture, _ held: HeldPhoto, _ recipe: Recipe, _ limits: RenderLimits,
    _ finder: (any LensFinder)?
  ) throws(RenderError) {
    self.picture = picture
    let files = held.files
    let (header, recipe) = try held.photo.balanced(held.header, recipe)
    self.header = header
    shownHeader = picture.isUnedited ? held.header : header
    let lenses = try PhotoLenses(recipe.graph, held.photo, header, finder)
    let graph = try lenses.corrected(
      LookupTables.shared.completed(recipe.graph, files, limits)
    ).developed(with: header.raw?.look, picture.isMoving ? nil : header.raw?.colourNoise)
    warnings = lenses.warnings
    recipeGraph = graph
    let full: Size
    (full, edge) = picture.size(of: graph, header, recipe)
    let outputs = try picture.outputs(of: graph, header, recipe, files)
    self.outputs = outputs
    lowered = try Self.lowered(graph, picture, outputs, edge, header, recipe, files)
    let views = graph.viewPixels(for: header.shape, recipe.rendering)
    let decoding = DecodingMemory(
      header, fileBytes: held.photo.size, layout: held.photo.layout(header))
    let named = try NamedFileMemory.imageBytes(of: graph, files, limits)
    var pipeline = lowered.pipeline
    if let box = picture.box, graph.measuresFrame {
      // A measured crop can give the picture another shape, which fills the box in another way.
      let most = min(picture.longEdge, box.longEdge, full.longEdge)
      pipeline = try Self.lowered(graph, picture, outputs, most, header, recipe, files).pipeline
    }
    let predicted = pipeline
    func prediction(spills: Bool) -> MemoryPrediction {
      MemoryPrediction(predicted, outputs, decoding, views: views, spills: spills)
    }
    let usual = prediction(spills: false)
    memory = MemoryNeeds(
      usual: usual.peak + named + HeldPhoto.keptBytes,
      spilled: prediction(spills: true).peak + named + HeldPhoto.keptBytes,
      perThread: usual.perThread)
  }

  /// The factor by which the loader reduces the photo at most for what is measured: for a draft, the
  /// factor of the draft, if its image is kept.
  var measuredShrink: Int {
    let shrink = lowered.graph.shrink
    let isKept = header.stored.reduced(by: shrink).pixels <= DevelopedPhoto.originalPixels
    return picture.isMoving && isKept ? shrink : .max
  }

  /// The graph and the pipeline of the picture.
  static func lowered(
    _ graph: Graph, _ picture: LivePicture, _ outputs: [Output], _ edge: Int,
    _ header: PhotoHeader, _ recipe: Recipe, _ files: [String: [UInt8]],
    returned: [PhotoHeader] = []
  ) throws(RenderError) -> LoweredGraph {
    let sizes = graph.outputSizes(for: header.shape)
    let name = picture.shownOutput(of: recipe, sizes)
    let planned = graph.previewed(
      name, longEdge: edge, for: header.shape, as: picture.isMoving ? .movement : .view
    ).making([picture.isUnedited ? 1 : 0])
    // The file is decoded once for a draft and for what is measured, which are read as RGB.
    let pipeline = try Pipeline(
      planned, header, outputs, .balanced, files: files, returned: returned,
      mayReadPlanes: !picture.isMoving)
    return LoweredGraph(planned, pipeline: pipeline)
  }
}

extension LivePicture {
  /// The size of the shown output at full size, and the longer edge of the picture.
  func size(of graph: Graph, _ header: PhotoHeader, _ recipe: Recipe) -> (full: Size, edge: Int) {
    let sizes = graph.outputSizes(for: header.shape)
    let full = sizes[shownOutput(of: recipe, sizes)] ?? header.size
    return (full, edge(of: full))
  }

  /// The output that is computed, in sRGB, or in greys if the shown output has no other colours; the
  /// picture at rest is then written as PNG.
  func outputs(
    of graph: Graph, _ header: PhotoHeader, _ recipe: Recipe, _ files: [String: [UInt8]]
  ) throws(RenderError) -> [Output] {
    var outputs = Graph.Preview.outputs(quality: Output.movingQuality).filter {
      $0.name == (isUnedited ? Graph.Preview.before : Graph.Preview.after)
    }
    let name = shownOutput(of: recipe, graph.outputSizes(for: header.shape))
    guard !isUnedited, let shown = recipe.outputs.first(where: { $0.name == name }) else {
      return outputs
    }
    if try OutputColour(shown, SourceColour(header), header, files: files).hasOnlyGreys {
      for index in outputs.indices { outputs[index].profile = .grey }
    }
    return outputs
  }
}

extension Graph {
  /// True if a step still has to measure the photo to find the frame of its result.
  fileprivate var measuresFrame: Bool {
    nodes.contains { node in
      guard case .measured(let step) = node.operation else { return false }
      return (step.operation as? any Filter)?.keepsFrame == false
    }
  }
}
