import PhotoMetadata
import PhotoRecipes
public import Vips

/// How a photo is shown before anything is rendered: one output at display size, the others smaller.
public struct Previewing: Sendable, Hashable {
  /// Pixels; smaller outputs keep their size.
  public var longEdge: Int
  /// The quality of the JPEG file.
  ///
  /// At 85 the encoder alone changes a photo with much noise by a mean of 1.6 (CIEDE2000), at 92 by
  /// 1.1, at 96 by less than 1.
  public var quality: Int

  public init(longEdge: Int, quality: Int = 96) {
    self.longEdge = longEdge
    self.quality = quality
  }

  fileprivate var outputs: [Output] { Graph.Preview.outputs(quality: quality) }

  /// The longer edge of outputs that do not stand for the edited photo.
  fileprivate var smallEdge: Int { min(longEdge, 480) }
}

extension Renderer {
  /// Renders what a recipe's outputs will look like, through the same graph at display size.
  ///
  /// - Parameters:
  ///   - photo: The base of the edit; it is read from its start.
  ///   - previewing: How large.
  ///   - targets: Descriptors for `Graph.Preview.before`, `.after` and `.output`, open for reading
  ///     and writing, empty; that of the output which is `.after` stays so.
  ///   - monitor: Hears of the progress, and can cancel.
  /// - Returns: What a full rendering would return but for its warnings.
  /// - Throws: Why the photo could not be rendered; the files are then worth nothing.
  public func preview(
    _ photo: PhotoFile, _ previewing: Previewing, into targets: [String: Int32],
    monitor: Monitor? = nil
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let header = try Self.header(of: photo, recipe.inputs)
    try limits.check(header, photo)
    _ = try photo.lostFrames(recipe.inputs.frames)
    let values = values.merging(header.texts) { $1 }
    var measuring = Measuring(
      photo: photo, header: header, rendering: recipe.rendering, files: files, values: values,
      focal: focal, holding: holding, monitor: monitor)
    measuring.previewEdge = previewing.longEdge
    var programs = ExternalSteps(self, photo, header, values: values, monitor)
    let graph = try measuring.completed(
      LookupTables.shared.completed(recipe.graph, files, limits), &programs)
    let sizes = graph.outputSizes(for: header.shape)
    func write(_ name: String, _ edge: Int, _ targets: [String: Int32]) throws(RenderError) {
      let planned = graph.previewed(name, longEdge: edge, for: header.shape)
      let pipeline = try Pipeline(
        planned, header, previewing.outputs, .balanced, files: files, returned: programs.returned)
      var execution = Execution(
        pipeline, input: try photo.input(for: header), files: files, values: values,
        holding, monitor, returned: programs.returned)
      for (output, end) in zip(previewing.outputs, pipeline.outputs) {
        guard let target = targets[output.name] else { continue }
        let colour = try OutputColour(
          output, SourceColour(header), header, files: files, isGrey: end.isGrey)
        do throws(RenderError) {
          try Encoder(output: output, colour: colour, depth: end.depth)
            .write(try execution.image(end.call), to: target)
        } catch {
          throw photo.isCutOff(header.loader, error)
        }
      }
    }
    let current = current(sizes)
    try write(current, previewing.longEdge, targets)
    for output in recipe.outputs where output.name != current {
      guard let target = targets[Graph.Preview.output(output.name)] else { continue }
      try write(output.name, previewing.smallEdge, [Graph.Preview.after: target])
    }
    let renditions = recipe.outputs.map {
      Rendering.Rendition(output: $0.name, size: sizes[$0.name] ?? header.size)
    }
    let heard = VipsRuntime.takeWarnings()
    if let damage = heard.damage(of: header) { throw damage }
    return Rendering(renditions: renditions, header: header, warnings: heard.telling)
  }

  /// The name of the output that stands for the edited photo.
  private func current(_ sizes: [String: Size]) -> String {
    func pixels(_ output: Output) -> Int { sizes[output.name]?.pixels ?? 0 }
    let photos = recipe.outputs.filter { type(of: $0.format).isPhoto }
    let candidates = photos.isEmpty ? recipe.outputs : photos
    let most = candidates.map(pixels).max()
    let output =
      recipe.outputs.first(where: \.isCurrent) ?? candidates.first { pixels($0) == most }
    return output?.name ?? ""
  }

  /// What a preview of a photo will take, from the header and the graph alone.
  public func memory(
    for header: PhotoHeader, of photo: PhotoFile, _ previewing: Previewing
  ) throws(RenderError) -> MemoryNeeds {
    let graph = try LookupTables.shared.completed(recipe.graph, files, limits)
    let current = current(graph.outputSizes(for: header.shape))
    let views = graph.viewPixels(for: header.shape, recipe.rendering)
    let decoding = DecodingMemory(header, fileBytes: photo.size, layout: photo.layout(header))
    let named = try namedImageBytes(graph)
    func needs(_ name: String, _ edge: Int) throws(RenderError) -> MemoryNeeds {
      let planned = graph.previewed(name, longEdge: edge, for: header.shape)
      let pipeline = try Pipeline(
        planned, header, previewing.outputs, .balanced, files: files, returned: [], bakes: false)
      func prediction(spills: Bool) -> MemoryPrediction {
        MemoryPrediction(pipeline, previewing.outputs, decoding, views: views, spills: spills)
      }
      let usual = prediction(spills: false)
      return MemoryNeeds(
        usual: usual.peak + named, spilled: prediction(spills: true).peak + named,
        perThread: usual.perThread)
    }
    // One output after the other: the most that any takes.
    var most = try needs(current, previewing.longEdge)
    for output in recipe.outputs where output.name != current {
      let other = try needs(output.name, previewing.smallEdge)
      most = MemoryNeeds(
        usual: max(most.usual, other.usual), spilled: max(most.spilled, other.spilled),
        perThread: max(most.perThread, other.perThread))
    }
    return most
  }
}
