import PhotoRecipes
import Vips

/// The maps of steps that measure each frame of a film or of an animation.
struct FrameMaps {
  /// The graph whose remaining placeholders measure each frame.
  private let graph: Graph
  private let measurement: Measurement
  /// The graph of all frames, and its pipeline; their maps have numbers in place of values.
  let lowered: LoweredGraph

  /// Plans the rendering of all frames.
  ///
  /// - Parameters:
  ///   - graph: A graph whose other steps hold the values of the first frame.
  ///   - measurement: Measures frames; its photo is the first frame.
  ///   - outputs: The outputs of the graph.
  ///   - files: The content of the files that the recipe names, by path.
  /// - Throws: `RenderError` for a graph that cannot be rendered.
  init(
    _ graph: Graph, _ measurement: Measurement, _ outputs: [Output], files: [String: [UInt8]]
  ) throws(RenderError) {
    self.graph = graph
    self.measurement = measurement
    lowered = try LoweredGraph(
      measurement.completed(graph).numberingMaps, measurement.context.header, outputs,
      measurement.rendering, files: files)
  }

  /// The maps that calls of `pipeline`, the pipeline of all frames, make for a frame; nil for the
  /// first frame.
  func maps(of frame: Image?, in pipeline: Pipeline) throws(RenderError) -> [Int: MapSource] {
    var measurement = measurement
    measurement.frame = frame
    let maps = try measurement.completed(graph).measuredMaps
    var made: [Int: MapSource] = [:]
    for (number, call) in pipeline.calls.enumerated() {
      guard case .map(.values(let numbered)) = call.step.arguments["map"],
        let map = numbered.values.first, maps.indices.contains(Int(map))
      else { continue }
      made[number] = .values(maps[Int(map)])
    }
    return made
  }
}

extension Execution {
  /// The same execution for a frame of a film or of an animation.
  func showing(_ frame: Image) throws(RenderError) -> Execution {
    var own = self
    own.frame = frame
    own.maps = try frameMaps?.maps(of: frame, in: pipeline) ?? [:]
    return own
  }
}
