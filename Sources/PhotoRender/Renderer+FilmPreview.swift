import PhotoMetadata
import PhotoRecipes
import Vips

extension Renderer {
  /// The frames of a film that an output shows; nil for an output that is no preview.
  ///
  /// - Throws: `missingPart`, `tooManyPreviewFrames`.
  func frames(of film: FilmPhoto, in output: Output) throws(RenderError) -> FilmFrames? {
    guard let preview = output.preview else { return nil }
    return try FilmFrames(film, of: preview, in: output, limit: limits.frames)
  }

  /// Renders frames of a film as an animation, or on a sheet.
  ///
  /// The finished frames are in a temporary file, so the memory does not depend on their number.
  /// Filters that measure the photo measure the first of the frames; only places are measured in each
  /// frame.
  func render(
    _ output: Output, _ frames: FilmFrames, into target: Int32
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let film = try frames.film.part(for: output)
    var renderer = self
    renderer.recipe.outputs = [output]
    renderer.values.merge(film.header.texts) { $1 }
    let plan = try renderer.plan(film.still, film.header)
    let context = renderer.context(film.still, film.header, renderer.values, nil)
    var programs = ExternalSteps(context, recipe.rendering, limits, nil)
    let (lowered, maps) = try renderer.framePipeline(plan, context, &programs)
    let pipeline = lowered.pipeline.withTables()
    guard let end = pipeline.outputs.first, let own = plan.outputs.first else {
      throw .encodeFailed(output: output.name, "the output has no pixels")
    }
    let whole = Size(end.size.width, end.size.height * frames.count)
    if whole.pixels > limits.wholePixels || whole.height > Self.mostRows {
      throw .tooManyOutputPixels(whole, limit: min(limits.wholePixels, Self.mostRows * whole.width))
    }
    let clipping = Clipping(of: pipeline)
    var execution = try Execution(pipeline, context, clipping: clipping)
    execution.frameMaps = maps
    var metadata = RenditionMetadata(
      original: Metadata(of: film.still.byteSource), values: renderer.values,
      recipe: "\(recipe.identifier) \(recipe.version)", digest: originalDigest,
      steps: recipe.steps)
    metadata.frames = lowered.graph.frames(for: film.header.shape)
    let encoder = Encoder(
      output: own,
      colour: try OutputColour(
        own, SourceColour(film.header), film.header, files: files, isGrey: end.isGrey),
      depth: end.depth, metadata: metadata)
    var made = MadeFrames(count: frames.count, inFile: true)
    var done = 0
    try frames.visit { frame throws(RenderError) in
      var one = try execution.showing(frame)
      let image = try one.image(end.call)
      do throws(VipsError) { try made.add(encoder.filled(image)) } catch {
        throw RenderError(error)
      }
      done += 1
      progress?(done, frames.count)
    }
    let image: Image
    do throws(VipsError) {
      let stack = try made.joined()
      if let columns = output.preview?.columns {
        image = try Self.sheet(stack, end.size, count: frames.count, columns: columns)
      } else {
        let delay = min(600_000, max(10, Int((frames.distance * 1000).rounded())))
        image = try Animation(delay: delay, count: frames.count)
          .labelled(stack, count: frames.count)
      }
    } catch {
      throw RenderError(error)
    }
    let size = output.preview?.columns == nil ? end.size : Size(image.width, image.height)
    if size.longEdge > type(of: own.format).longestEdge {
      throw .outputTooLarge(
        size, format: type(of: own.format).name, limit: type(of: own.format).longestEdge)
    }
    let written = try encoder.write(image, to: target, spills: true)
    if let miss = written.miss { throw .overBudget(output: output.name, miss) }
    let heard = VipsRuntime.takeWarnings()
    return Rendering(
      renditions: [
        Rendering.Rendition(
          output: output.name, size: size, quality: written.quality,
          clipped: clipping.share(of: 0))
      ], header: film.header,
      warnings: plan.warnings + pipeline.warnings + execution.warnings.all + written.warnings,
      libraryWarnings: heard.telling, lenses: plan.lenses)
  }

  /// The maximum height of an image in libvips, with which the frames are stacked.
  private static let mostRows = 10_000_000

  /// Arranges stacked frames in rows; places behind the last frame are black.
  private static func sheet(
    _ stack: Image, _ size: Size, count: Int, columns: Int
  ) throws(VipsError) -> Image {
    let across = min(columns, count)
    let down = (count + across - 1) / across
    // libvips 8.14 cannot pass rows of a file that it has just written on to `embed`, but to a copy.
    let full = try stack.applying("copy").applying(
      "embed",
      [
        "x": .integer(0), "y": .integer(0), "width": .integer(stack.width),
        "height": .integer(size.height * across * down), "extend": .choice("black"),
      ])
    return try full.applying(
      "grid",
      [
        "tile-height": .integer(size.height), "across": .integer(across), "down": .integer(down),
      ])
  }
}
