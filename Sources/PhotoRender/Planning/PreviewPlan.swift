import PhotoRecipes

/// The size and quality of previews.
///
/// The output that represents the edited photo is shown at display size, the others smaller.
public struct PreviewSize: Sendable, Hashable {
  /// The longer edge in pixels; an output that is smaller is not enlarged.
  public var longEdge: Int
  /// The quality of the JPEG file.
  ///
  /// The encoder alone changes a photo with much noise by a mean ΔE2000 of 1.6 at quality 85, of
  /// 1.1 at 92, and of less than 1 at 96.
  public var quality: Int

  public init(longEdge: Int, quality: Int = 96) {
    self.longEdge = longEdge
    self.quality = quality
  }

  var outputs: [Output] { Graph.Preview.outputs(quality: quality) }

  /// The longer edge, in pixels, of all outputs except the output that represents the edited photo.
  fileprivate var smallEdge: Int { min(longEdge, 480) }
}

/// The plan for rendering the previews of one photo; created once, before any pixel is read.
public struct PreviewPlan: Sendable {
  let photo: PhotoFile
  /// The header, with the development of a raw photo for the light that the recipe names.
  public let header: PhotoHeader
  /// The header with the camera's own white balance, which the unedited photo has.
  let uneditedHeader: PhotoHeader
  let size: PreviewSize
  /// The recipe's graph with its lookup tables; filters that measure the photo are still
  /// placeholders in it.
  let recipeGraph: Graph
  private let pictures: Pictures
  /// The maximum memory for rendering the previews.
  public let memory: MemoryNeeds

  /// The previews of a recipe's outputs.
  struct Pictures {
    /// The name of the output that represents the edited photo.
    let current: String
    /// The full size of each output, by name.
    let fullSizes: [String: Size]
    /// The outputs by name, each with its graph and pipeline, in the order in which they are
    /// rendered.
    let outputs: [(name: String, LoweredGraph)]
  }

  /// Plans the previews of a photo by its header.
  ///
  /// - Parameters:
  ///   - photo: The base of the edit.
  ///   - header: The header of `photo`.
  ///   - recipe: The recipe.
  ///   - size: The size of the previews.
  ///   - files: The content of the files that the recipe names, by path.
  ///   - limits: The limits of the photo and of the images that the recipe names.
  ///   - finder: Finds the lenses that the recipe corrects.
  /// - Throws: `RenderError` for a photo that exceeds a limit or cannot be rendered by the recipe.
  init(
    _ photo: PhotoFile, _ header: PhotoHeader, _ recipe: Recipe, _ size: PreviewSize,
    files: [String: [UInt8]], _ limits: RenderLimits, _ finder: (any LensFinder)? = nil
  ) throws(RenderError) {
    uneditedHeader = header
    let (header, recipe) = try photo.balanced(header, recipe)
    self.photo = photo
    self.header = header
    self.size = size
    try limits.check(header, photo)
    let graph = try PhotoLenses(recipe.graph, photo, header, finder).corrected(
      LookupTables.shared.completed(recipe.graph, files, limits)
    ).developed(with: header.raw?.look, header.raw?.colourNoise)
    recipeGraph = graph
    let views = graph.viewPixels(for: header.shape, recipe.rendering)
    let decoding = DecodingMemory(
      header, fileBytes: photo.size, layout: photo.layout(header))
    let named = try NamedFileMemory.imageBytes(of: graph, files, limits)
    pictures = try Pictures(graph, header, recipe, size, files: files)
    // The outputs are rendered one after another, so the maximum over the outputs is needed.
    var most = MemoryNeeds(usual: 0, spilled: 0)
    for (_, lowered) in pictures.outputs {
      func prediction(spills: Bool) -> MemoryPrediction {
        MemoryPrediction(lowered.pipeline, size.outputs, decoding, views: views, spills: spills)
      }
      let usual = prediction(spills: false)
      most.usual = max(most.usual, usual.peak + named)
      most.spilled = max(most.spilled, prediction(spills: true).peak + named)
      most.perThread = max(most.perThread, usual.perThread)
    }
    memory = most
  }

  /// The previews to render.
  ///
  /// The values of the plan apply, unless measurements or external programs changed the plan's
  /// graph to `completed`.
  func pictures(
    _ completed: Graph, _ recipe: Recipe, files: [String: [UInt8]], returned: [PhotoHeader]
  ) throws(RenderError) -> Pictures {
    if completed == recipeGraph { return pictures }
    return try Pictures(completed, header, recipe, size, files: files, returned: returned)
  }
}

extension PreviewPlan.Pictures {
  fileprivate init(
    _ graph: Graph, _ header: PhotoHeader, _ recipe: Recipe, _ size: PreviewSize,
    files: [String: [UInt8]], returned: [PhotoHeader] = []
  ) throws(RenderError) {
    let sizes = graph.outputSizes(for: header.shape)
    let current = recipe.currentOutput(sizes)
    func lowered(_ name: String, _ edge: Int) throws(RenderError) -> LoweredGraph {
      let planned = graph.previewed(name, longEdge: edge, for: header.shape)
      return LoweredGraph(
        planned,
        pipeline: try Pipeline(
          planned, header, size.outputs, .balanced, files: files, returned: returned))
    }
    var outputs = [(name: current, try lowered(current, size.longEdge))]
    for output in recipe.outputs where output.name != current {
      outputs.append((output.name, try lowered(output.name, size.smallEdge)))
    }
    self.current = current
    fullSizes = sizes
    self.outputs = outputs
  }
}

extension Recipe {
  /// The name of the output that represents the edited photo.
  func currentOutput(_ sizes: [String: Size]) -> String {
    func pixels(_ output: Output) -> Int { sizes[output.name]?.pixels ?? 0 }
    let photos = outputs.filter { type(of: $0.format).isPhoto }
    let candidates = photos.isEmpty ? outputs : photos
    let most = candidates.map(pixels).max()
    let output = outputs.first(where: \.isCurrent) ?? candidates.first { pixels($0) == most }
    return output?.name ?? ""
  }
}
