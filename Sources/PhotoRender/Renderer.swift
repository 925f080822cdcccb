import PhotoMetadata
public import PhotoRecipes
public import Vips

/// Renders photos by one recipe, in this process and on this thread.
///
/// libvips blocks its caller until a file is written: do not call this on Swift's cooperative pool.
public struct Renderer: Sendable {
  public internal(set) var recipe: Recipe
  /// The content of every file that the recipe names, by its path as written.
  public let files: [String: [UInt8]]
  /// What the placeholders of texts stand for; what the photo says of itself goes before.
  public let values: [String: String]
  /// The point of interest of the upright photo, 0…1 from the left and from the top, if it is known:
  /// what `smartCrop` keeps that asks for it.
  public var focal: SIMD2<Double>?
  public var limits: RenderLimits
  /// What runs the programs that the recipe names; nil: they may not run.
  public var runner: (any ExternalRunner)?
  /// How many threads compute one photo; the result does not depend on it.
  public var threads = 1
  /// Whether pictures that must be held whole go to temporary files, in `TMPDIR`.
  public var spills = false
  /// Whether the photo's own bytes may stand for a rendition that saves nothing.
  public var copiesOriginals = true
  /// Outputs that are saved as the photo was: its own bytes are as good.
  var savedAsPhoto: Set<String> = []

  public init(
    _ recipe: Recipe, files: [String: [UInt8]] = [:], values: [String: String] = [:],
    focal: SIMD2<Double>? = nil, limits: RenderLimits = .standard,
    runner: (any ExternalRunner)? = nil
  ) {
    self.recipe = recipe
    self.files = files
    self.values = values
    self.focal = focal
    self.limits = limits
    self.runner = runner
  }

  /// Reads a photo's header, as far as `inputs` allows the format.
  ///
  /// - Throws: `unsupported` for a format that is not read, `missingFrame`, `unreadable`.
  public static func header(
    of photo: PhotoFile, _ inputs: InputSettings = InputSettings()
  ) throws(RenderError) -> PhotoHeader {
    try PhotoHeader(of: photo, inputs)
  }

  /// What a photo's metadata says; nothing where there are none.
  public static func details(of photo: PhotoFile) -> PhotoDetails {
    PhotoDetails(Metadata(of: photo.byteSource))
  }

  /// What rendering a photo comes to: the optimised graph and the operations.
  public func plan(for header: PhotoHeader) throws(RenderError) -> (graph: Graph, Pipeline) {
    try plan(LookupTables.shared.completed(recipe.graph, files, limits), for: header)
  }

  private func plan(
    _ graph: Graph, for header: PhotoHeader, _ returned: [ReturnedPhoto] = []
  ) throws(RenderError) -> (graph: Graph, Pipeline) {
    let planned = graph.planned(for: header.shape, recipe.rendering)
    let pipeline = try Pipeline(
      planned, header, recipe.outputs, recipe.rendering, files: files, returned: returned)
    return (planned, pipeline)
  }

  /// Renders every output of the recipe.
  ///
  /// - Parameters:
  ///   - photo: The base of the edit; it is read from its start.
  ///   - targets: A descriptor for each output's name, open for reading and writing, empty.
  ///   - monitor: Hears of the progress, and can cancel.
  /// - Returns: The renditions, in the recipe's order, and what is worth a word.
  /// - Throws: Why the photo could not be rendered; the files are then worth nothing.
  public func render(
    _ photo: PhotoFile, into targets: [String: Int32], monitor: Monitor? = nil
  ) throws(RenderError) -> Rendering {
    let own = matching(photo)
    var rendering = try own.carryOut(photo, into: targets, monitor)
    for (output, matched) in zip(recipe.outputs, own.recipe.outputs)
    where output.format.lossyQuality != matched.format.lossyQuality {
      rendering.note(matched.format.lossyQuality, of: output.name)
    }
    return rendering
  }

  private func carryOut(
    _ photo: PhotoFile, into targets: [String: Int32], _ monitor: Monitor?
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let photoBytes = photo.size
    let header = try Self.header(of: photo, recipe.inputs)
    try limits.check(header, photo)
    let lost = try photo.lostFrames(recipe.inputs.frames)
    let original = OriginalBytes(photo: photo, header: header, count: photoBytes)
    let said = Metadata(of: photo.byteSource)
    let values = values.merging(header.texts) { $1 }.merging(PhotoDetails(said).texts) { $1 }
    let metadata = RenditionMetadata(
      original: said, values: values, recipe: "\(recipe.identifier) \(recipe.version)",
      steps: recipe.steps)
    let measuring = Measuring(
      photo: photo, header: header, rendering: recipe.rendering, files: files, values: values,
      focal: focal, holding: holding, monitor: monitor)
    var programs = ExternalSteps(self, photo, header, values: values, monitor)
    let graph = try measuring.completed(
      LookupTables.shared.completed(recipe.graph, files, limits), &programs)
    let (planned, pipeline) = try plan(graph, for: header, programs.returned)
    let nodes = planned.outputs.map { planned.nodes[$0.node].operation }
    let clipping = Clipping(of: pipeline)
    var execution = Execution(
      pipeline, input: try photo.input(for: header), files: files, values: values,
      holding, monitor, returned: programs.returned, clipping: clipping,
      remarks: programs.remarks)
    var writers: [Int: OutputWriter] = [:]
    for (number, (output, end)) in zip(recipe.outputs, pipeline.outputs).enumerated() {
      guard let target = targets[output.name], end.size.width >= output.minWidth ?? 0 else {
        continue
      }
      let colour = try OutputColour(
        output, SourceColour(header), header, files: files, isGrey: end.isGrey)
      let encoder = Encoder(
        output: output, colour: colour, depth: end.depth, metadata: metadata)
      writers[number] = OutputWriter(encoder: encoder, target: target, spills: spills)
    }
    var made: [String: Rendering.Rendition] = [:]
    var left: [String] = []
    do throws(RenderError) {
      let animated = writers.filter { holdsFrames($0.key, of: header) }
      let still = writers.filter { animated[$0.key] == nil }
      let all = try execution.writeAnimations(animated, header)
        .merging(still.isEmpty ? [:] : try execution.write(still)) { $1 }
      for (number, written) in all.sorted(by: { $0.key < $1.key }) {
        let name = recipe.outputs[number].name
        made[name] = Rendering.Rendition(
          output: name, size: pipeline.outputs[number].size, quality: written.quality,
          clipped: clipping.share(of: number))
        left += written.warnings
      }
    } catch {
      throw photo.isCutOff(header.loader, error)
    }
    let compared = try compare(&made, with: original, in: targets, zip(pipeline.outputs, nodes))
    let renditions = recipe.outputs.compactMap { made[$0.name] }
    let heard = VipsRuntime.takeWarnings()
    if let damage = heard.damage(of: header) { throw damage }
    return Rendering(
      renditions: renditions, header: header,
      warnings: pipeline.warnings + header.remarks + lost + execution.remarks.all + left + compared
        + heard.telling)
  }

  /// Compares what was made with the photo, whose bytes take the place of what saves nothing.
  ///
  /// Returns what is worth a word.
  private func compare(
    _ made: inout [String: Rendering.Rendition], with original: OriginalBytes,
    in targets: [String: Int32], _ ends: Zip2Sequence<[Pipeline.Output], [Operation]>
  ) throws(RenderError) -> [String] {
    var remarks: [String] = []
    for (output, (end, node)) in zip(recipe.outputs, ends) where made[output.name] != nil {
      guard let target = targets[output.name] else { continue }
      switch try original.compare(
        target, output,
        isSavedAsPhoto: savedAsPhoto.contains(output.name) || output.format.isPlainest,
        obstacle: copiesOriginals
          ? original.obstacle(to: output, node, files, depth: end.depth)
          : "it would be a second copy in the library")
      {
      case .rendered: break
      case .copied:
        made[output.name]?.isOriginal = true
        made[output.name]?.clipped = nil
      case .larger(let obstacle):
        remarks.append(
          "'\(output.name)' saves too little, and the original cannot take its place: \(obstacle)")
      }
    }
    return remarks
  }

  /// Whether an output, by its number, gets all frames of a photo.
  func holdsFrames(_ output: Int, of header: PhotoHeader) -> Bool {
    recipe.inputs.frames == .all && header.animation != nil
      && type(of: recipe.outputs[output].format).holdsFrames
  }

  var holding: Holding { Holding(threads: threads, spills: spills) }
}

/// What came of rendering one photo.
public struct Rendering: Sendable, Hashable {
  public struct Rendition: Sendable, Hashable {
    public var output: String
    public var size: Size
    /// The quality, where it is not the output's: `maxBytes` made it lower, or it is the photo's.
    public var quality: Int?
    /// The share, 0…1, of the pixels that lost a colour: it came out beyond what the output's profile
    /// holds, by more than half a step of 8 bits, and was clipped; transparent pixels too.
    ///
    /// What filters themselves keep in 0…1 (blends, lookup tables, posterize) does not count. Nil
    /// where tables of a profile or a program made the colours, and for a copy of the photo.
    public var clipped: Double?
    /// Whether the file has the photo's own bytes.
    public var isOriginal = false
  }

  public var renditions: [Rendition]
  public var header: PhotoHeader
  public var warnings: [String]

  /// Says what quality a photo gave to an output, unless another was found.
  fileprivate mutating func note(_ quality: Int?, of output: String) {
    for index in renditions.indices
    where renditions[index].output == output && renditions[index].quality == nil {
      renditions[index].quality = quality
    }
  }
}
