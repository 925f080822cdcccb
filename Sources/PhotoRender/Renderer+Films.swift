import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

extension Renderer {
  /// Plans the rendering of a film, with its first frame as the photo.
  ///
  /// - Throws: `RenderError` for a film that exceeds a limit, or that the recipe cannot edit.
  public func plan(_ film: FilmPhoto) throws(RenderError) -> RenderPlan {
    if recipe.externalSteps.first != nil {
      throw .unsupportedFilm("the recipe runs another program, which gets photos only")
    }
    for output in recipe.outputs {
      if !output.range.isWhole {
        _ = try FilmSpan(output.range, of: film.facts, output: output.name)
      }
      _ = try frames(of: film, in: output)
    }
    var renderer = self
    renderer.recipe.outputs = recipe.outputs.map(film.adapted)
    return try renderer.plan(film.still, film.header)
  }

  /// Renders every output of a recipe from a film.
  ///
  /// Filters that measure the photo have measured the first frame; their values are used for all
  /// frames, so that the film does not flicker; only places are measured in each frame. An output of
  /// one frame measures that frame, and an output of a part of the film measures the first frame of
  /// the part.
  ///
  /// - Parameters:
  ///   - film: The film.
  ///   - plan: The plan that this renderer made for the film.
  ///   - targets: An empty file for each output, by the output's name: a descriptor open for
  ///     reading and writing.
  /// - Returns: The renditions, in the order of the recipe, and warnings.
  /// - Throws: The reason why the film could not be rendered; the files are then unusable.
  public func render(
    _ film: FilmPhoto, _ plan: RenderPlan, into targets: [String: Int32]
  ) throws(RenderError) -> Rendering {
    try RenderError.writing(targets.values) { () throws(RenderError) in
      try rendering(of: film, plan, into: targets)
    }
  }

  private func rendering(
    of film: FilmPhoto, _ plan: RenderPlan, into targets: [String: Int32]
  ) throws(RenderError) -> Rendering {
    let films = recipe.outputs.filter(\.isFilm)
    let whole = Set(films.filter(\.range.isWhole).map(\.name))
    var rendering =
      !whole.isEmpty
      ? try renderFrames(film, plan, into: targets.filter { whole.contains($0.key) })
      : Rendering(
        renditions: [], header: film.header, warnings: [], libraryWarnings: [],
        lenses: plan.lenses)
    for (number, first) in films.enumerated()
    where !first.range.isWhole && !films[..<number].contains(where: { $0.range == first.range }) {
      let outputs = films.filter { $0.range == first.range }
      let part = try film.part(for: first)
      var renderer = self
      renderer.recipe.outputs = outputs
      rendering.add(try renderer.renderFrames(part, renderer.plan(part), into: targets))
    }
    for output in recipe.outputs {
      guard let target = targets[output.name] else { continue }
      if let moment = output.frame {
        rendering.add(try render(output, film, at: moment, into: target))
      } else if let frames = try frames(of: film, in: output) {
        rendering.add(try render(output, frames, into: target))
      }
    }
    let order = recipe.outputs.map(\.name)
    rendering.renditions.sort { first, second in
      (order.firstIndex(of: first.output) ?? 0) < (order.firstIndex(of: second.output) ?? 0)
    }
    return rendering
  }

  /// Renders one frame of a film as a photo.
  private func render(
    _ output: Output, _ film: FilmPhoto, at moment: FilmMoment, into target: Int32
  ) throws(RenderError) -> Rendering {
    let (photo, end) = try film.photo(at: moment)
    var renderer = self
    renderer.recipe.outputs = [output]
    renderer.values.merge(film.header.texts) { $1 }
    // A frame has no file of its own, so no bytes can be copied instead of a rendition.
    renderer.copiesOriginals = false
    let plan = try renderer.plan(photo, film.header)
    var rendering = try renderer.render(plan, into: [output.name: target])
    if let end { rendering.warnings.append(output.warning(ofFilmEndingAt: end)) }
    return rendering
  }

  /// The graph and the pipeline that render all frames of a film, and the maps that differ between
  /// frames.
  func framePipeline(
    _ plan: RenderPlan, _ context: ExecutionContext, _ programs: inout ExternalSteps
  ) throws(RenderError) -> (lowered: LoweredGraph, maps: FrameMaps?) {
    let measurement = measurement(context)
    var frames: Graph?
    let completed = try measurement.completed(plan.recipeGraph, &programs, frames: &frames)
    if let frames {
      let maps = try FrameMaps(frames, measurement, plan.outputs, files: files)
      return (maps.lowered, maps)
    }
    return (try plan.lowered(completed, recipe.rendering, files: files, returned: []), nil)
  }

  /// Renders the outputs that are films, frame by frame.
  private func renderFrames(
    _ film: FilmPhoto, _ plan: RenderPlan, into targets: [String: Int32]
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let context = context(film.still, film.header, values.merging(film.header.texts) { $1 }, nil)
    var programs = ExternalSteps(context, recipe.rendering, limits, runner)
    let prepared = try framePipeline(plan, context, &programs)
    let (lowered, pipeline) = (prepared.lowered, prepared.lowered.pipeline.withTables())
    let clipping = Clipping(of: pipeline)
    var execution = try Execution(pipeline, context, clipping: clipping)
    execution.frameMaps = prepared.maps
    var warnings = plan.warnings + pipeline.warnings
    var made: [String: Rendering.Rendition] = [:]
    var waiting: [Int] = []
    for (number, output) in plan.outputs.enumerated() {
      guard let target = targets[output.name] else { continue }
      let isIdentity = recipe.isIdentity(recipe.outputs[number])
      let texts = texts(of: film, for: output, context.values, original: originalDigest)
      if isIdentity, film.hasFormat(of: output),
        try film.copy(to: FinishedFile(descriptor: target), output, texts),
        FinishedFile(descriptor: target).size <= output.budget.maxBytes ?? .max
      {
        warnings += texts.warnings
        made[output.name] = Rendering.Rendition(
          output: output.name, size: film.header.size,
          isOriginal: film.span == nil && texts.keepsAll, frame: .identity)
      } else {
        waiting.append(number)
        if isIdentity, let reason = film.cutObstacle(for: output, texts) {
          warnings.append(
            "'\(output.name)' is encoded again, because "
              + (film.span == nil ? "the film's packets" : "parts of this film")
              + " cannot be copied: " + reason)
        }
      }
    }
    if !waiting.isEmpty { warnings += film.warnings }
    let frames = lowered.graph.frames(for: film.header.shape)
    for group in film.groups(waiting.map { ($0, plan.outputs[$0]) }) {
      for output in group.outputs {
        if let target = targets[plan.outputs[output].name] {
          _ = FinishedFile(descriptor: target).replace(with: [])
        }
      }
      let outputs = try render(
        group, film, plan.outputs, execution, frames, targets, records: filmRecords,
        original: originalDigest)
      for output in outputs {
        let name = output.output.name
        warnings += output.warnings
        let quality = try targets[name].flatMap { target throws(RenderError) in
          try fitting(output, group, film, plan.outputs, execution, frames, target)
        }
        made[name] = Rendering.Rendition(
          output: name, size: output.size, quality: quality,
          clipped: clipping.share(of: output.number), frame: frames[name])
      }
    }
    let heard = VipsRuntime.takeWarnings()
    return Rendering(
      renditions: recipe.outputs.compactMap { made[$0.name] }, header: film.header,
      warnings: warnings + execution.warnings.all, libraryWarnings: heard.telling,
      lenses: plan.lenses)
  }

  /// Encodes a film again, with a lower quality, until it has at most `maxBytes`.
  ///
  /// Each attempt renders all frames, so there are few, and the first quality is taken with which
  /// the film fits.
  ///
  /// - Returns: The quality; nil if the film fits with the quality of its output.
  /// - Throws: `overBudget` if the film does not fit with the lowest quality.
  private func fitting(
    _ output: FilmOutput, _ group: FilmGroup, _ film: FilmPhoto, _ all: [Output],
    _ execution: Execution, _ frames: [String: Homography], _ target: Int32
  ) throws(RenderError) -> Int? {
    let asked = output.output
    guard let limit = asked.budget.maxBytes, let top = asked.format.lossyQuality else { return nil }
    let file = FinishedFile(descriptor: target)
    var search = FilmBudget(limit: limit, lowest: asked.budget.minQuality, quality: top)
    while file.size > limit {
      guard let quality = search.next(after: file.size) else {
        throw .overBudget(
          output: asked.name,
          .size(file.size, limit: limit, quality: search.quality))
      }
      guard file.replace(with: []) else {
        throw .encodeFailed(output: asked.name, "the file cannot be written")
      }
      var all = all
      all[output.number].format = asked.format.with(lossyQuality: quality)
      _ = try render(
        FilmGroup(movie: group.movie, cut: group.cut, outputs: [output.number]), film, all,
        execution, frames, [asked.name: target], original: originalDigest)
    }
    return search.quality == top ? nil : search.quality
  }

  /// Renders outputs that have the same time stamps: the film is decoded once for all of them.
  ///
  /// `all` are the outputs of the execution's pipeline. `records` are files, by the names of outputs,
  /// that record what is encoded: frames that they have of an interrupted rendering are decoded, but
  /// not rendered again. `digest` is that of the original which the renditions name; nil for none.
  func render(
    _ group: FilmGroup, _ film: FilmPhoto, _ all: [Output], _ execution: Execution,
    _ frames: [String: Homography], _ targets: [String: Int32], records: [String: Int32] = [:],
    original digest: String? = nil
  ) throws(RenderError) -> [FilmOutput] {
    let reader = try film.codec.film(
      in: film.descriptor, ignoresEdits: group.movie != nil, threads: threads)
    if let span = film.span {
      let stamps = group.cut?.shown ?? span.stamps(in: reader)
      guard try reader.cut(to: stamps) else {
        throw .unreadableFilm("a frame is missing that its header lists")
      }
    }
    var outputs: [FilmOutput] = []
    for number in group.outputs {
      let output = all[number]
      guard let target = targets[output.name] else { continue }
      let keepsFrame = frames[output.name].map { $0 == .identity } ?? false
      outputs.append(
        try FilmOutput(
          output, number, execution.pipeline.outputs[number], film, group, reader,
          target: target, record: records[output.name], keepsFrame: keepsFrame,
          texts: texts(
            of: film, for: output, execution.context.values, original: digest,
            keepsFrame: keepsFrame),
          threads: threads))
    }
    let share = film.span?.share(of: film.facts) ?? 1
    let all = Int((Double(film.facts.frames) * share).rounded())
    let recorded = outputs.map(\.recorded).min() ?? 0
    for output in outputs { output.resume(after: recorded) }
    var done = 0
    while let time = try reader.next() {
      if done < recorded {
        done += 1
        for output in outputs { try output.replay(at: time, isLast: done == recorded) }
        progress?(done, max(done, all))
        continue
      }
      let frame: Image
      do throws(VipsError) { frame = try reader.image() } catch {
        throw RenderError(error)
      }
      var own = try execution.showing(frame)
      for output in outputs {
        try output.add(own.image(execution.pipeline.outputs[output.number].call), at: time)
      }
      done += 1
      progress?(done, max(done, all))
    }
    for output in outputs { try output.finish(reader) }
    return outputs
  }
}

extension Renderer {
  /// Selects the metadata of a rendition of a film.
  func texts(
    of film: FilmPhoto, for output: Output, _ values: [String: String] = [:],
    original digest: String? = nil, keepsFrame: Bool = true
  ) -> FilmCuration {
    FilmCuration(
      output.metadata, values: values, describedBy: description, original: digest,
      keepsFrame: keepsFrame, isPaired: film.isPaired)
  }
}

extension Recipe {
  /// True if neither the recipe nor the output changes a film.
  func isIdentity(_ output: Output) -> Bool {
    (steps + output.steps).allSatisfy(\.isIdentity) && output.profile == .preserve
  }
}

extension FilmPhoto {
  var warnings: [String] {
    let lost =
      (facts.hasDolbyVision ? ["data of Dolby Vision"] : [])
      + (facts.hasDisplayData ? ["data about the display on which it was graded"] : [])
    return lost.map { "not in the renditions: the film's \($0)" }
  }

  /// An output of a recipe as it is rendered from this film: light above white stays in outputs that
  /// keep the colours of an HDR film.
  func adapted(_ output: Output) -> Output {
    guard let transfer = facts.transfer, output.format is any FilmFormat,
      output.profile == .preserve
    else { return output }
    var adapted = output
    adapted.hdr = transfer
    adapted.profile = facts.brightSpace
    // As in photos for HDR displays, colours are not brought below white.
    (adapted.gamut, adapted.rolloff) = (.clip, nil)
    return adapted
  }
}

extension Rendering {
  /// Adds the renditions and warnings of further outputs.
  fileprivate mutating func add(_ other: Rendering) {
    renditions += other.renditions
    warnings += other.warnings
    libraryWarnings += other.libraryWarnings
  }
}

extension Output {
  /// The warning that a film of `seconds` ends before the frame that the output shows.
  func warning(ofFilmEndingAt seconds: Double) -> String {
    "'\(name)' shows the last frame: the film has only \(seconds.short) s"
  }
}
