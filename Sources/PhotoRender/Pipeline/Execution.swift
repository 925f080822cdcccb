import PhotoRecipes
import Vips

/// What a pipeline is carried out on.
struct ExecutionContext {
  let source: Source
  let loader: String
  let files: [String: [UInt8]]
  let monitor: Monitor?

  init(source: Source, loader: String, files: [String: [UInt8]], _ monitor: Monitor?) {
    self.source = source
    self.loader = loader
    self.files = files
    self.monitor = monitor
  }
}

extension Pipeline {
  /// The image of every call; pixels are computed when an image is held or written.
  func images(_ context: ExecutionContext) throws(RenderError) -> [Image] {
    var images: [Image] = []
    for call in calls {
      do throws(VipsError) {
        images.append(try Self.image(of: call, call.inputs.map { images[$0] }, context))
      } catch {
        throw error == .cancelled ? .cancelled : .unreadable("\(error)")
      }
    }
    return images
  }

  private static func image(
    of call: Call, _ inputs: [Image], _ context: ExecutionContext
  ) throws(VipsError) -> Image {
    let arguments = call.step.arguments
    guard let input = inputs.first else {
      var required = arguments.mapValues(\.argument)
      let optional = required.filter { ["access", "fail-on"].contains($0.key) }
      for name in optional.keys { required[name] = nil }
      required["source"] = .source(context.source)
      let image = try Image.calling(context.loader, required, ifSupported: optional).image("out")
      guard let monitor = context.monitor else { return image }
      return try image.monitored(monitor)
    }
    switch call.step.operation {
    case Special.hold: return try input.materialized()
    case Special.resize: return try resized(input, arguments)
    case Special.overlay:
      return try OverlayImage(arguments, context.files).laid(over: input)
    case "phbatch_mix":
      return try input.applying(
        "phbatch_mix",
        arguments.mapValues(\.argument).merging(["top": .image(inputs[1])]) { $1 })
    default: return try input.applying(call.step.operation, arguments.mapValues(\.argument))
    }
  }
}

extension Pipeline {
  /// An image of exactly the size asked for, whatever a loader that reduced it has rounded to.
  private static func resized(
    _ image: Image, _ arguments: [String: Value]
  ) throws(VipsError) -> Image {
    guard case .integer(let width) = arguments["width"],
      case .integer(let height) = arguments["height"], let kernel = arguments["kernel"]
    else { throw .missingArgument("width", operation: Special.resize) }
    return try image.applying(
      "resize",
      [
        "scale": .number(Double(width) / Double(image.width)),
        "vscale": .number(Double(height) / Double(image.height)), "kernel": kernel.argument,
      ])
  }
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
    case .program(let program, let input, let size):
      .blob(ProgramEncoder.bytes(program, input: input, size: size))
    case .overlay(let overlay, _): .text(overlay.file.path)
    }
  }
}
