public import PhotoRecipes

/// The libvips operations that render one photo, as plain data.
///
/// It compares and prints without a photo; `Renderer` carries it out.
public struct Pipeline: Sendable, Hashable {
  public struct Call: Sendable, Hashable {
    /// An operation with its arguments, images aside.
    public struct Step: Sendable, Hashable {
      public var operation: String
      public var arguments: [String: Value]

      init(_ operation: String, _ arguments: [String: Value] = [:]) {
        self.operation = operation
        self.arguments = arguments
      }
    }

    public var step: Step
    /// The calls whose images go in: the first as `in`.
    public var inputs: [Int]
    /// More images, under the names of the arguments that take them.
    public var images: [String: [Int]] = [:]
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
    /// Bits a channel.
    public var depth: Int
    /// Whether the photo is of brightness alone, and nothing made colours of it.
    var isGrey = false
  }

  /// What libvips has no operation for: reading the photo, keeping an image's pixels, giving them to
  /// several readers at once, picking those nearest to the pixels of a size, drawing on it, letting it
  /// throw a shadow, making a map, keeping one of three equal channels, bringing colours to the
  /// values of a device, and handing it to a program, which is done before a pipeline for what comes
  /// after.
  public enum Special {
    public static let load = "load"
    public static let hold = "hold"
    public static let tee = "tee"
    public static let pick = "pick"
    public static let draw = "draw"
    public static let shadow = "shadow"
    public static let map = "map"
    public static let external = "external"
    public static let grey = "grey"
    public static let export = "export"
  }

  /// An image between two calls.
  struct Frame: Sendable, Hashable {
    var size: Size
    var bands: Int
    var sampleBytes: Int

    var rowBytes: Int { size.width * bands * sampleBytes }
    var bytes: Int { rowBytes * size.height }
  }

  public private(set) var calls: [Call] = []
  /// What some calls make; see `frame(of:)`.
  private var frames: [Int: Frame] = [:]
  public var outputs: [Output] = []
  /// What could not be done as asked, in words.
  public var warnings: [String] = []
  /// Whether what brings the photo to sRGB may clip colours, uncounted.
  var sourceMayClip = false

  mutating func append(
    _ step: Call.Step, _ inputs: [Int], images: [String: [Int]] = [:]
  ) -> Int {
    calls.append(Call(step: step, inputs: inputs, images: images))
    return calls.count - 1
  }

  /// Remembers what a call makes.
  mutating func note(_ frame: Frame, of call: Int) { frames[call] = frame }

  /// What a call makes: as it was noted, else floats of the size of what it reads.
  func frame(of call: Int) -> Frame {
    if let known = frames[call] { return known }
    guard let input = calls[call].inputs.first else {
      return Frame(size: Size(1, 1), bands: 1, sampleBytes: 4)
    }
    var frame = self.frame(of: input)
    frame.sampleBytes = 4
    return frame
  }

  /// Puts another operation without arguments in the place of a call's own.
  mutating func replace(_ call: Int, with operation: String) {
    calls[call].step = Call.Step(operation)
  }

  /// Changes an argument of a call that nothing else reads yet.
  mutating func set(_ argument: String, _ value: Value, of call: Int) {
    calls[call].step.arguments[argument] = value
  }
}

/// How samples are stored between operations.
public enum SampleFormat: String, Sendable, Hashable {
  /// 8 bits, 0…255.
  case uchar
  /// 16 bits, 0…65535.
  case ushort
  /// 32-bit float, nominally 0…1, unclipped.
  case float

  var bytes: Int {
    switch self {
    case .uchar: 1
    case .ushort: 2
    case .float: 4
    }
  }

  /// The value of full light.
  var maximum: Double {
    switch self {
    case .uchar: 255
    case .ushort: 65_535
    case .float: 1
    }
  }

  static func integer(depth: Int) -> SampleFormat { depth > 8 ? .ushort : .uchar }
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
    return step.operation
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
