import PhotoRecipes
import Synchronization
import Vips

/// Completes graphs: replaces the placeholders for filters that measure the photo, and for external
/// programs.
struct Measurement {
  var context: ExecutionContext
  let rendering: RenderingMode
  /// The point of interest of the upright photo, 0…1 from the left and from the top; nil if it is
  /// unknown.
  let focal: SIMD2<Double>?
  /// The longer edge of a preview in pixels; nil for a full rendering.
  ///
  /// For a preview, the photo is also reduced before neighbourhood operations that precede a
  /// measurement.
  var previewEdge: Int?
  /// The factor by which the loader reduces the photo for the preview; what is measured is reduced
  /// by no more, so that the file is decoded once for both.
  var previewShrink = Int.max
  /// The look of a raw photo, once it is fitted.
  var lookFit = LookFit()
  /// The reduced photo of earlier measurements; nil to decode it.
  var originals: ReducedOriginals?
  /// The results of earlier measurements of the same development; nil if there are none.
  var views: KnownViews?
  /// The frame that is measured in place of the photo; nil to measure the photo.
  var frame: Image?

  /// Returns the graph after all its placeholders are replaced.
  ///
  /// A placeholder stands for a filter that measures the photo, or for an external program.
  func completed(
    _ graph: Graph, _ programs: inout ExternalSteps
  ) throws(RenderError) -> Graph {
    var frames: Graph?
    return try completed(graph, &programs, &frames)
  }

  /// Returns the graph of a film or an animation after all its placeholders are replaced.
  ///
  /// Makes `frames` the graph in which steps that measure places still have to measure each frame;
  /// nil if there is no such step.
  func completed(
    _ graph: Graph, _ programs: inout ExternalSteps, frames: inout Graph?
  ) throws(RenderError) -> Graph {
    let isPlain = context.header.raw == nil && graph.nextExternal == nil
    frames = isPlain && graph.placesSteps > 0 ? graph : nil
    return try completed(graph, &programs, &frames)
  }

  /// Returns the graph after the placeholders of filters are replaced.
  func completed(_ graph: Graph) throws(RenderError) -> Graph {
    var programs = ExternalSteps(context, rendering, .standard, nil)
    return try completed(graph, &programs)
  }

  private func completed(
    _ graph: Graph, _ programs: inout ExternalSteps, _ frames: inout Graph?
  ) throws(RenderError) -> Graph {
    let originals = self.originals ?? ReducedOriginals()
    var graph = graph
    var number = 0
    while true {
      let (external, view) = (graph.nextExternal, graph.nextView(for: rendering))
      // The placeholder that comes first in the graph is replaced first, because it depends on no
      // other placeholder.
      if let external, external.node < view?.node ?? .max {
        let replacement = try programs.run(external.step, on: external.graph)
        graph = graph.replacing(external.node, with: replacement)
      } else if let view {
        if let continued = graph.continuing(view.node) {
          graph = continued
          frames = frames?.seeing(firstFrame: nil)
        } else if let step = view.step.operation as? ColourNoise {
          graph = graph.replacing(view.node, reducing: try noise(step))
        } else if let look = view.step.operation as? CameraLook {
          if lookFit.look == nil { lookFit.look = try fitted(look) }
          graph = graph.replacing(view.node, with: lookFit.look)
        } else {
          let result = frames == nil ? views?.result(of: view.step, on: view.graph) : nil
          if let result {
            graph = graph.replacing(view.node, with: result)
          } else {
            let faces =
              view.step.operation.seesFaces
              ? try self.faces(in: view.graph, programs.warnings) : nil
            let seen = try self.view(
              of: view.graph, for: view.step, faces, originals, programs.returned, number)
            views?.add(MeasuredResult(of: view.step, seeing: seen), of: view.step, on: view.graph)
            graph = graph.replacing(view.node, seeing: seen)
            frames = frames?.seeing(firstFrame: seen)
          }
          number += 1
        }
      } else {
        return graph
      }
    }
  }

  /// The look `camera` as fitted to the photo that a graph develops; nil if the graph has no such
  /// look.
  func fitted(_ graph: Graph) throws(RenderError) -> FittedLook? {
    for case .measured(let step) in graph.nodes.map(\.operation) {
      if let look = step.operation as? CameraLook { return try fitted(look) }
    }
    return nil
  }

  /// Fits the look `camera` to the tones of the embedded JPEG; nil if the photo is too small.
  ///
  /// The fit uses the whole photo with the camera's white balance, before all steps. The look
  /// therefore does not depend on the recipe: an exposure step stays visible, and a crop does not
  /// change the tones.
  private func fitted(_ look: CameraLook) throws(RenderError) -> FittedLook? {
    var asShot = self
    if let raw = context.header.raw, !raw.isAsShot {
      asShot.context.header.raw = try RawDevelopment(context.photo, context.header.inputs.raw)
      (asShot.originals, asShot.views) = (nil, nil)
    }
    var graph = Graph()
    let upright = graph.append(.orient, graph.append(.original(shrink: 1)))
    let edge = Length.pixels(CameraLook.viewEdge)
    graph.addOutput("view", graph.append(.resize(Resize(.longEdge(edge))), upright))
    let originals = asShot.originals ?? ReducedOriginals()
    return look.fitted(to: try asShot.view(of: graph, nil, originals, []))
  }

  /// The reduced photo that a graph describes; `faces` is nil for an operation that needs no faces.
  ///
  /// `step` measures the view; `number` counts the measured steps before it.
  private func view(
    of graph: Graph, for step: MeasuredStep? = nil, _ faces: [Face]?,
    _ originals: ReducedOriginals, _ returned: [ReturnedPhoto], _ number: Int = 0
  ) throws(RenderError) -> PhotoView {
    // The view is that of the standard rendition, so that both renditions get the same values for the
    // whole photo; but what changes the tones of places must see the light that the gain map adds.
    let showsGains =
      step?.isHDR == true && step?.operation.seesLightAboveWhite == true
      && context.header.gains != nil
    if faces == nil, !showsGains, var seen = views?[graph] {
      seen.isHDR = step?.isHDR == true
      return seen
    }
    let header = context.header
    let planned =
      if let previewEdge {
        graph.planned(
          for: header.shape, rendering, previewEdge: previewEdge, shrink: previewShrink)
      } else {
        graph.planned(for: header.shape, rendering)
      }
    var execution = try Execution(
      Pipeline(
        view: planned, header, rendering, returned: returned.map(\.header), isHDR: showsGains),
      context, originals: showsGains ? ReducedOriginals() : originals, returned: returned)
    execution.frame = frame
    // While a setting moves, only the steps between it and the measured one are computed again.
    if originals === self.originals, !showsGains { try views?.images(number).serve(&execution) }
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      var view = try PhotoView(
        image, of: graph.fullSize(for: header.shape),
        focal: focal.flatMap { graph.place(of: $0, for: header.shape) }, faces: faces ?? [])
      if faces == nil, !showsGains { views?.add(view, of: graph) }
      view.isHDR = step?.isHDR == true
      return view
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }

  /// The noise of a raw photo's sensor; nil if it cannot be measured.
  private func noise(_ step: ColourNoise) throws(RenderError) -> SensorNoise? {
    if let stated = step.stated { return stated }
    do throws(VipsError) {
      return try context.header.raw?.noise(of: context.photo, context.samples)
    } catch {
      throw context.photo.diagnosis(of: RenderError(error), context.header.fileFormat)
    }
  }

  /// The faces in the frame of a view; none if the view shows an image that an external program
  /// returned.
  private func faces(
    in graph: Graph, _ warnings: WarningLog
  ) throws(RenderError) -> [Face] {
    guard let frame = graph.frame(for: context.header.shape) else { return [] }
    let faces = try context.faceSearch.faces(in: context)
    if let warning = faces.warning { warnings.add(warning) }
    return faces.all.compactMap { $0.moved(by: frame) }
  }
}

extension PhotoView {
  fileprivate init(
    _ image: Image, of full: Size, focal: Placement.Point?, faces: [Face]
  ) throws(RenderError) {
    let samples: [Float]
    do throws(VipsError) { samples = try image.samples(as: Float.self) } catch {
      throw RenderError(error)
    }
    self.init(
      size: Size(image.width, image.height), full: full, samples: samples, bands: image.bands,
      focal: focal, faces: faces)
  }
}

/// The photo as reduced by its loader, cached in memory for the measurements of several filters.
final class ReducedOriginals: Sendable {
  /// The maximum number of pixels of a cached image.
  private let limit: Int

  private let images = Mutex<[[String: Pipeline.Value]: Image]>([:])

  init(limit: Int = 4_000_000) { self.limit = limit }

  /// The cached image that the loader returned for these arguments; nil if there is none.
  subscript(arguments: [String: Pipeline.Value]) -> Image? { images.withLock { $0[arguments] } }

  /// Returns the image.
  ///
  /// An image with at most `limit` pixels is first decoded and cached.
  func keeping(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    if image.width * image.height > limit { return image }
    let kept = try image.materialized().setting(["vips-sequential": nil])
    images.withLock { $0[arguments] = kept }
    return kept
  }

  func removeAll() { images.withLock { $0 = [:] } }

  /// The number of cached images.
  var count: Int { images.withLock { $0.count } }
}
