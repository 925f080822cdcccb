import PhotoRecipes
import Vips

/// The maps of steps that measure each frame of a film or of an animation.
struct FrameMaps {
  /// The graph whose remaining placeholders measure each frame.
  private let graph: Graph
  private let measurement: Measurement
  /// The graph and the pipeline of all frames, with the maps of the first one.
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
    lowered = try LoweredGraph(
      measurement.completed(graph), measurement.context.header, outputs, measurement.rendering,
      files: files)
    var ofFrames = measurement
    // Frames are measured in place of the photo's file, which would be copied for each of them.
    ofFrames.context.photo = .bytes([])
    self.measurement = ofFrames
  }

  /// The maps that calls of `pipeline`, the pipeline of all frames, make for a frame.
  func maps(of frame: Image, in pipeline: Pipeline) throws(RenderError) -> [Int: MapSource] {
    var measurement = measurement
    measurement.frame = frame
    let maps = try measurement.completed(graph).frameMaps
    var made: [Int: MapSource] = [:]
    for (number, call) in pipeline.calls.enumerated() {
      guard case .map(.values(let first)) = call.step.arguments["map"], let step = first.step
      else { continue }
      made[number] = maps[step].map { .values($0) }
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
