import FileStructure
import Notation
import PhotoMetadata
import PhotoRecipes
import Vips

/// The graphs of a photo and of its film: the photo's own, and the one in which steps still have to
/// measure each frame, or nil if there are none.
private typealias FilmGraphs = (photo: Graph, frames: Graph?)

extension Renderer {
  /// The outputs of a plan that get the photo's film.
  private func filmed(_ outputs: [Output]) -> [Output] { outputs.filter(recipe.keepsFilm) }

  /// The memory and the time for rendering a photo with its film.
  ///
  /// - Throws: `RenderError` for a film whose frames the recipe cannot edit.
  public func needs(
    of plan: RenderPlan, in targets: [String]
  ) throws(RenderError) -> (memory: MemoryNeeds, seconds: Double) {
    var (memory, seconds) = (plan.memory, plan.encodingSeconds)
    let outputs = filmed(plan.outputs).filter { targets.contains($0.name) }
    guard let film, !outputs.isEmpty, recipe.externalSteps.isEmpty else {
      return (memory, seconds)
    }
    for output in outputs {
      var own = recipe
      own.outputs = [film.stepped(output)]
      let part = try RenderPlan(
        film.film.still, film.film.header, own, files: files, limits, lenses)
      memory.usual = max(memory.usual, plan.memory.usual + part.memory.usual - MemoryNeeds.idle)
      memory.spilled = max(
        memory.spilled, plan.memory.spilled + part.memory.spilled - MemoryNeeds.idle)
      memory.perThread = max(memory.perThread, part.memory.perThread)
      let frame = part.encodingSeconds + part.frameSeconds
      seconds += frame * Double(max(1, film.film.facts.frames))
    }
    return (memory, seconds)
  }

  /// Renders the photo's film for each output that keeps it.
  ///
  /// - Parameters:
  ///   - plan: The plan of the photo.
  ///   - graph: The recipe's graph with the measurements of the photo.
  ///   - frames: The graph in which steps still have to measure each frame; nil if there are none.
  ///   - measurement: Measures the photo for films in HDR, whose graph is another one.
  ///   - values: The values of the placeholders of texts.
  ///   - targets: The files of the outputs; others are not rendered.
  /// - Returns: The films, and the reasons why renditions get none.
  /// - Throws: `cancelled` or `unwritable`; a film that cannot be rendered is an obstacle, not an
  ///   error.
  func films(
    _ plan: RenderPlan, _ graph: Graph, _ frames: Graph?, _ measurement: Measurement,
    _ values: [String: String], _ targets: [String: Int32]
  ) throws(RenderError) -> RenditionFilms {
    var films = RenditionFilms()
    for output in plan.outputs where targets[output.name] != nil {
      let format = type(of: output.format)
      guard recipe.keepsFilm(output) else {
        // The film beside a Live Photo is not lost with a rendition.
        if hasFilmBeside { continue }
        films.obstacles[output.name] =
          !format.holdsFilm
          ? "phbatch writes none to \(format.name)"
          : output.hdr != nil
            ? "its frames cannot be rendered for HDR displays"
            : output.live == .still
              ? #""live": "still" leaves it out"# : #"only "live": "keep" keeps it in this output"#
        continue
      }
      guard let film else {
        films.obstacles[output.name] = filmObstacle ?? "the film cannot be edited"
        continue
      }
      do throws(RenderError) {
        let graphs = try bright(film, output, plan, measurement) ?? (graph, frames)
        films.made[output.name] = try rendered(
          film, output, graphs, plan.header.shape, values, &films.warnings, targets)
      } catch {
        switch error {
        case .cancelled, .unwritable: throw error
        default: break
        }
        films.obstacles[output.name] = error.message
      }
    }
    return films
  }

  /// The graphs of an output as a film in HDR needs them, with the measurements of the photo; nil for
  /// a film that is copied or of the standard range.
  ///
  /// The photo's own graph compresses light above white.
  private func bright(
    _ film: PhotoFilm, _ output: Output, _ plan: RenderPlan, _ measurement: Measurement
  ) throws(RenderError) -> FilmGraphs? {
    if film.film.facts.transfer == nil || isCopied(output) { return nil }
    var renderer = self
    renderer.recipe.outputs = [film.stepped(output)]
    if !renderer.recipe.externalSteps.isEmpty {
      throw .unsupportedFilm(FrameObstacle.program.message)
    }
    let graph = try renderer.plan(plan.photo, plan.header).recipeGraph
    var programs = ExternalSteps(measurement.context, recipe.rendering, limits, nil)
    var frames: Graph?
    let completed = try measurement.completed(graph, &programs, frames: &frames)
    return (completed, frames)
  }

  private func rendered(
    _ film: PhotoFilm, _ output: Output, _ graphs: FilmGraphs, _ shape: PhotoShape,
    _ values: [String: String], _ warnings: inout [String], _ targets: [String: Int32]
  ) throws(RenderError) -> RenderedFilm {
    if let identifier = film.pairIdentifier {
      let policy = output.metadata
      if policy.preset == .none && policy.kept.isEmpty || policy.dropped.contains(.tag(0x927C)) {
        throw .unsupportedFilm("the output's metadata leave out what joins it with the photo")
      }
      guard film.film.container == MOVFormat.name,
        let target = targets[PairedFilm.name(of: output.name)]
      else { throw .unsupportedFilm("it is not a QuickTime film") }
      let size = try RenderError.writing([target]) { () throws(RenderError) in
        try write(film, output, graphs, shape, values, &warnings, into: target)
      }
      let new = PairIdentifier.named([
        originalDigest ?? "", filmDigest ?? "", recipe.resolved.compactText, output.name,
        identifier,
      ])
      guard let place = PairIdentifier.place(inFilm: .descriptor(target)),
        place.count == new.utf8.count,
        FinishedFile(descriptor: target).patch(at: place.lowerBound, Array(new.utf8))
      else { throw .unsupportedFilm("its identifier could not be replaced") }
      return RenderedFilm(size: size, pairIdentifier: new)
    }
    let file: TemporaryFile
    do throws(ExternalFailure) { file = try TemporaryFile() } catch {
      throw .unreadableFilm(error.message)
    }
    let size = try RenderError.writing([file.descriptor]) { () throws(RenderError) in
      try write(film, output, graphs, shape, values, &warnings, into: file.descriptor)
    }
    let facts = MotionPhotoFilm(
      length: file.size, microseconds: film.microseconds,
      mime: film.film.container == MOVFormat.name ? "video/quicktime" : "video/mp4")
    return RenderedFilm(size: size, file: file, facts: facts)
  }

  /// True if no step changes the film of an output.
  private func isCopied(_ output: Output) -> Bool {
    var steps = output
    steps.profile = .preserve
    return recipe.isIdentity(steps)
  }

  /// Writes the film of an output to an empty file, and returns the size of its upright frames.
  private func write(
    _ film: PhotoFilm, _ output: Output, _ graphs: FilmGraphs, _ shape: PhotoShape,
    _ values: [String: String], _ warnings: inout [String], into target: Int32
  ) throws(RenderError) -> Size {
    let own = film.output(for: output)
    let texts = texts(of: film.film, for: own, values)
    if isCopied(output), try film.film.copy(to: FinishedFile(descriptor: target), own, texts) {
      return film.film.header.size
    }
    return try render(film.film, own, graphs, shape, values, into: target, &warnings)
  }

  /// Renders the frames of a film as a photo's output; returns the size of the upright frames.
  private func render(
    _ film: FilmPhoto, _ output: Output, _ graphs: FilmGraphs, _ shape: PhotoShape,
    _ values: [String: String], into target: Int32, _ warnings: inout [String]
  ) throws(RenderError) -> Size {
    let edited: Graph?
    do throws(FrameObstacle) {
      edited = try (graphs.frames ?? graphs.photo).editingFrames(
        output.name, of: shape, in: film.header.shape)
    } catch {
      throw .unsupportedFilm(error.message)
    }
    guard let edited else { throw .unsupportedFilm("it has no output") }
    let context = context(film.still, film.header, values, nil)
    let maps =
      graphs.frames == nil
      ? nil : try FrameMaps(edited, measurement(context), [output], files: files)
    let lowered: LoweredGraph
    if let maps {
      lowered = maps.lowered
    } else {
      lowered = try LoweredGraph(edited, film.header, [output], recipe.rendering, files: files)
    }
    var execution = try Execution(lowered.pipeline.withTables(), context)
    execution.frameMaps = maps
    let frames = lowered.graph.frames(for: film.header.shape)
    warnings += film.warnings
    var size = film.header.size
    for group in film.groups([(0, output)]) {
      for made in try render(group, film, [output], execution, frames, [output.name: target]) {
        warnings += made.warnings
        size = made.size
      }
    }
    return size
  }
}

extension Renderer {
  /// States for each output whether its rendition keeps the photo's film, for `explain`: one line
  /// for each output.
  public func filmLines(of plan: RenderPlan) -> [String] {
    plan.outputs.map { output in
      let isKept = recipe.keepsFilm(output)
      let fate =
        isKept ? filmObstacle.map { "left out: \($0)" } ?? "edited and kept" : "left out"
      return "film of the photo in '\(output.name)': \(fate)"
    }
  }
}

extension RenditionFilms {
  /// The films that are files beside renditions of these outputs, as renditions.
  func beside(_ outputs: Set<String>) -> [Rendering.Rendition] {
    made.sorted { $0.key < $1.key }.filter { outputs.contains($0.key) }
      .compactMap { name, film in
        film.pairIdentifier.map { _ in
          Rendering.Rendition(output: PairedFilm.name(of: name), size: film.size)
        }
      }
  }
}
