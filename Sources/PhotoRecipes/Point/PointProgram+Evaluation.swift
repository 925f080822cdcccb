import Glibc

extension PointProgram {
  /// The program's result for one colour, in double precision; nil if the result depends on more
  /// than the colour.
  public func callAsFunction(_ colour: ColourMatrix.Vector) -> ColourMatrix.Vector? {
    var state = State(colours: [colour])
    for instruction in instructions where !state.run(instruction) { return nil }
    return state.colours[0]
  }

  /// The program's results for colours under assumptions that brighten them: every shape of a mask
  /// covers the pixel, and other images are ignored.
  func brightened(_ colours: [ColourMatrix.Vector]) -> [ColourMatrix.Vector] {
    var state = State(colours: colours)
    for instruction in instructions {
      let before = state.uncovered(by: instruction)
      if !state.run(instruction) { state.brighten(instruction) }
      if let before { state.change(with: before) { pointwiseMax($0, $1) } }
    }
    return state.colours
  }

  /// The state of a program during its evaluation for several colours.
  private struct State {
    typealias Vector = ColourMatrix.Vector

    private(set) var colours: [Vector]
    /// The saved colours that no instruction has used yet; `covers` contains the unused coverages.
    private var saved: [[Vector]] = []
    private var covers: [[Double]] = []

    init(colours: [Vector]) { self.colours = colours }

    mutating func change(_ result: (Vector) -> Vector) {
      for index in colours.indices { colours[index] = result(colours[index]) }
    }

    mutating func change(with others: [Vector], _ result: (Vector, Vector) -> Vector) {
      for index in colours.indices { colours[index] = result(colours[index], others[index]) }
    }

    /// The colours that stay where a mask does not cover the pixel; nil if the instruction has no
    /// mask.
    func uncovered(by instruction: Instruction) -> [Vector]? {
      if case .mix(_, isMasked: true) = instruction { saved.last } else { nil }
    }

    /// Executes the instruction and returns true; returns false if the results depend on more than
    /// the colours.
    mutating func run(_ instruction: Instruction) -> Bool {
      switch instruction {
      case .channels(let red, let green, let blue):
        change { colour in
          Vector(
            red.reduce(colour.x) { $1($0) }, green.reduce(colour.y) { $1($0) },
            blue.reduce(colour.z) { $1($0) })
        }
      case .tone(let curves):
        change { Self.toned($0) { curves.reduce($0) { $1($0) } } }
      case .matrix(let matrix): change { matrix($0) }
      case .colour(let function): change { function($0) }
      case .hold:
        guard let before = saved.popLast() else { return false }
        change(with: before) { OKLab.held($0, as: $1) }
      case .save: saved.append(colours)
      case .blend(let mode):
        guard let backdrop = saved.last else { return false }
        change(with: backdrop) { mode($0, on: $1) }
      case .multiply:
        guard let factor = saved.popLast() else { return false }
        change(with: factor) { $0 * $1 }
      case .mix(let opacity, let isMasked):
        guard let before = saved.popLast(),
          let cover = isMasked ? covers.popLast() : colours.map({ _ in 1 })
        else { return false }
        for index in colours.indices {
          colours[index] =
            before[index] + opacity * cover[index] * (colours[index] - before[index])
        }
      case .cover(let cover):
        let values = colours.compactMap { cover.value(of: $0) }
        guard values.count == colours.count else { return false }
        covers.append(values)
      case .combine(let combination):
        guard let b = covers.popLast(), let a = covers.popLast() else { return false }
        covers.append(zip(a, b).map { combination($0, $1) })
      case .fade(let gain, let offset):
        guard let cover = covers.popLast() else { return false }
        covers.append(cover.map { min(1, max(0, $0 * gain + offset)) })
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

    /// Executes an instruction with results that depend on more than the colours; `brightened`
    /// states the assumptions.
    mutating func brighten(_ instruction: Instruction) {
      switch instruction {
      case .radial(let gain): change { $0 * (1 + max(0, gain.strength)) }
      case .falloff(let falloff): change { $0 * falloff.largestGain }
      case .cover: covers.append(colours.map { _ in 1 })
      case .layer: change { pointwiseMax($0, .one) }
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
