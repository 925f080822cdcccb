public import PhotoRecipes
import Vips

/// The operations that render one photo, as plain data.
///
/// A call is one operation with its arguments and input images.
///
/// Pipelines can be compared and printed without a photo; `Execution` runs them.
public struct Pipeline: Sendable, Hashable {
  public struct Call: Sendable, Hashable {
    /// An operation with its arguments, except images.
    public struct Step: Sendable, Hashable {
      public var operation: Pipeline.Operation
      public var arguments: [String: Value]

      init(_ operation: Pipeline.Operation, _ arguments: [String: Value] = [:]) {
        self.operation = operation
        self.arguments = arguments
      }
    }

    public var step: Step
    /// The indices of the calls that produce the input images; the first image is the argument
    /// `in`.
    public var inputs: [Int]
    /// The calls that produce further input images, by the names of their arguments.
    public var images: [String: [Int]] = [:]

    /// The calls that produce all input images.
    var allInputs: [Int] { inputs + images.values.joined() }
  }

  public enum Value: Sendable, Hashable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case numbers([Double])
    case text(String)
    case choice(String)
    /// A point program for samples of `input` on an image of `size`.
    case program(PointProgram, input: SampleFormat, size: Size, ProgramEnd)
    case map(MapSource)
    /// A drawing on samples of a format.
    case drawing(Drawing, SampleFormat)
    case shadow(Shadow, SampleFormat)
    case profile(DeviceProfile)
  }

  public struct Output: Sendable, Hashable {
    public var name: String
    public var call: Int
    public var size: Size
    /// The number of bits of each channel.
    public var depth: Int
    /// True if the photo has only brightness, and no step added colours.
    var isGrey = false
  }

  /// The layout of the image that one call passes to another.
  struct Frame: Sendable, Hashable {
    var size: Size
    var bands: Int
    var sampleBytes: Int

    var rowBytes: Int { size.width * bands * sampleBytes }
    var bytes: Int { rowBytes * size.height }
  }

  public private(set) var calls: [Call] = []
  /// The recorded frames of calls, by the index of the call; `frame(of:)` derives the others.
  private var frames: [Int: Frame] = [:]
  /// For each call whose program may be approximated as a table, the maximum error allowed,
  /// display-encoded.
  private var tableErrors: [Int: Double] = [:]
  public var outputs: [Output] = []
  /// Warnings about settings that could not be applied.
  public var warnings: [String] = []
  /// True if the conversion of the photo to sRGB may clip colours without counting them.
  var sourceMayClip = false

  mutating func append(
    _ step: Call.Step, _ inputs: [Int], images: [String: [Int]] = [:]
  ) -> Int {
    calls.append(Call(step: step, inputs: inputs, images: images))
    return calls.count - 1
  }

  /// Records the frame of a call.
  mutating func note(_ frame: Frame, of call: Int) { frames[call] = frame }

  /// The frame of a call: the recorded frame, or else floats in the size of the call's input.
  func frame(of call: Int) -> Frame {
    if let known = frames[call] { return known }
    guard let input = calls[call].inputs.first else {
      return Frame(size: Size(1, 1), bands: 1, sampleBytes: 4)
    }
    var frame = self.frame(of: input)
    frame.sampleBytes = 4
    return frame
  }

  /// Replaces a call's operation by another one without arguments.
  mutating func replace(_ call: Int, with operation: Operation) {
    calls[call].step = Call.Step(operation)
  }

  /// Changes an argument of a call that no other call reads yet.
  mutating func set(_ argument: String, _ value: Value, of call: Int) {
    calls[call].step.arguments[argument] = value
  }

  /// Allows the program of a call to be approximated as a table with an error of at most `error`,
  /// display-encoded.
  mutating func allowTable(of call: Int, error: Double) { tableErrors[call] = error }

  /// Returns the same pipeline with tables instead of programs where a table is faster.
  ///
  /// Creating a table takes about 40 ms. Therefore, the tables are created only for a photo that is
  /// rendered, and only after its memory and time were predicted. The process keeps the tables for
  /// later photos.
  public func withTables() -> Pipeline {
    var pipeline = self
    for (call, error) in tableErrors {
      guard
        case .program(let program, let input, let size, let end) =
          calls[call].step.arguments["program"],
        let table = Bake.replacement(
          for: program, input: input, bound: error, pixels: size.pixels)
      else { continue }
      pipeline.set("program", .program(table, input: input, size: size, end), of: call)
    }
    return pipeline
  }

  /// The calls from which a call is computed, including the call itself.
  ///
  /// A call for which `isOpen` is false is included, but not the calls that it reads.
  func reached(from end: Int, past isOpen: (Int) -> Bool = { _ in true }) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = [end]
    while let call = waiting.popLast() {
      guard found.insert(call).inserted else { continue }
      if call != end && !isOpen(call) { continue }
      waiting += calls[call].allInputs
    }
    return found
  }
}

extension Pipeline.Value {
  /// The value in the form that libvips accepts.
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

extension Pipeline: CustomStringConvertible {
  public var description: String {
    let lines = calls.enumerated().map { "%\($0) = \($1)" }
    let ends = outputs.map { "\($0.name) ← %\($0.call)  \($0.size), \($0.depth) bits" }
    return (lines + ends + warnings.map { "warning: \($0)" }).joined(separator: "\n")
  }
}

extension Pipeline.Call: CustomStringConvertible {
  public var description: String {
    let arguments = step.arguments.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
    let more = images.sorted { $0.key < $1.key }.map { name, calls in
      " \(name)=\(calls.map { "%\($0)" }.joined(separator: ","))"
    }
    return step.operation.name
      + (inputs.map { " %\($0)" } + more + arguments).joined()
  }
}

extension Pipeline.Value: CustomStringConvertible {
  public var description: String {
    switch self {
    case .flag(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .numbers(let numbers): "\(numbers)"
    case .text(let text), .choice(let text): text
    case .program(let program, let input, _, _): "\(input.rawValue){\(program)}"
    case .map(let source): "{\(source)}"
    case .drawing(let drawing, _): "{\(drawing)}"
    case .shadow(let shadow, _): "{\(shadow)}"
    case .profile(let profile): "{\(profile)}"
    }
  }
}
