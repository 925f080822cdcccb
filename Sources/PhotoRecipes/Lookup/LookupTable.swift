/// The content of a lookup file: curves, a cube, or curves that are applied before a cube.
public struct LookupTable: Sendable, Hashable {
  /// Samples of three curves at even steps over a domain; the curves are constant outside.
  public struct Curves: Sendable, Hashable {
    public var low: ColourMatrix.Vector
    public var high: ColourMatrix.Vector
    /// The samples of R, G and B; at least two each.
    public var samples: [[Double]]
  }

  public var curves: Curves?
  public var cube: ColourCube?

  public init(curves: Curves? = nil, cube: ColourCube? = nil) {
    self.curves = curves
    self.cube = cube
  }

  public var instructions: [PointProgram.Instruction] {
    (curves.map { [$0.instruction] } ?? []) + (cube.map { [.colour(.cube($0))] } ?? [])
  }
}

extension LookupTable.Curves {
  fileprivate var instruction: PointProgram.Instruction {
    func channel(_ c: Int) -> [Curve] {
      let values = samples[c]
      guard let first = values.first, let last = values.last else { return [] }
      // Repeats the first and the last sample. A sampled curve continues its first and last line
      // beyond its ends; with equal samples, these lines are constant.
      let steps = Double(values.count + 1)
      let slope = Double(values.count - 1) / (high[c] - low[c]) / steps
      return [
        .linear(slope: slope, offset: 1 / steps - low[c] * slope),
        .sampled([first] + values + [last]),
      ]
    }
    return .channels(red: channel(0), green: channel(1), blue: channel(2))
  }
}
