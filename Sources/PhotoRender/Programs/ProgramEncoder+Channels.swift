import PhotoRecipes

extension ProgramEncoder {
  /// Adds the smallest number of instructions that is accurate enough for the curves of each
  /// channel.
  ///
  /// Channels with the same curves share an instruction; channels without curves need none.
  mutating func addChannels(_ channels: [[Curve]]) {
    if let gain = Self.gain(channels) { return add(.gain, gain) }
    if let opcode = Self.opcode(channels) { return add(opcode) }
    for (index, curves) in channels.enumerated()
    where !curves.isEmpty && channels.firstIndex(of: curves) == index {
      let planes = channels.indices.filter { channels[$0] == curves }
      addCurves(curves) { encoder, curve in
        encoder.addTable(curve, to: planes)
      } parts: { encoder, part in
        encoder.addChannels((0..<3).map { planes.contains($0) ? part : [] })
      }
    }
  }

  /// Adds the smallest number of instructions that is accurate enough for curves of the greatest and
  /// the least channel.
  mutating func addTone(_ curves: [Curve]) {
    addCurves(curves) { encoder, curve in
      // The middle channel costs about as much as a curve.
      let cost = ProgramCost.curve(curve.spacing) * 3
      encoder.add(.tone, [7] + curve.words, cost: cost)
    } parts: {
      $0.addTone($1)
    }
  }

  /// Adds curves by `addTable` if one table is accurate enough, otherwise by `addPart` in several
  /// parts.
  private mutating func addCurves(
    _ curves: [Curve], table addTable: (inout Self, SampledCurve) -> Void,
    parts addPart: (inout Self, [Curve]) -> Void
  ) {
    if let curve = SampledCurve.smallest(curves, precision) {
      addTable(&self, curve)
    } else if curves.count == 1 {
      addTable(&self, .finest(curves, precision))
    } else {
      let count =
        (2..<max(2, curves.count)).reversed().first {
          SampledCurve.smallest(Array(curves.prefix($0)), precision) != nil
        } ?? 1
      addPart(&self, Array(curves.prefix(count)))
      addPart(&self, Array(curves.dropFirst(count)))
    }
  }

  private mutating func addTable(_ curve: SampledCurve, to planes: [Int]) {
    let set = planes.reduce(0) { $0 + Double(1 << $1) }
    let cost = ProgramCost.curve(curve.spacing) * Double(planes.count)
    add(.curve, [set] + curve.words, cost: cost)
  }

  /// The single instruction that computes the same curve for all channels without a table; nil if
  /// there is none.
  private static func opcode(_ channels: [[Curve]]) -> Opcode? {
    guard Set(channels).count == 1, channels[0].count == 1 else { return nil }
    return switch channels[0][0] {
    case .decode: .decode
    case .encode: .encode
    case .cubeRoot: .cubeRoot
    case .cube: .cube
    case .linear, .power, .sigmoid, .stretch, .spline, .parametric, .sampled, .inverseSampled,
      .nonNegative, .log, .antilog:
      nil
    }
  }

  /// The gains and offsets of the channels; nil if a channel is not a straight line.
  private static func gain(_ channels: [[Curve]]) -> [Double]? {
    var gains: [Double] = []
    var offsets: [Double] = []
    for curves in channels {
      switch (curves.count, curves.first) {
      case (0, _):
        gains.append(1)
        offsets.append(0)
      case (1, .linear(let slope, let offset)):
        gains.append(slope)
        offsets.append(offset)
      default: return nil
      }
    }
    return gains + offsets
  }
}
