public import PhotoMetadata
public import PhotoRecipes
import Vips

/// Renders photos with one recipe, in this process and on the calling thread.
///
/// libvips blocks its caller until a file is written, so do not call this on Swift's cooperative
/// thread pool.
public struct Renderer: Sendable {
  public internal(set) var recipe: Recipe
  /// The content of each file that the recipe names, by its path as written in the recipe.
  public var files: [String: [UInt8]]
  /// The values of the placeholders of texts; texts in the photo's metadata take precedence.
  public internal(set) var values: [String: String]
  /// The point of interest of the upright photo, 0…1 from the left and from the top, for
  /// `smartCrop`; nil if it is unknown.
  public var focal: SIMD2<Double>?
  /// The photo's original; nil if the photo is the original, or if its place in it is not known.
  public var origin: PhotoOrigin?
  public var limits: RenderLimits
  /// Describes the photo in place of its own texts, from an XMP file beside it; nil if there is none.
  public var description: XMP?
  /// Runs the external programs that the recipe names; nil if they are not allowed.
  public var runner: (any ExternalRunner)?
  /// Finds the lenses that the recipe corrects; nil if there is no database.
  public var lenses: (any LensFinder)?
  /// The number of threads that compute one photo; the result does not depend on this number.
  public var threads = 1
  /// True if pictures that must be materialized are stored in temporary files in `TMPDIR`.
  public var spills = false
  /// The digest of the photo's original, as 64 hexadecimal digits, which is recorded in the
  /// renditions; nil to record none.
  public var originalDigest: String?
  /// True if the photo's own bytes may replace a rendition that is not smaller.
  public var copiesOriginals = true
  /// The look that was fitted to the raw photo before; nil if none is recorded.
  public var recordedLook: RecordedLook?
  /// Called after each frame of a film, of its preview or of an animation, with the number of frames
  /// that are done in this pass, and the number of all frames, which is that of its header for a
  /// film; nil to report nothing.
  public var progress: (@Sendable (_ frames: Int, _ all: Int) -> Void)?
  /// Files that record what is encoded of films, by the names of outputs; an interrupted rendering is
  /// continued from them.
  ///
  /// They are descriptors open for reading and writing. A file belongs to one film, one recipe and
  /// one version of the encoders.
  public var filmRecords: [String: Int32] = [:]
  /// The photo's film; nil if there is none, or if it cannot be edited.
  public var film: PhotoFilm?
  /// The reason why the photo's film cannot be edited; nil if it can, or if there is none.
  public var filmObstacle: String?
  /// True if the photo's film is a file beside it, as that of a Live Photo.
  public var hasFilmBeside = false
  /// The digest of the film beside the photo, from which new identifiers of Live Photos are made;
  /// nil if it is not known.
  public var filmDigest: String?

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

  /// Reads a photo's header, if `inputs` allows the photo's format.
  ///
  /// - Throws: `unsupported` for a format that cannot be read or is not allowed, `missingFrame`,
  ///   `unreadable`.
  public static func header(
    of photo: PhotoFile, _ inputs: InputSettings = InputSettings()
  ) throws(RenderError) -> PhotoHeader {
    try PhotoHeader(of: photo, inputs)
  }

  /// Reads a photo's header and plans its rendering.
  public func plan(_ photo: PhotoFile) throws(RenderError) -> RenderPlan {
    VipsRuntime.captureWarnings()
    return try plan(photo, Self.header(of: photo, recipe.inputs))
  }

  /// Plans the rendering of a photo whose header was read.
  ///
  /// - Throws: `RenderError` for a photo that exceeds a limit or cannot be rendered by the recipe.
  public func plan(_ photo: PhotoFile, _ header: PhotoHeader) throws(RenderError) -> RenderPlan {
    try RenderPlan(photo, header, recipe, files: files, limits, lenses, look: recordedLook)
  }

  /// Renders every output of the recipe into targets that were checked.
  ///
  /// A write that fails is reported as another error, such as that of an unreadable photo.
  func rendering(
    of plan: RenderPlan, into targets: [String: Int32], _ monitor: Monitor?
  ) throws(RenderError) -> Rendering {
    VipsRuntime.captureWarnings()
    let (photo, header) = (plan.photo, plan.header)
    let lost = try photo.lostFrames(recipe.inputs.frames)
    let original = OriginalBytes(
      photo: photo, header: header, count: plan.photoBytes, isDescribed: description != nil)
    var said = header.metadata ?? Metadata(of: photo.byteSource)
    // A raw file's other pictures are previews of the photo, so no warning says that they are
    // missing.
    if header.raw != nil { said.attachments.remove(.pictures) }
    if let description { said.add(describing: description) }
    let values = values.merging(PhotoDetails(said).texts) { $1 }
    var metadata = RenditionMetadata(
      original: said, values: values, recipe: "\(recipe.identifier) \(recipe.version)",
      digest: originalDigest, steps: recipe.steps)
    let context = context(photo, header, values, monitor)
    var programs = ExternalSteps(context, recipe.rendering, limits, runner)
    let measurement = measurement(context)
    let isAnimated = plan.outputs.contains { header.isAnimation(in: type(of: $0.format)) }
    var frames: Graph?
    let completed =
      isAnimated || film != nil
      ? try measurement.completed(plan.recipeGraph, &programs, frames: &frames)
      : try measurement.completed(plan.recipeGraph, &programs)
    let lowered = try plan.lowered(
      completed, recipe.rendering, files: files, returned: programs.headers)
    if said.attachments.contains(.video) || hasFilmBeside || filmObstacle != nil {
      metadata.films = try films(plan, completed, frames, measurement, values, targets)
    }
    // A picture that is selected by its number may be another picture than that of the gain map.
    let isPrimary = if case .number = header.inputs.frames { false } else { true }
    var auxiliaries: PhotoAuxiliaries?
    let further = said.attachments.intersection([.gainMap, .matte, .depth])
    if !further.isEmpty && isPrimary {
      let drawings = PhotoDrawings(
        files: files, values: values, byOutput: lowered.graph.drawings(for: header.shape))
      if further.contains(.gainMap) {
        metadata.gainMap = PhotoGainMap(photo.byteSource, header.stored, drawings)
      }
      if further != [.gainMap] {
        auxiliaries = PhotoAuxiliaries(photo.byteSource, header.stored, drawings)
      }
    }
    metadata.rebuilt = try rebuiltMaps(
      plan, completed, lowered, context, programs.returned, targets)
    metadata.frames = lowered.graph.frames(for: header.shape)
    metadata.visibleParts = lowered.graph.visibleParts(for: header.shape)
    let greys = lowered.graph.greyNodes(ofGrey: SourceColour(header).isGrey)
    metadata.greys = Set(lowered.graph.outputs.filter { greys.contains($0.node) }.map(\.name))
    var maps: FrameMaps?
    if let frames, isAnimated {
      maps = try FrameMaps(frames, measurement, plan.outputs, files: files)
    }
    let pipeline = (maps?.lowered ?? lowered).pipeline.withTables()
    // A damaged matte or depth map is left out; its warnings do not mean that the photo is damaged.
    let before = VipsRuntime.takeWarnings()
    if let auxiliaries {
      for (output, end) in zip(plan.outputs, pipeline.outputs) where targets[output.name] != nil {
        metadata.auxiliaries[output.name] = metadata.kept(auxiliaries, for: output, end.size)
      }
    }
    let ofMaps = VipsRuntime.takeWarnings()
    let clipping = Clipping(of: pipeline)
    var execution = try Execution(
      pipeline, context, returned: programs.returned, clipping: clipping,
      warnings: programs.warnings)
    execution.frameMaps = maps
    let writers = try writers(plan, pipeline, targets, metadata)
    var made: [String: Rendering.Rendition] = [:]
    var misses: [String: BudgetMiss] = [:]
    var left: [String] = []
    do throws(RenderError) {
      let animated = writers.filter {
        header.isAnimation(in: type(of: plan.outputs[$0.key].format))
      }
      let still = writers.filter { animated[$0.key] == nil }
      let all = try execution.writeAnimations(animated, header, progress)
        .merging(still.isEmpty ? [:] : try execution.write(still)) { $1 }
      for (number, written) in all.sorted(by: { $0.key < $1.key }) {
        let output = plan.outputs[number]
        made[output.name] = Rendering.Rendition(
          output: output.name, size: pipeline.outputs[number].size,
          quality: written.quality ?? matchedQuality(of: output),
          clipped: clipping.share(of: number), frame: metadata.frames[output.name])
        misses[output.name] = written.miss
        left += written.warnings
      }
      left += warnings(
        ofLost: all.sorted { $0.key < $1.key }.map { (plan.outputs[$0.key].name, $0.value.lost) })
    } catch {
      throw photo.diagnosis(of: error, header.fileFormat)
    }
    let nodes = lowered.graph.outputs.map { lowered.graph.nodes[$0.node].operation }
    let compared = try compare(
      &made, misses, with: original, plan, in: targets, zip(pipeline.outputs, nodes))
    let renditions =
      recipe.outputs.compactMap { made[$0.name] } + metadata.films.beside(Set(made.keys))
    let heard = VipsRuntime.takeWarnings()
    if let damage = before.damage(of: header) ?? heard.damage(of: header) { throw damage }
    return Rendering(
      renditions: renditions, header: header,
      warnings: plan.warnings + pipeline.warnings + header.warnings + lost
        + execution.warnings.all + left + metadata.films.warnings + compared,
      libraryWarnings: before.telling + ofMaps.telling + heard.telling, lenses: plan.lenses,
      look: look(of: plan, measurement.lookFit.look))
  }

  /// The texts about a photo for placeholders: those of the files beside it in place of its own.
  public func texts(of header: PhotoHeader) -> [String: String] {
    guard let description else { return header.texts }
    var beside = Metadata()
    beside.add(describing: description)
    return header.texts.merging(PhotoDetails(beside).texts) { $1 }
  }

  /// The resolution of renditions of photos that state none, in pixels per inch.
  private static let usualDPI = 72.0

  /// The writers, by index of the output, of those outputs that are at least as wide as their
  /// `minWidth`.
  private func writers(
    _ plan: RenderPlan, _ pipeline: Pipeline, _ targets: [String: Int32],
    _ metadata: RenditionMetadata
  ) throws(RenderError) -> [Int: OutputWriter] {
    let resolution =
      plan.header.resolution.isStated
      ? plan.header.resolution : Resolution(metadata.original) ?? Resolution(dpi: Self.usualDPI)
    var writers: [Int: OutputWriter] = [:]
    for (number, (output, end)) in zip(plan.outputs, pipeline.outputs).enumerated() {
      if end.size.width < output.minWidth ?? 0 { continue }
      guard let target = targets[output.name] else {
        throw .unusableTarget(output: output.name, "it has no file")
      }
      let colour = try OutputColour(
        output, SourceColour(plan.header), plan.header, files: files, isGrey: end.isGrey)
      let encoder = Encoder(
        output: output, colour: colour, depth: end.depth, metadata: metadata,
        resolution: resolution)
      writers[number] = OutputWriter(encoder: encoder, target: target, spills: spills)
    }
    return writers
  }

  /// The quality that the photo determines for an output; nil if it is that of the recipe.
  private func matchedQuality(of output: Output) -> Int? {
    let asked = recipe.outputs.first { $0.name == output.name }
    let matched = output.format.lossyQuality
    return matched == asked?.format.lossyQuality ? nil : matched
  }

  /// Compares the renditions with the photo; the photo's bytes replace renditions that are not
  /// smaller, or that exceed `maxBytes` for one of the reasons `misses`.
  ///
  /// Returns warnings.
  private func compare(
    _ made: inout [String: Rendering.Rendition], _ misses: [String: BudgetMiss],
    with original: OriginalBytes, _ plan: RenderPlan, in targets: [String: Int32],
    _ ends: Zip2Sequence<[Pipeline.Output], [Operation]>
  ) throws(RenderError) -> [String] {
    var warnings: [String] = []
    for (output, (end, node)) in zip(plan.outputs, ends) where made[output.name] != nil {
      guard let target = targets[output.name] else { continue }
      switch try original.compare(
        target, output, misses[output.name],
        isSavedAsPhoto: plan.savedAsPhoto.contains(output.name) || output.format.isPlainest,
        obstacle: copiesOriginals
          ? original.obstacle(
            to: output, node, files, depth: end.depth, keepsFilm: recipe.keepsFilm(output))
          : "the copy would be in the library a second time")
      {
      case .rendered: break
      case .copied:
        made[output.name]?.isOriginal = true
        made[output.name]?.clipped = nil
        made[output.name]?.quality = matchedQuality(of: output)
      case .larger(let obstacle):
        warnings.append(
          "'\(output.name)' saves nothing, and the original cannot be copied in its place:"
            + " \(obstacle)"
        )
      }
    }
    return warnings
  }

  /// The warnings about the pictures and records of the photo's file that renditions do not contain;
  /// a warning names the outputs unless it is true of all.
  private func warnings(
    ofLost renditions: [(output: String, lost: Set<Metadata.Attachment>)]
  ) -> [String] {
    let kinds = Metadata.Attachment.allCases.sorted { $0.rawValue < $1.rawValue }
    let missing = Dictionary(grouping: kinds) { kind in
      renditions.filter { $0.lost.contains(kind) }.map(\.output)
    }
    return missing.filter { !$0.key.isEmpty }.map { outputs, kinds in
      let names = outputs.map { "'\($0)'" }.joined(separator: ", ")
      let place = outputs.count == renditions.count ? "the renditions" : names
      return "not in \(place): the photo's \(kinds.map(\.rawValue).joined(separator: ", "))"
    }.sorted()
  }

  /// The look to record for a plan's photo; `fitted` is the look if it was fitted now.
  private func look(of plan: RenderPlan, _ fitted: FittedLook?) -> RecordedLook? {
    guard let key = plan.lookKey else { return nil }
    if let fitted { return RecordedLook(key: key, look: fitted) }
    return recordedLook?.key == key ? recordedLook : nil
  }

  /// Facts about a plan's photo for `explain`, one in a line: facts from the plan, and the look
  /// that is fitted to the photo.
  public func facts(of plan: RenderPlan) throws(RenderError) -> [String] {
    let fitted = try measurement(context(plan.photo, plan.header, values, nil))
      .fitted(plan.recipeGraph)
    let look = fitted ?? (plan.lookKey == nil ? nil : recordedLook?.look)
    return plan.facts + (look.map { ["camera look: \($0)"] } ?? [])
  }

  func context(
    _ photo: PhotoFile, _ header: PhotoHeader, _ values: [String: String], _ monitor: Monitor?
  ) -> ExecutionContext {
    ExecutionContext(
      photo: photo, header: header, files: files, values: values,
      resources: Resources(threads: threads, spills: spills), monitor: monitor,
      faceSearch: FaceSearch { [origin] in origin?.markedFaces ?? [] })
  }

  func measurement(_ context: ExecutionContext) -> Measurement {
    Measurement(context: context, rendering: recipe.rendering, focal: focal)
  }
}

/// The result of rendering one photo.
public struct Rendering: Sendable, Hashable {
  public struct Rendition: Sendable, Hashable {
    public var output: String
    public var size: Size
    /// The quality if it differs from the output's setting, because `maxBytes` lowered it or the
    /// photo's own quality is used; otherwise nil.
    public var quality: Int?
    /// The fraction, 0…1, of pixels with a colour that was clipped, because it was outside the
    /// output's profile by more than half an 8-bit step.
    ///
    /// Transparent pixels are included.
    ///
    /// Clipping in filters (blends, lookup tables, posterize) is not included. Nil if tables of a
    /// profile or an external program produced the colours, and for a copy of the photo.
    public var clipped: Double?
    /// True if the file contains the photo's own bytes.
    public var isOriginal: Bool
    /// The map from positions in the upright photo to positions in the rendition, both 0…1; nil if
    /// it is not known.
    public var frame: Homography?

    public init(
      output: String, size: Size, quality: Int? = nil, clipped: Double? = nil,
      isOriginal: Bool = false, frame: Homography? = nil
    ) {
      self.output = output
      self.size = size
      self.quality = quality
      self.clipped = clipped
      self.isOriginal = isOriginal
      self.frame = frame
    }
  }

  public var renditions: [Rendition]
  public var header: PhotoHeader
  public var warnings: [String]
  /// The warnings of libvips during the rendering.
  ///
  /// The values describe this photo only if the process renders no other photo at the same time.
  public var libraryWarnings: [String]
  /// The lenses that steps corrected.
  public var lenses: [FoundLens] = []
  /// The look that was fitted to a raw photo; nil if its look is not fitted.
  public var look: RecordedLook?
}
