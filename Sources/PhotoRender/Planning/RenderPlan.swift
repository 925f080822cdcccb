import PhotoMetadata
public import PhotoRecipes
import Vips

/// The plan for rendering one photo; created once, before any pixel is read.
///
/// The plan is used to reserve memory for the photo, to set the time limit, for `explain`, and for
/// rendering.
public struct RenderPlan: Sendable {
  let photo: PhotoFile
  /// The size of the photo's file in bytes.
  let photoBytes: Int
  public let header: PhotoHeader
  /// The recipe's outputs; settings of their formats that depend on the photo are filled in.
  let outputs: [Output]
  /// The names of the outputs that use the photo's own encoder settings, so that the photo's bytes
  /// can replace them.
  let savedAsPhoto: Set<String>
  /// The key of the raw photo's fitted look; nil if its look is not fitted.
  let lookKey: String?
  /// The recipe's graph with its lookup tables; filters that measure the photo are still
  /// placeholders in it.
  let recipeGraph: Graph
  private let lowered: LoweredGraph
  private let rendering: RenderingMode
  /// The maximum memory for rendering the photo.
  ///
  /// It is assumed that filters which measure the photo do not change its size.
  public let memory: MemoryNeeds
  /// The maximum time in seconds for writing all outputs on a slow machine; for outputs that are
  /// animations, with the time for measuring each frame.
  public let encodingSeconds: Double
  /// The maximum time in seconds for measuring the places of one frame of a film on a slow machine.
  public let frameSeconds: Double
  /// The lenses that steps correct.
  public let lenses: [FoundLens]
  /// Warnings about lenses that are not corrected.
  public let warnings: [String]

  /// The recipe's graph, planned for the photo.
  public var graph: Graph { lowered.graph }

  /// The operations that render the outputs, before programs are approximated as tables.
  public var pipeline: Pipeline { lowered.pipeline }

  /// Plans a photo by its header.
  ///
  /// - Parameters:
  ///   - photo: The base of the edit.
  ///   - header: The header of `photo`.
  ///   - recipe: The recipe.
  ///   - files: The content of the files that the recipe names, by path.
  ///   - limits: The limits of the photo and of the images that the recipe names.
  ///   - finder: Finds the lenses that the recipe corrects.
  ///   - look: The look that was fitted to the raw photo before; nil if none is recorded.
  /// - Throws: `RenderError` for a photo that exceeds a limit or cannot be rendered by the recipe.
  init(
    _ photo: PhotoFile, _ header: PhotoHeader, _ recipe: Recipe, files: [String: [UInt8]],
    _ limits: RenderLimits, _ finder: (any LensFinder)? = nil, look: RecordedLook? = nil
  ) throws(RenderError) {
    lookKey = header.raw?.lookKey(recipe.rendering)
    let (balanced, recipe) = try photo.balanced(header, recipe)
    let header = balanced.withGains(of: photo, for: recipe.outputs)
    self.photo = photo
    self.header = header
    photoBytes = photo.size
    try limits.check(header, photo)
    let lenses = try PhotoLenses(recipe.graph, photo, header, finder)
    (self.lenses, warnings) = (lenses.found, lenses.warnings)
    let lookKey = lookKey
    let developed = try recipe.graph { graph, isHDR throws(RenderError) in
      try lenses.corrected(
        LookupTables.shared.completed(graph, files, limits)
      ).developed(header.raw, look, lookKey, isHDR: isHDR)
    }
    let gamuts =
      developed.dependsOnGamut ? try recipe.outputs.gamuts(of: header, files) : [:]
    let graph = gamuts.isEmpty ? developed : developed.within(gamuts)
    recipeGraph = graph
    let dependent = recipe.outputs.filter(\.format.dependsOnPhoto).map(\.name)
    savedAsPhoto = Set(dependent)
    outputs = dependent.isEmpty ? recipe.outputs : recipe.outputs.matching(JPEGCoding(photo))
    lowered = try LoweredGraph(graph, header, outputs, recipe.rendering, files: files)
    rendering = recipe.rendering
    let animated = outputs.indices.filter {
      header.isAnimation(in: type(of: recipe.outputs[$0].format))
    }
    memory = try Self.memory(
      lowered, header, outputs, animated: animated,
      DecodingMemory(header, fileBytes: photoBytes, layout: photo.layout(header)),
      views: lowered.graph.viewPixels(for: header.shape, recipe.rendering)
        + lowered.graph.facePixels(for: header.shape),
      named: NamedFileMemory.bytes(of: graph, files, limits)
        + GainMapMemory.bytes(
          photo.byteSource, header.stored,
          zip(outputs, lowered.pipeline.outputs).map { ($0, $1.size) },
          lowered.graph.drawings(for: header.shape))
        + AuxiliaryMemory.bytes(
          photo.byteSource, zip(outputs, lowered.pipeline.outputs).map { ($0, $1.size) },
          lowered.graph.drawings(for: header.shape))
        + (header.gains == nil ? 0 : GainImage.bytes(photo.byteSource))
        + GainMapMemory.bytes(
          ofNewMapsFor: zip(outputs, lowered.pipeline.outputs).map { ($0, $1.size) }))
    let frameSeconds = Self.secondsPerPlaces * Double(graph.placesSteps)
    self.frameSeconds = frameSeconds
    let measuring = animated.isEmpty ? 0 : Double(header.pages) * frameSeconds
    encodingSeconds = zip(outputs, lowered.pipeline.outputs).enumerated().reduce(measuring) {
      sum, pair in
      let frames = animated.contains(pair.offset) ? header.pages : 1
      return sum + Double(frames) * pair.element.0.encodingSeconds(pair.element.1)
    }
  }

  /// The maximum time in seconds for measuring the places of a frame for one step.
  private static let secondsPerPlaces = 0.2

  private static func memory(
    _ lowered: LoweredGraph, _ header: PhotoHeader, _ outputs: [Output], animated: [Int],
    _ decoding: DecodingMemory, views: [Int], named: Int
  ) -> MemoryNeeds {
    func prediction(spills: Bool) -> MemoryPrediction {
      MemoryPrediction(lowered.pipeline, outputs, decoding, views: views, spills: spills)
    }
    let usual = prediction(spills: false)
    let frames = lowered.pipeline.frameBytes(of: header, animated)
    let spilled = prediction(spills: true).peak
    return MemoryNeeds(
      usual: MemoryNeeds.withGaps(usual.peak + frames + named),
      spilled: MemoryNeeds.withGaps(spilled + min(frames, MemoryPrediction.framesInFiles) + named),
      perThread: usual.perThread)
  }

  /// The graph and the pipeline to render.
  ///
  /// The values of the plan apply, unless measurements or external programs changed the plan's
  /// graph to `completed`.
  ///
  /// - Parameters:
  ///   - completed: The recipe's graph without placeholders.
  ///   - rendering: The recipe's rendering mode.
  ///   - files: The content of the files that the recipe names, by path.
  ///   - returned: The headers of the photos that external programs returned.
  /// - Returns: The planned graph and its pipeline.
  /// - Throws: `RenderError` for a graph that cannot be rendered.
  func lowered(
    _ completed: Graph, _ rendering: RenderingMode, files: [String: [UInt8]],
    returned: [PhotoHeader]
  ) throws(RenderError) -> LoweredGraph {
    if completed == recipeGraph { return lowered }
    return try LoweredGraph(
      completed, header, outputs, rendering, files: files, returned: returned)
  }
}

extension RenderPlan: CustomStringConvertible {
  /// The facts of the plan that are not in its graph, one in a line; empty for most photos.
  public var facts: [String] {
    let gains = header.gains.map {
      "gain map: up to \($0.description.alternateHeadroom) stops above white"
    }
    // The factor after the measurements of the photo, which the plan has not made yet.
    let shrink = header.raw == nil ? 1 : recipeGraph.shrink(for: header.shape, rendering)
    let reduction = shrink == 1 ? [] : ["reduced to 1/\(shrink) before it is interpolated"]
    return (header.raw?.facts ?? []) + reduction + (gains.map { [$0] } ?? [])
  }

  public var description: String {
    """
    \(graph)
    \(pipeline)
    memory: \(memory.usual) bytes, \(memory.spilled) with pictures in files, \
    \(memory.perThread) for each further thread
    encoding: \(encodingSeconds) s
    """
  }
}

/// A graph that is planned for a photo, and its pipeline.
struct LoweredGraph: Sendable {
  let graph: Graph
  let pipeline: Pipeline

  init(_ graph: Graph, pipeline: Pipeline) {
    self.graph = graph
    self.pipeline = pipeline
  }

  /// Plans a recipe's graph for a photo, and converts it to a pipeline.
  init(
    _ graph: Graph, _ header: PhotoHeader, _ outputs: [Output], _ rendering: RenderingMode,
    files: [String: [UInt8]], returned: [PhotoHeader] = []
  ) throws(RenderError) {
    // Further outputs have the light from which gain maps are made.
    let own = graph.outputs.count > outputs.count ? graph.making(Array(outputs.indices)) : graph
    self.graph = own.planned(for: header.shape, rendering)
    pipeline = try Pipeline(
      self.graph, header, outputs, rendering, files: files, returned: returned)
  }
}

extension PhotoHeader {
  /// True if an output in this format contains all frames of the photo.
  func isAnimation(in format: any OutputFormat.Type) -> Bool {
    inputs.frames == .all && animation != nil && format.holdsFrames
  }
}

extension Pipeline {
  /// The bytes of an animation's frames, both as decoded and as ready to write.
  ///
  /// The decoded frames and the frames to write are each counted twice, because they exist twice
  /// while they are joined into one image.
  ///
  /// `outputs` are the indices of the outputs with all frames.
  fileprivate func frameBytes(of header: PhotoHeader, _ outputs: [Int]) -> Int {
    if outputs.isEmpty { return 0 }
    let frame = header.stored.pixels * header.bands * header.format.size
    let written = outputs.reduce(0) { $0 + self.frame(of: self.outputs[$1].call).bytes }
    return 2 * header.pages * (frame + written)
  }
}

extension [Output] {
  /// The gamuts of the outputs' profiles, by the names of the outputs, without outputs in sRGB.
  ///
  /// - Throws: `RenderError` for a profile to which no colours can be converted.
  fileprivate func gamuts(
    of header: PhotoHeader, _ files: [String: [UInt8]]
  ) throws(RenderError) -> [String: Gamut] {
    let colour = SourceColour(header)
    var gamuts: [String: Gamut] = [:]
    for output in self where output.profile != .srgb {
      let gamut = try OutputColour(output, colour, header, files: files).gamut
      gamuts[output.name] = gamut
      gamuts[Output.lightName(output.name)] = gamut
    }
    return gamuts
  }

  /// Returns the outputs; format settings that are to match the photo get the values of the JPEG
  /// photo's encoding.
  fileprivate func matching(_ coding: JPEGCoding?) -> [Output] {
    map { output in
      var output = output
      output.format = output.format.matching(coding)
      return output
    }
  }
}

/// The memory that the files named in a recipe need.
enum NamedFileMemory {
  /// The bytes for files of these sizes: their content, and the copies of the decoders.
  static func bytes(_ sizes: [Int]) -> Int { sizes.reduce(0) { $0 + 2 * $1 } }

  /// The memory in bytes for the recipe's files, the points of its lookup cubes and its images.
  ///
  /// - Throws: `RenderError` for an image with more pixels than the limit allows, or a file that is
  ///   not an image.
  static func bytes(
    of graph: Graph, _ files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) -> Int {
    try bytes(files.values.map(\.count)) + tableBytes(graph)
      + imageBytes(of: graph, files, limits)
  }

  private static func tableBytes(_ graph: Graph) -> Int {
    let points = graph.nodes.reduce(0) { sum, node in
      guard case .program(let program) = node.operation else { return sum }
      return sum
        + program.instructions.reduce(0) {
          if case .colour(.cube(let cube)) = $1 { $0 + cube.values.count } else { $0 }
        }
    }
    return LookupTables.bytes(numbers: points)
  }

  /// The memory in bytes for the images that steps name: all maps, and the decoder that needs the
  /// most.
  ///
  /// - Throws: `RenderError` for an image with more pixels than the limit allows, or a file that is
  ///   not an image.
  static func imageBytes(
    of graph: Graph, _ files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) -> Int {
    var (maps, decoding) = (0, 0)
    for operation in Set(graph.nodes.map(\.operation)) {
      let isMap: Bool
      switch operation {
      case .map, .blend: isMap = true
      case .drawn: isMap = false
      default: continue
      }
      for file in operation.files {
        guard let bytes = files[file.path] else { continue }
        if case .drawn(.text) = operation { continue }
        let image = try NamedImage(file, .bytes(bytes))
        try image.check(limits)
        maps += isMap ? image.mapBytes : 0
        decoding = max(decoding, image.decodingBytes(asMap: isMap))
      }
    }
    return maps + decoding
  }
}
