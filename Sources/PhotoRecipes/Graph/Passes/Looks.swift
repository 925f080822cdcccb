import Glibc

/// The conversion of a raw photo's scene light to the tones of a picture.
public enum RawLook: Sendable, Hashable {
  case neutral
  /// The tones of the embedded JPEG.
  case camera(PictureTones)
  /// The tones of the embedded JPEG, as they were fitted to the photo before.
  case fitted(FittedLook)
}

extension RawLook {
  /// The graph's operation after the steps that act on scene light.
  fileprivate func operation(_ use: LookUse) -> Operation {
    switch self {
    case .neutral: .program(NeutralTone.program(use))
    case .camera(let tones): .measured(MeasuredStep(CameraLook(target: tones, use: use)))
    case .fitted(let look): .program(look.program(use))
    }
  }
}

/// The curve of the look `neutral`, which is like the characteristic curve of a film: a toe, a
/// straight part that is steeper than the scene, and a shoulder.
///
/// With `x` the scene's light, 1 where the sensor is full, the picture's light is `y = s × x^c ÷
/// (x^c + k)`. It maps `grey` to `shown` and `top` to 1.
enum NeutralTone {
  static let contrast = 1.35
  static let grey = 0.10
  static let shown = 0.18
  static let top = 2.5

  /// The picture's light for a scene's light of at least 0.
  static func light(_ x: Double) -> Double {
    let (g, t) = (pow(grey, contrast), pow(top, contrast))
    // The values of k and s that meet both conditions of the curve: s g / (g + k) = shown, and s t
    // / (t + k) = 1.
    let k = g * t * (1 - shown) / (shown * t - g)
    let s = (t + k) / t
    let p = pow(max(0, x), contrast)
    return s * p / (p + k)
  }

  /// The tone curve on display-encoded values; light above `top` becomes slightly brighter than
  /// white.
  private static let tone: LookTone = {
    let (count, reach) = (1024, Curve.encode(top))
    let samples = (0...count).map { index in
      Curve.encode(light(Curve.decode(Double(index) / Double(count) * reach)))
    }
    return LookTone(samples: samples, reach: reach)
  }()

  static func program(_ use: LookUse = LookUse()) -> PointProgram { tone.program(use) }
}

extension Graph {
  /// The same graph with a look after the steps that act on scene light.
  ///
  /// Steps at the start of the chain act on scene light if they move or heal pixels, or if they apply
  /// gains and matrices in linear light, such as `exposure` and `whiteBalance` without a mask. All later
  /// steps act on the tones of the picture.
  ///
  /// If `noise` is not nil, the colour noise of the sensor is removed before the look. If `isHDR` is
  /// true, the look keeps bright light in proportion to the scene's.
  public func developed(
    with look: RawLook?, _ noise: ColourNoise? = nil, isHDR: Bool = false
  ) -> Graph {
    guard let look, let last = lastSceneNode else { return self }
    return rebuilt { node, id, inputs, graph in
      let same = graph.append(Node(operation: node.operation, inputs: inputs))
      if id != last { return same }
      var denoised = same
      let gain = gain(upTo: last)
      if var noise {
        noise.gain = gain
        denoised = graph.append(.measured(MeasuredStep(noise)), same)
      }
      return graph.append(look.operation(LookUse(isHDR: isHDR, gain: gain)), denoised)
    }
  }

  /// The factor by which the programs up to a node multiply grey light.
  private func gain(upTo last: ID) -> Double {
    let grey = 0.1
    var colour = ColourMatrix.Vector(repeating: Curve.encode(grey))
    for case .program(let program) in nodes[...last].map(\.operation) {
      colour = program(colour) ?? colour
    }
    return (0..<3).reduce(0) { $0 + Curve.decode(colour[$1]) } / 3 / grey
  }

  /// The last node of the chain that acts on scene light; nil for a graph without a photo.
  private var lastSceneNode: ID? {
    guard case .original? = nodes.first?.operation else { return nil }
    let (consumers, uses) = (consumers, uses)
    var last = 0
    while uses[last] == 1, let next = consumers[last].first, nodes[next].inputs == [last],
      nodes[next].operation.actsOnScene
    {
      last = next
    }
    return last
  }
}

extension Operation {
  /// True if the operation can be applied to scene light before the look, instead of to the
  /// picture.
  fileprivate var actsOnScene: Bool {
    switch self {
    case .orient, .crop, .turn, .flip, .warp: true
    case .program(let program): program.isLinear
    case .area(let area): area.kernel == .heal
    default: false
    }
  }
}

extension PointProgram {
  /// True if the program decodes values to linear light, applies gains and matrices, and encodes
  /// them again.
  fileprivate var isLinear: Bool {
    var steps: [Instruction] = []
    for case let instruction in instructions {
      guard case .channels(let red, let green, let blue) = instruction else {
        steps.append(instruction)
        continue
      }
      guard red.count == green.count, red.count == blue.count else { return false }
      for index in red.indices {
        steps.append(.channels(red: [red[index]], green: [green[index]], blue: [blue[index]]))
      }
    }
    guard steps.count >= 2, steps.first == .curve(.decode), steps.last == .curve(.encode) else {
      return false
    }
    return steps.dropFirst().dropLast().allSatisfy { step in
      switch step {
      case .matrix: true
      case .channels(let red, let green, let blue):
        (red + green + blue).allSatisfy { if case .linear = $0 { true } else { false } }
      default: false
      }
    }
  }
}
