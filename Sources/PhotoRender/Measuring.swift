import PhotoRecipes
import Vips

/// Completes graphs whose filters must see the photo first.
struct Measuring {
  let photo: PhotoFile
  let header: PhotoHeader
  let rendering: Recipe.Rendering
  let files: [String: [UInt8]]
  let values: [String: String]
  let monitor: Monitor?

  /// The graph with nothing left that waits.
  func completed(_ graph: Graph) throws(RenderError) -> Graph {
    let originals = ReducedOriginals()
    var graph = graph
    while let (node, _, view) = graph.nextView(for: rendering) {
      if let continued = graph.continuing(node) {
        graph = continued
      } else {
        graph = graph.replacing(node, seeing: try look(at: view, originals))
      }
    }
    return graph
  }

  private func look(
    at graph: Graph, _ originals: ReducedOriginals
  ) throws(RenderError) -> PhotoView {
    let planned = graph.planned(for: header.shape, rendering)
    var execution = Execution(
      Pipeline(view: planned, header, rendering), source: photo.source(), loader: header.loader,
      files: files, values: values, monitor, originals: originals)
    do throws(RenderError) {
      let image = try execution.image(execution.lastCall)
      return try PhotoView(image, of: graph.fullSize(for: header.shape))
    } catch {
      throw photo.isCutOff(header.loader, error)
    }
  }
}

extension PhotoView {
  fileprivate init(_ image: Image, of full: Size) throws(RenderError) {
    let bands = image.bands
    let samples: [Float]
    do throws(VipsError) { samples = try image.samples(as: Float.self) } catch {
      throw RenderError(error)
    }
    let starts = stride(from: 0, to: samples.count, by: bands)
    self.init(
      size: Size(image.width, image.height), full: full,
      pixels: starts.map { SIMD3(samples[$0], samples[$0 + 1], samples[$0 + 2]) },
      alpha: bands == 4 ? starts.map { samples[$0 + 3] } : nil)
  }
}
