import PhotoMetadata
import PhotoRecipes
import Vips

/// The photo, and the settings that all executions for this photo share.
struct ExecutionContext: Sendable {
  var photo: PhotoFile
  var header: PhotoHeader
  /// The content of the files that the recipe names, by path.
  let files: [String: [UInt8]]
  /// The values of the placeholders of texts.
  let values: [String: String]
  let resources: Resources
  let monitor: Monitor?
  /// The decoded samples of a raw photo, which measurements and outputs share.
  var samples = RawSamples()
  /// The faces of the photo, which measurements and masks share.
  var faceSearch = FaceSearch()
}

/// The resources of the machine that may be used to render one photo.
struct Resources: Sendable, Hashable {
  /// The number of threads.
  ///
  /// One is the default, because many photos at a time are faster than many threads on one photo.
  var threads = 1
  /// True if materialized pictures are stored in temporary files instead of memory.
  var spills = false
}

/// Runs a pipeline.
///
/// Each operation (call) of the pipeline creates its image when an output first needs it; the image
/// is released after its last use.
struct Execution {
  let pipeline: Pipeline
  let context: ExecutionContext
  let input: DecoderInput
  let resources: Resources
  private let originals: ReducedOriginals?
  /// The photos that external programs returned, in the order in which calls number them.
  let returned: [ReturnedPhoto]
  /// Counts the pixels that are clipped; nil if they are not counted.
  let clipping: Clipping?
  /// The image of one animation frame, which is read in place of the photo's file; nil to read the
  /// file.
  var frame: Image?
  /// Finds the maps that differ between frames; nil if no step measures each frame.
  var frameMaps: FrameMaps?
  /// For calls that make maps of measured values, the maps of the frame.
  var maps: [Int: MapSource] = [:]
  /// The warnings of all threads.
  let warnings: WarningLog
  private var images: [Int: Image] = [:]
  /// For each call, the number of calls and outputs that still need its image.
  private var uses: [Int]

  /// Creates an execution that reads the photo from its start.
  ///
  /// Executions that share one `originals` decode a reduced photo only once.
  init(
    _ pipeline: Pipeline, _ context: ExecutionContext, originals: ReducedOriginals? = nil,
    returned: [ReturnedPhoto] = [], clipping: Clipping? = nil,
    warnings: WarningLog = WarningLog()
  ) throws(RenderError) {
    self.pipeline = pipeline
    self.context = context
    self.originals = originals
    self.returned = returned
    self.clipping = clipping
    self.warnings = warnings
    // The search decodes the photo, too, which would move the position in a file that is being read.
    if pipeline.calls.contains(where: \.showsFaces) {
      _ = try context.faceSearch.faces(in: context)
    }
    input = try context.photo.input(for: context.header, context.samples)
    resources = context.resources
    uses = pipeline.uses
  }

  /// Creates an execution for an additional thread; it has no images yet.
  init(besides other: Execution) {
    pipeline = other.pipeline
    context = other.context
    input = other.input
    resources = Resources(threads: 1, spills: other.resources.spills)
    originals = nil
    returned = other.returned
    clipping = other.clipping
    (frame, maps) = (other.frame, other.maps)
    warnings = other.warnings
    uses = pipeline.uses
  }

  /// The call that creates the image of the first output.
  var lastCall: Int { pipeline.outputs.first?.call ?? 0 }

  /// Sets the image of a call, so that the call is not run.
  mutating func place(_ image: Image, at call: Int) { images[call] = image }

  /// Returns the image of a call and keeps it for one additional reader.
  mutating func kept(_ call: Int) throws(RenderError) -> Image {
    uses[call] += 1
    return try image(call)
  }

  /// Returns the image of a call; its pixels are computed when the image is materialized or
  /// written.
  mutating func image(_ call: Int) throws(RenderError) -> Image {
    let made = images[call]
    let image: Image
    if let made {
      image = made
    } else {
      var inputs: [Image] = []
      for input in pipeline.calls[call].inputs { inputs.append(try self.image(input)) }
      var more: [String: [Image]] = [:]
      for (name, calls) in pipeline.calls[call].images {
        for other in calls { more[name, default: []].append(try self.image(other)) }
      }
      if pipeline.calls[call].step.operation == .draw, let input = inputs.first {
        image = try drawn(on: input, pipeline.calls[call].step.arguments)
      } else if pipeline.calls[call].step.operation == .gains {
        image = try gains(pipeline.calls[call].step.arguments)
      } else if case .map(let source) = pipeline.calls[call].step.arguments["map"] {
        image = try map(maps[call] ?? source)
      } else {
        do throws(VipsError) {
          image = try carryOut(pipeline.calls[call], inputs, more, clipping?[call]).inStrips()
        } catch {
          throw RenderError(error)
        }
      }
    }
    uses[call] -= 1
    images[call] = uses[call] > 0 ? image : nil
    return image
  }

  /// The samples of the photo's gain map.
  private func gains(_ arguments: [String: Pipeline.Value]) throws(RenderError) -> Image {
    guard let map = GainMap(of: context.photo.byteSource),
      case .integer(let width) = arguments["width"],
      case .integer(let height) = arguments["height"], case .flag(let alpha) = arguments["alpha"]
    else { throw .unreadable("the gain map cannot be read") }
    do throws(VipsError) {
      return try GainImage(map: map, size: Size(width, height), hasAlpha: alpha).image().inStrips()
    } catch {
      throw error == .cancelled
        ? .cancelled : .unreadable("the gain map cannot be read: \(error.reason)")
    }
  }

  private func map(_ source: MapSource) throws(RenderError) -> Image {
    switch source {
    case .auxiliary(let map): return try AuxiliaryImage(map, of: input).image()
    case .faces(let map):
      let faces = try context.faceSearch.faces(in: context)
      if faces.warning != nil { throw .missingFaceDetector }
      return try FaceImage(map, of: faces.all, context.header.orientation).image()
    case .coverage(let coverage):
      var maps: [Image] = []
      for other in coverage.maps { maps.append(try map(other)) }
      do throws(VipsError) { return try CoverageImage(coverage, maps).image() } catch {
        throw RenderError(error)
      }
    case .file(let file, _):
      do throws(VipsError) { return try MapImage(source, context.files).image() } catch {
        throw .unreadableFile(file.path, error.reason)
      }
    case .values:
      do throws(VipsError) { return try MapImage(source, context.files).image() } catch {
        throw RenderError(error)
      }
    }
  }

  private func drawn(
    on photo: Image, _ arguments: [String: Pipeline.Value]
  ) throws(RenderError) -> Image {
    let drawing: DrawingImage
    do throws(VipsError) {
      drawing = try DrawingImage(arguments, context.files, context.values)
    } catch {
      throw RenderError(error)
    }
    return try drawing.laid(over: photo, warnings)
  }

  private func carryOut(
    _ call: Pipeline.Call, _ inputs: [Image], _ more: [String: [Image]], _ tally: Tally?
  ) throws(VipsError) -> Image {
    let arguments = call.step.arguments
    guard let input = inputs.first else { return try load(arguments) }
    switch call.step.operation {
    // If several outputs are written, tees are run before any call reads them. If only one output
    // is written, the tee's image is materialized here.
    case .hold, .tee:
      // A materialized image can be read in any order, even if the loader streamed it. The field is
      // removed first; otherwise kernels would treat a copy of the image as a stream and buffer its
      // rows.
      return try input.setting(["vips-sequential": nil]).materialized(inFile: resources.spills)
    case .pick: return try Self.picked(input, arguments)
    case .shadow: return try ShadowImage(arguments).thrown(by: input)
    case .grey: return try input.brightness()
    case .exportByTables: return try input.exported(arguments)
    case .importByTables: return try input.importedByTables(arguments)
    case .kernel, .vips, .load, .draw, .map, .gains, .external:
      var all = arguments.mapValues(\.argument).merging(more.mapValues(Argument.images)) { $1 }
      if let tally { all["tally"] = .tally(tally) }
      return try input.applying(call.step.operation.name, all)
    }
  }

  private func load(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    if let known = originals?[arguments] { return known }
    let image = try opened(arguments)
    return try originals?.keeping(image, arguments) ?? image
  }

  private func opened(_ arguments: [String: Pipeline.Value]) throws(VipsError) -> Image {
    if case .integer(let number) = arguments["replacement"] {
      return try prepared(returned[number].image())
    }
    if let frame { return try prepared(frame) }
    if arguments["planes"] != nil {
      let planes = try input.planes(shrink: arguments["shrink"]?.argument)
      // No cache of rows is needed before a tee, because a tee keeps the rows that its readers read
      // again.
      let isReadOnce = arguments["shared"] != nil && resources.threads == 1
      return try prepared(
        isReadOnce ? planes : planes.applying("sequential", ["tile-height": .integer(16)]))
    }
    var required = arguments.mapValues(\.argument)
    let optional = required.filter { ["access", "fail-on"].contains($0.key) }
    for name in optional.keys { required[name] = nil }
    return try prepared(input.image(required, ifSupported: optional))
  }

  private func prepared(_ image: Image) throws(VipsError) -> Image {
    // The image is not marked as sequential: if it were, `insert` of libvips 8.14 would empty all
    // earlier caches a few rows below each inserted piece, although some of the emptied rows are
    // still needed ("out of order read"). It is not marked as stacked frames either: after the
    // picture is enlarged to twice its height, libvips would take it for two frames.
    let image = try image.setting([
      "concurrency": .integer(resources.threads), "vips-sequential": nil, "page-height": nil,
    ])
    guard let monitor = context.monitor else { return image }
    return try image.monitored(monitor)
  }
}

extension Execution {
  /// Resizes the image to exactly the requested size by nearest neighbour.
  private static func picked(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    guard case .integer(let width) = arguments["width"],
      case .integer(let height) = arguments["height"]
    else { throw .missingArgument("width", operation: Pipeline.Operation.pick.name) }
    return try image.applying(
      "resize",
      [
        "scale": .number(Double(width) / Double(image.width)),
        "vscale": .number(Double(height) / Double(image.height)), "kernel": .choice("nearest"),
      ])
  }
}

extension Pipeline {
  /// For each call, the number of calls and outputs that read its image.
  fileprivate var uses: [Int] {
    var uses = Array(repeating: 0, count: calls.count)
    for input in calls.flatMap(\.allInputs) + outputs.map(\.call) { uses[input] += 1 }
    return uses
  }
}

extension Pipeline.Call {
  /// True if the call makes a map of faces.
  fileprivate var showsFaces: Bool {
    if case .map(let source) = step.arguments["map"] { source.showsFaces } else { false }
  }
}
