import Glibc

extension PointProgram {
  /// The program's result for one colour, in double precision; nil if the result depends on more
  /// than the colour.
  public func callAsFunction(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector? {
    var state = State(colour: colour)
    for instruction in instructions where !state.run(instruction) { return nil }
    return state.colour
  }

  /// The program's result for one colour under assumptions that brighten it: every shape of a mask
  /// covers the pixel, and other images are ignored.
  func brightened(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector {
    var state = State(colour: colour)
    for instruction in instructions {
      let before = state.uncovered(by: instruction)
      if !state.run(instruction) { state.brighten(instruction) }
      if let before { state.colour = pointwiseMax(state.colour, before) }
    }
    return state.colour
  }

  /// The state of a program during its evaluation for one colour.
  private struct State {
    typealias Vector = ColourMatrix.Vector

    var colour: Vector
    /// The saved colours that no instruction has used yet; `covers` contains the unused coverages.
    private var saved: [Vector] = []
    private var covers: [Double] = []

    init(colour: Vector) { self.colour = colour }

    /// The colour that stays where a mask does not cover the pixel; nil if the instruction has no
    /// mask.
    func uncovered(by instruction: Instruction) -> Vector? {
      if case .mix(_, isMasked: true) = instruction { saved.last } else { nil }
    }

    /// Executes the instruction and returns true; returns false if the result depends on more than
    /// the colour.
    mutating func run(_ instruction: Instruction) -> Bool {
      switch instruction {
      case .channels(let red, let green, let blue):
        colour = Vector(
          red.reduce(colour.x) { $1($0) }, green.reduce(colour.y) { $1($0) },
          blue.reduce(colour.z) { $1($0) })
      case .tone(let curves): colour = Self.toned(colour) { curves.reduce($0) { $1($0) } }
      case .matrix(let matrix): colour = matrix(colour)
      case .colour(let function): colour = function(colour)
      case .hold:
        guard let before = saved.popLast() else { return false }
        colour = OKLab.held(colour, as: before)
      case .save: saved.append(colour)
      case .blend(let mode):
        guard let backdrop = saved.last else { return false }
        colour = mode(colour, on: backdrop)
      case .multiply:
        guard let factor = saved.popLast() else { return false }
        colour *= factor
      case .mix(let opacity, let isMasked):
        guard let before = saved.popLast(), let cover = isMasked ? covers.popLast() : 1 else {
          return false
        }
        colour = before + opacity * cover * (colour - before)
      case .cover(let cover):
        guard let value = cover.value(of: colour) else { return false }
        covers.append(value)
      case .combine(let combination):
        guard let b = covers.popLast(), let a = covers.popLast() else { return false }
        covers.append(combination(a, b))
      case .fade(let gain, let offset):
        guard let cover = covers.popLast() else { return false }
        covers.append(min(1, max(0, cover * gain + offset)))
      case .radial, .falloff, .lookup, .grain, .dither, .layer, .local, .dehaze, .tiles, .key,
        .compose:
        return false
      }
      return true
    }

    /// Applies a curve to the greatest and the least channel; the middle channel keeps its place.
    private static func toned(_ colour: Vector, _ curve: (Double) -> Double) -> Vector {
      let (high, low) = (colour.max(), colour.min())
      let (top, bottom) = (curve(high), curve(low))
      if high <= low { return Vector(repeating: bottom) }
      return bottom + (top - bottom) * (colour - low) / (high - low)
    }

    /// Executes an instruction with a result that depends on more than the colour; `brightened`
    /// states the assumptions.
    mutating func brighten(_ instruction: Instruction) {
      switch instruction {
      case .radial(let gain): colour *= 1 + max(0, gain.strength)
      case .falloff(let falloff): colour *= falloff.largestGain
      case .cover: covers.append(1)
      case .layer: colour = pointwiseMax(colour, .one)
      case .compose(_, _, let isMasked):
        _ = saved.popLast()
        if isMasked { _ = covers.popLast() }
      default: break
      }
    }
  }
}

extension Cover {
  /// The coverage of a colour; nil if the coverage depends on the position.
  fileprivate func value(of colour: ColourMatrix.Vector) -> Double? {
    switch shape {
    case .range(let range, let feather):
      let light = min(1, max(0, colour.x))
      let outside = max(range.lowerBound - light, light - range.upperBound)
      return (1 - outside / max(feather, 0.0001)).smoothstep
    case .disc(let a, let b, let radius, let feather):
      let outside = hypot(colour.y - a, colour.z - b) - radius
      return (1 - outside / max(feather, 0.0001)).smoothstep
    case .linear, .radial, .polygon, .map: return nil
    }
  }
}

extension Cover.Combination {
  fileprivate func callAsFunction(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: a + b - a * b
    case .subtract: a * (1 - b)
    case .intersect: a * b
    }
  }
}
