import PhotoRecipes
import Vips

/// Completes graphs of which programs do a part: each is run when all before it is known.
struct ExternalSteps {
  let photo: PhotoFile
  let header: PhotoHeader
  let rendering: Recipe.Rendering
  let files: [String: [UInt8]]
  let values: [String: String]
  let limits: RenderLimits
  let runner: (any ExternalRunner)?
  let holding: Holding
  let monitor: Monitor?
  /// What is worth a word of what comes before the programs.
  let remarks = RemarkLog()
  /// What programs have given back so far.
  private(set) var returned: [ReturnedPhoto] = []

  init(
    _ renderer: Renderer, _ photo: PhotoFile, _ header: PhotoHeader, values: [String: String],
    _ monitor: Monitor?
  ) {
    self.photo = photo
    self.header = header
    self.values = values
    self.monitor = monitor
    rendering = renderer.recipe.rendering
    files = renderer.files
    limits = renderer.limits
    runner = renderer.runner
    holding = renderer.holding
  }

  /// Hands what `graph` makes to a program and takes what that gives back.
  mutating func run(_ step: External, on graph: Graph) throws(RenderError) -> Replacement {
    let image = try handedOver(graph)
    let input = try Self.temporaryFile()
    try write(image, to: input)
    do throws(ExternalFailure) {
      guard let runner else {
        throw ExternalFailure(
          "'\(step.program)' may not be run here", hint: "say --allow-external")
      }
      let output = try TemporaryFile()
      try runner.run(step, input: input.descriptor, output: output.descriptor)
      returned.append(try ReturnedPhoto(output, of: step, for: image, limits))
    } catch {
      throw .externalFailed(error)
    }
    let size = returned.last?.header.stored ?? header.stored
    return Replacement(number: returned.count - 1, size: size)
  }

  private static func temporaryFile() throws(RenderError) -> TemporaryFile {
    do throws(ExternalFailure) { return try TemporaryFile() } catch {
      throw .externalFailed(error)
    }
  }

  private func handedOver(_ graph: Graph) throws(RenderError) -> Image {
    let planned = graph.planned(for: header.shape, rendering)
    let pipeline = try Pipeline(
      planned, header, [External.handover], rendering, files: files, returned: returned)
    var execution = Execution(
      pipeline, input: try photo.input(for: header), files: files, values: values,
      holding, monitor, returned: returned, remarks: remarks)
    return try execution.image(execution.lastCall)
  }

  private func write(_ image: Image, to file: TemporaryFile) throws(RenderError) {
    let colour = try OutputColour(
      External.handover, SourceColour(header), header, files: files)
    do throws(RenderError) {
      try Encoder(output: External.handover, colour: colour, depth: 16)
        .write(image, to: file.descriptor)
    } catch {
      throw photo.isCutOff(header.loader, error)
    }
  }
}
