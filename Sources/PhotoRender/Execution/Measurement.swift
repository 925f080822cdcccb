import PhotoRecipes
import Synchronization
import Vips

/// Completes graphs: replaces the placeholders for filters that measure the photo, and for external
/// programs.
struct Measurement {
  let context: ExecutionContext
  let rendering: RenderingMode
  /// The point of interest of the upright photo, 0…1 from the left and from the top; nil if it is
  /// unknown.
  let focal: SIMD2<Double>?
  /// The longer edge of a preview in pixels; nil for a full rendering.
  ///
  /// For a preview, the photo is also reduced before neighbourhood operations that precede a
  /// measurement.
  var previewEdge: Int?
  /// The look of a raw photo, once it is fitted.
  let lookFit = LookFit()
  /// The reduced photo of earlier measurements; nil to decode it.
  var originals: ReducedOriginals?
  /// The results of earlier measurements; nil if there are none.
  var views: KnownViews?

  /// Returns the graph after all its placeholders are replaced.
  ///
  /// A placeholder stands for a filter that measures the photo, or for an external program.
  func completed(
    _ graph: Graph, _ programs: inout ExternalSteps
  ) throws(RenderError) -> Graph {
    let originals = self.originals ?? ReducedOriginals()
    var graph = graph
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
        } else if let step = view.step.operation as? ColourNoise {
          graph = graph.replacing(view.node, reducing: try noise(step))
        } else {
          let result = views?.result(of: view.step, on: view.graph)
          if let result {
            graph = graph.replacing(view.node, with: result)
          } else {
            let seen = try self.view(of: view, originals, programs.returned, programs.warnings)
            views?.add(MeasuredResult(of: view.step, seeing: seen), of: view.step, on: view.graph)
            if let camera = view.step.operation as? CameraLook {
              lookFit.look = camera.fitted(to: seen)
              graph = graph.replacing(view.node, with: lookFit.look)
            } else {
              graph = graph.replacing(view.node, seeing: seen)
            }
          }
        }
      } else {
        return graph
      }
    }
  }

  /// The look `camera` as fitted to the photo; nil if the first step of a graph that measures the
  /// photo, other than its noise, is another one.
  func fitted(_ graph: Graph) throws(RenderError) -> FittedLook? {
    var graph = graph
    while let view = graph.nextView(for: rendering) {
      if let step = view.step.operation as? ColourNoise {
        graph = graph.replacing(view.node, reducing: try noise(step))
        continue
      }
      guard let camera = view.step.operation as? CameraLook else { return nil }
      return try camera.fitted(to: self.view(of: view, ReducedOriginals(), [], WarningLog()))
    }
    return nil
  }

  private func view(
    of view: (node: Graph.ID, step: MeasuredStep, graph: Graph), _ originals: ReducedOriginals,
    _ returned: [ReturnedPhoto], _ warnings: WarningLog
  ) throws(RenderError) -> PhotoView {
    let (header, graph) = (context.header, view.graph)
    let seesFaces = view.step.operation.seesFaces
    if !seesFaces, let known = views?[graph] { return known }
    let faces = seesFaces ? try self.faces(in: graph, warnings) : []
    let planned =
      if let previewEdge {
        graph.planned(for: header.shape, rendering, previewEdge: previewEdge)
      } else {
        graph.planned(for: header.shape, rendering)
      }
    var execution = try Execution(
      Pipeline(view: planned, header, rendering, returned: returned.map(\.header)), context,
      originals: originals, returned: returned)
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      let view = try PhotoView(
        image, of: graph.fullSize(for: header.shape),
        focal: focal.flatMap { graph.place(of: $0, for: header.shape) }, faces: faces)
      if !seesFaces { views?.add(view, of: graph) }
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

  /// The faces in the frame of a view; none if the view was made from an image that an external
  /// program returned.
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
    let bands = image.bands
    let samples: [Float]
    do throws(VipsError) { samples = try image.samples(as: Float.self) } catch {
      throw RenderError(error)
    }
    let starts = stride(from: 0, to: samples.count, by: bands)
    self.init(
      size: Size(image.width, image.height), full: full,
      pixels: starts.map { SIMD3(samples[$0], samples[$0 + 1], samples[$0 + 2]) },
      alpha: bands == 4 ? starts.map { samples[$0 + 3] } : nil, focal: focal,
      faces: faces)
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
  /// If it has at most `limit` pixels, it is first decoded and cached.
  func keeping(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    if image.width * image.height > limit { return image }
    let kept = try image.materialized().setting(["vips-sequential": nil])
    images.withLock { $0[arguments] = kept }
    return kept
  }
}
