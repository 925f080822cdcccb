public import PhotoRecipes
import Vips

/// Runs the external programs of a recipe; the renderer itself does not start processes.
public protocol ExternalRunner: Sendable {
  /// Runs a program until it ends, with `input` as its stdin and `output` as its stdout.
  ///
  /// The caller owns both open files; `output` is empty.
  func run(_ step: External, input: Int32, output: Int32) throws(ExternalFailure)
}

/// Runs the external programs of a graph, each after all nodes before it are complete.
struct ExternalSteps {
  let context: ExecutionContext
  let rendering: RenderingMode
  let limits: RenderLimits
  let runner: (any ExternalRunner)?
  /// The warnings of the steps that precede the programs.
  let warnings = WarningLog()
  /// The photos that programs have returned so far.
  private(set) var returned: [ReturnedPhoto] = []

  init(
    _ context: ExecutionContext, _ rendering: RenderingMode, _ limits: RenderLimits,
    _ runner: (any ExternalRunner)?
  ) {
    self.context = context
    self.rendering = rendering
    self.limits = limits
    self.runner = runner
  }

  /// The headers of the photos that programs returned.
  var headers: [PhotoHeader] { returned.map(\.header) }

  /// Passes the image of a graph to a program and reads the photo that the program returns.
  mutating func run(_ step: External, on graph: Graph) throws(RenderError) -> Replacement {
    let image = try handedOver(graph)
    let input = try Self.temporaryFile()
    try RenderError.writing([input.descriptor]) { () throws(RenderError) in
      try write(image, to: input)
    }
    do throws(ExternalFailure) {
      guard let runner else {
        throw ExternalFailure(
          "'\(step.program)' is not allowed to run here",
          hint: "use --allow-external if you trust the recipe")
      }
      let output = try TemporaryFile()
      try runner.run(step, input: input.descriptor, output: output.descriptor)
      returned.append(try ReturnedPhoto(output, of: step, for: image, limits))
    } catch {
      throw .externalFailed(error)
    }
    let size = returned.last?.header.stored ?? context.header.stored
    return Replacement(number: returned.count - 1, size: size)
  }

  private static func temporaryFile() throws(RenderError) -> TemporaryFile {
    do throws(ExternalFailure) { return try TemporaryFile() } catch {
      throw .externalFailed(error)
    }
  }

  private func handedOver(_ graph: Graph) throws(RenderError) -> Image {
    let planned = graph.planned(for: context.header.shape, rendering)
    let pipeline = try Pipeline(
      planned, context.header, [Output.handover], rendering, files: context.files,
      returned: headers)
    var execution = try Execution(pipeline, context, returned: returned, warnings: warnings)
    return try execution.image(execution.lastCall)
  }

  private func write(_ image: Image, to file: TemporaryFile) throws(RenderError) {
    let header = context.header
    let colour = try OutputColour(
      Output.handover, SourceColour(header), header, files: context.files)
    do throws(RenderError) {
      try Encoder(
        output: Output.handover, colour: colour, depth: 16, resolution: header.resolution
      ).write(image, to: file.descriptor)
    } catch {
      throw context.photo.diagnosis(of: error, header.fileFormat)
    }
  }
}
