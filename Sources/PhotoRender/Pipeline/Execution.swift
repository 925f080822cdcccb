import PhotoRecipes
import Vips

/// Carries out a pipeline, call by call as outputs ask for them, and lets go of each image as soon
/// as nothing needs it any more.
struct Execution {
  let pipeline: Pipeline
  let input: DecoderInput
  let files: [String: [UInt8]]
  /// What the placeholders of texts stand for.
  let values: [String: String]
  let holding: Holding
  let monitor: Monitor?
  private let originals: ReducedOriginals?
  /// What programs gave back, by the numbers that calls have for it.
  let returned: [ReturnedPhoto]
  /// What counts the pixels that are clipped, if anybody asks.
  let clipping: Clipping?
  /// What is read in place of the photo: one of its frames.
  var frame: Image?
  /// What is worth a word, of all threads.
  let remarks: RemarkLog
  private var images: [Int: Image] = [:]
  /// How many calls and outputs still ask for each call's image.
  private var uses: [Int]

  /// With `originals`, a reduced photo is decoded once for all executions that share them.
  init(
    _ pipeline: Pipeline, input: DecoderInput, files: [String: [UInt8]],
    values: [String: String], _ holding: Holding, _ monitor: Monitor?,
    originals: ReducedOriginals? = nil,
    returned: [ReturnedPhoto] = [], clipping: Clipping? = nil, remarks: RemarkLog = RemarkLog()
  ) {
    self.pipeline = pipeline
    self.input = input
    self.files = files
    self.values = values
    self.holding = holding
    self.monitor = monitor
    self.originals = originals
    self.returned = returned
    self.clipping = clipping
    self.remarks = remarks
    uses = Array(repeating: 0, count: pipeline.calls.count)
    for input in pipeline.calls.flatMap(\.allInputs) + pipeline.outputs.map(\.call) {
      uses[input] += 1
    }
  }

  /// The call that makes the first output.
  var lastCall: Int { pipeline.outputs.first?.call ?? 0 }

  /// Puts an image in the place of what a call makes.
  mutating func place(_ image: Image, at call: Int) { images[call] = image }

  /// The image of a call, for one more that reads it.
  mutating func kept(_ call: Int) throws(RenderError) -> Image {
    uses[call] += 1
    return try image(call)
  }

  /// The image of a call; its pixels are computed when it is held or written.
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
      if pipeline.calls[call].step.operation == Pipeline.Special.draw, let input = inputs.first {
        image = try drawn(on: input, pipeline.calls[call].step.arguments)
      } else if case .map(let source) = pipeline.calls[call].step.arguments["map"] {
        image = try map(source)
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

  private func map(_ source: MapSource) throws(RenderError) -> Image {
    switch source {
    case .auxiliary(let map): return try AuxiliaryImage(map, of: input).image()
    case .coverage(let coverage):
      var maps: [Image] = []
      for other in coverage.maps { maps.append(try map(other)) }
      do throws(VipsError) { return try CoverageImage(coverage, maps).image() } catch {
        throw RenderError(error)
      }
    case .file(let file, _):
      do throws(VipsError) { return try MapImage(source, files).image() } catch {
        throw .unreadableFile(file.path, error.reason)
      }
    case .values:
      do throws(VipsError) { return try MapImage(source, files).image() } catch {
        throw RenderError(error)
      }
    }
  }

  private func drawn(
    on photo: Image, _ arguments: [String: Pipeline.Value]
  ) throws(RenderError) -> Image {
    let drawing: DrawingImage
    do throws(VipsError) { drawing = try DrawingImage(arguments, files, values) } catch {
      throw RenderError(error)
    }
    return try drawing.laid(over: photo, remarks)
  }

  private func carryOut(
    _ call: Pipeline.Call, _ inputs: [Image], _ more: [String: [Image]], _ tally: Tally?
  ) throws(VipsError) -> Image {
    let arguments = call.step.arguments
    guard let input = inputs.first else { return try load(arguments) }
    switch call.step.operation {
    // A tee is run before anything reads it: here, only one output is asked for.
    case Pipeline.Special.hold, Pipeline.Special.tee:
      // What is held can be read in any order, whatever the loader could do. Not a copy of what is
      // held: kernels would take that for a stream, and keep rows of it.
      return try input.setting(["vips-sequential": nil]).materialized(inFile: holding.spills)
    case Pipeline.Special.pick: return try Self.picked(input, arguments)
    case Pipeline.Special.shadow: return try ShadowImage(arguments).thrown(by: input)
    case Pipeline.Special.grey: return try input.brightness()
    case Pipeline.Special.export: return try input.exported(arguments)
    case SourceColour.tables: return try input.importedByTables(arguments)
    default:
      var all = arguments.mapValues(\.argument).merging(more.mapValues(Argument.images)) { $1 }
      if let tally { all["tally"] = .tally(tally) }
      return try input.applying(call.step.operation, all)
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
      // A tee keeps the rows that its readers come back to.
      let isReadOnce = arguments["shared"] != nil && holding.threads == 1
      return try prepared(
        isReadOnce ? planes : planes.applying("sequential", ["tile-height": .integer(16)]))
    }
    var required = arguments.mapValues(\.argument)
    let optional = required.filter { ["access", "fail-on"].contains($0.key) }
    for name in optional.keys { required[name] = nil }
    return try prepared(input.image(required, ifSupported: optional))
  }

  private func prepared(_ image: Image) throws(VipsError) -> Image {
    // Not known as sequential: `insert` of libvips 8.14 would empty the caches of all that is before
    // it, some rows below each piece, though rows in them are still to be read ("out of order read").
    // And a single picture, which at twice its size would have the height of two frames.
    let image = try image.setting([
      "concurrency": .integer(holding.threads), "vips-sequential": nil, "page-height": nil,
    ])
    guard let monitor else { return image }
    return try image.monitored(monitor)
  }
}

/// What a photo may take of the machine while it is rendered.
struct Holding: Sendable, Hashable {
  /// Many photos at a time are faster than many threads on one.
  var threads = 1
  /// Whether pictures that must be held whole go to temporary files.
  var spills = false
}

extension Execution {
  /// The nearest pixels of an image, for exactly the size asked for.
  private static func picked(
    _ image: Image, _ arguments: [String: Pipeline.Value]
  ) throws(VipsError) -> Image {
    guard case .integer(let width) = arguments["width"],
      case .integer(let height) = arguments["height"]
    else { throw .missingArgument("width", operation: Pipeline.Special.pick) }
    return try image.applying(
      "resize",
      [
        "scale": .number(Double(width) / Double(image.width)),
        "vscale": .number(Double(height) / Double(image.height)), "kernel": .choice("nearest"),
      ])
  }
}

extension Pipeline.Call {
  fileprivate var allInputs: [Int] { inputs + images.values.joined() }
}

extension Pipeline.Value {
  var argument: Argument {
    switch self {
    case .flag(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .numbers(let numbers): .numbers(numbers)
    case .text(let text): .text(text)
    case .choice(let nick): .choice(nick)
    case .program(let program, let input, let size, let end):
      .blob(ProgramEncoder.bytes(program, input: input, size: size, end))
    case .map(let source): .text("\(source)")
    case .drawing(let drawing, _): .text("\(drawing)")
    case .shadow(let shadow, _): .text("\(shadow)")
    case .profile(let profile): .blob(profile.bytes)
    }
  }
}
