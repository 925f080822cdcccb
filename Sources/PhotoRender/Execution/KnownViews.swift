import PhotoRecipes
import Synchronization

/// The reduced copies of a photo that filters have measured, and the operations that the filters
/// derived from them.
final class KnownViews: Sendable {
  private struct Key: Hashable {
    let step: MeasuredStep
    let graph: Graph
  }

  private static let (mostViews, mostResults) = (8, 32)
  private let views = Mutex<[(graph: Graph, view: PhotoView)]>([])
  private let results = Mutex<[Key: MeasuredResult]>([:])
  private let images = Mutex<[Int: LiveImages]>([:])

  /// The images inside the pipeline that computes a measured view; `number` is the position of the
  /// view in the order in which a picture measures its views.
  func images(_ number: Int) -> LiveImages {
    images.withLock { images in
      if let known = images[number] { return known }
      let new = LiveImages()
      images[number] = new
      return new
    }
  }

  subscript(graph: Graph) -> PhotoView? {
    views.withLock { $0.first { $0.graph == graph }?.view }
  }

  func add(_ view: PhotoView, of graph: Graph) {
    views.withLock { views in
      views.append((graph, view))
      if views.count > Self.mostViews { views.removeFirst() }
    }
  }

  func result(of step: MeasuredStep, on graph: Graph) -> MeasuredResult? {
    results.withLock { $0[Key(step: step, graph: graph)] }
  }

  func add(_ result: MeasuredResult, of step: MeasuredStep, on graph: Graph) {
    results.withLock { results in
      if results.count >= Self.mostResults { results = [:] }
      results[Key(step: step, graph: graph)] = result
    }
  }
}

/// The operations that a filter derived from a reduced photo, as a graph of their own.
///
/// The first node of the graph stands for the photo; its output is the filter's result.
struct MeasuredResult: Sendable {
  fileprivate let graph: Graph

  init(of step: MeasuredStep, seeing view: PhotoView) {
    var graph = Graph()
    let photo = graph.append(.original(shrink: 1))
    graph.addOutput("result", step.operation.append(to: &graph, after: photo, seeing: view))
    self.graph = graph
  }
}

extension Graph {
  /// The same graph with a measuring node replaced by operations that its filter derived before.
  func replacing(_ measuring: ID, with result: MeasuredResult) -> Graph {
    var graph = Graph()
    var moved: [ID] = []
    for (id, node) in nodes.enumerated() {
      let inputs = node.inputs.map { moved[$0] }
      guard id == measuring, let input = inputs.first else {
        moved.append(graph.append(node.operation, reading: inputs))
        continue
      }
      var own: [ID] = [input]
      for node in result.graph.nodes.dropFirst() {
        own.append(graph.append(node.operation, reading: node.inputs.map { own[$0] }))
      }
      moved.append(result.graph.outputs.first.map { own[$0.node] } ?? input)
    }
    for output in outputs { graph.addOutput(output.name, moved[output.node]) }
    return graph.making(Array(graph.outputs.indices))
  }
}
