import PhotoRecipes
import Vips

/// Completes graphs whose filters must see the photo first, or hand it to a program.
struct Measuring {
  let photo: PhotoFile
  let header: PhotoHeader
  let rendering: Recipe.Rendering
  let files: [String: [UInt8]]
  let values: [String: String]
  /// The point of interest of the upright photo, 0…1.
  let focal: SIMD2<Double>?
  let holding: Holding
  let monitor: Monitor?
  /// The longer edge of a preview, for which areas before a look are reduced as well; nil: none.
  var previewEdge: Int?

  /// The graph with nothing left that waits.
  func completed(
    _ graph: Graph, _ programs: inout ExternalSteps
  ) throws(RenderError) -> Graph {
    let originals = ReducedOriginals()
    var graph = graph
    while true {
      let (external, view) = (graph.nextExternal, graph.nextView(for: rendering))
      // What comes first in the graph waits for nothing.
      if let external, external.node < view?.node ?? .max {
        let replacement = try programs.run(external.step, on: external.graph)
        graph = graph.replacing(external.node, with: replacement)
      } else if let view {
        if let continued = graph.continuing(view.node) {
          graph = continued
        } else {
          let seen = try look(at: view.graph, originals, programs.returned)
          graph = graph.replacing(view.node, seeing: seen)
        }
      } else {
        return graph
      }
    }
  }

  private func look(
    at graph: Graph, _ originals: ReducedOriginals, _ returned: [ReturnedPhoto]
  ) throws(RenderError) -> PhotoView {
    let planned =
      if let previewEdge {
        graph.planned(for: header.shape, rendering, previewEdge: previewEdge)
      } else {
        graph.planned(for: header.shape, rendering)
      }
    var execution = Execution(
      Pipeline(view: planned, header, rendering, returned: returned),
      input: try photo.input(for: header),
      files: files, values: values, holding, monitor, originals: originals,
      returned: returned)
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      return try PhotoView(
        image, of: graph.fullSize(for: header.shape),
        focal: focal.flatMap { graph.place(of: $0, for: header.shape) })
    } catch {
      throw photo.isCutOff(header.loader, error)
    }
  }
}

extension PhotoView {
  fileprivate init(
    _ image: Image, of full: Size, focal: Placement.Point?
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
      alpha: bands == 4 ? starts.map { samples[$0 + 3] } : nil, focal: focal)
  }
}
