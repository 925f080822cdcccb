import Foundation
import PhotoRecipes

/// Writes a point program as the words that the kernel `phbatch_point` reads.
///
/// Functions of one channel are folded into tables: exact ones for the samples read, and finely
/// sampled ones in between. The layout stands in `phbatch_kernels.h`.
struct ProgramEncoder {
  private enum Opcode: UInt32 {
    case table = 1
    case gain, matrix, decode, encode, curve, cubeRoot, cube, vibrance, radial, save, mix
  }

  private static let magic: UInt32 = 0x3150_4850
  /// Pixels that the kernel can keep at a time.
  private static let slots = 4

  private var words: [UInt32] = []
  private var count: UInt32 = 0
  private var slot = 0

  /// The program for samples of `input` on an image of `size`, on which the place of a pixel depends.
  static func bytes(_ program: PointProgram, input: SampleFormat, size: Size) -> [UInt8] {
    var encoder = ProgramEncoder()
    for (index, instruction) in program.instructions.enumerated() {
      if index == 0, input != .float, case .channels(let red, let green, let blue) = instruction {
        encoder.addTable(input, red, green, blue)
      } else {
        encoder.add(instruction, size)
      }
    }
    return ([magic, encoder.count] + encoder.words).flatMap { word in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  private mutating func add(_ opcode: Opcode, _ payload: [Double] = []) {
    words += [opcode.rawValue, UInt32(payload.count)] + payload.map { Float($0).bitPattern }
    count += 1
  }

  private mutating func addTable(
    _ input: SampleFormat, _ red: [Curve], _ green: [Curve], _ blue: [Curve]
  ) {
    let levels = Int(input.maximum)
    func column(_ curves: [Curve]) -> [Double] {
      (0...levels).map { level in
        curves.reduce(Double(level) / Double(levels)) { $1($0) }
      }
    }
    let first = column(red)
    add(
      .table,
      first + (green == red ? first : column(green)) + (blue == red ? first : column(blue)))
  }

  private mutating func add(_ instruction: PointProgram.Instruction, _ size: Size) {
    switch instruction {
    case .channels(let red, let green, let blue): addChannels([red, green, blue])
    case .matrix(let matrix):
      add(
        .matrix,
        zip(matrix.rows, [matrix.offset.x, matrix.offset.y, matrix.offset.z]).flatMap {
          [$0.x, $0.y, $0.z, $1]
        })
    case .vibrance(let amount): add(.vibrance, [amount])
    case .radial(let gain): add(.radial, Self.payload(gain, size))
    case .save:
      add(.save, [Double(slot)])
      slot += 1
    case .mix(let opacity):
      slot -= 1
      add(.mix, [Double(slot), opacity])
    }
  }

  private static func payload(_ gain: RadialGain, _ size: Size) -> [Double] {
    let view = gain.view
    let across = view.width / Double(size.width)
    let down = view.height / Double(size.height)
    return [
      (0.5 - view.left) / across, (0.5 - view.top) / down, across * 2.0.squareRoot(),
      down * 2.0.squareRoot(), gain.inner, gain.outer, gain.strength,
    ]
  }

  /// As few instructions as do justice to the curves of each channel.
  private mutating func addChannels(_ channels: [[Curve]]) {
    if let gain = Self.gain(channels) { return add(.gain, gain) }
    if let opcode = Self.opcode(channels) { return add(opcode) }
    let longest = channels.map(\.count).max() ?? 0
    func isAccurate(_ count: Int) -> Bool {
      Set(channels.map { Array($0.prefix(count)) }).allSatisfy { SampledCurve($0).isAccurate }
    }
    if isAccurate(longest) { return addTable(channels) }
    if longest == 1 { return addOdd(channels) }
    let count = (2..<longest).reversed().first(where: isAccurate) ?? 1
    addChannels(channels.map { Array($0.prefix(count)) })
    addChannels(channels.map { Array($0.dropFirst(count)) })
  }

  /// Powers, which a straight line below 0 does not do justice to: `f(x) − f(−x)`, each level below.
  private mutating func addOdd(_ channels: [[Curve]]) {
    func isOdd(_ curve: Curve) -> Bool { if case .power = curve { true } else { false } }
    let (whole, positive) = (Double(slot), Double(slot + 1))
    guard channels.joined().allSatisfy(isOdd), slot + 1 < Self.slots else {
      return addTable(channels)
    }
    add(.save, [whole])
    addTable(channels, isLevelBelow: true)
    add(.save, [positive])
    add(.mix, [whole, 0])
    add(.gain, [-1, -1, -1, 0, 0, 0])
    addTable(channels, isLevelBelow: true)
    add(.gain, [-1, -1, -1, 0, 0, 0])
    add(.mix, [positive, 0.5])
    add(.gain, [2, 2, 2, 0, 0, 0])
  }

  private mutating func addTable(_ channels: [[Curve]], isLevelBelow: Bool = false) {
    let curves = Set(channels).count == 1 ? [channels[0]] : channels
    let tables = curves.map { SampledCurve($0, isLevelBelow: isLevelBelow) }
    add(.curve, tables[0].head(channels: Double(tables.count)) + tables.flatMap(\.samples))
  }

  /// The one instruction that computes the same curve for all channels without a table.
  private static func opcode(_ channels: [[Curve]]) -> Opcode? {
    guard Set(channels).count == 1, channels[0].count == 1 else { return nil }
    return switch channels[0][0] {
    case .decode: .decode
    case .encode: .encode
    case .cubeRoot: .cubeRoot
    case .cube: .cube
    case .linear, .power, .sigmoid, .spline, .parametric, .sampled, .inverseSampled: nil
    }
  }

  /// Gains and offsets, where every channel is a straight line.
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

/// A function of one channel as samples at even steps of √x, denser where tones are dark, and a
/// straight line on either side.
private struct SampledCurve {
  /// √x at the last sample.
  private static let end = 2.0
  /// The slopes outside, then the samples.
  let samples: [Double]
  private let curves: [Curve]

  /// With `isLevelBelow`, all below 0 gets the value at 0.
  init(_ curves: [Curve], isLevelBelow: Bool = false) {
    func value(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let count = Int(Self.end * 4096)
    let inside = (0...count).map { index -> Double in
      let t = Self.end * Double(index) / Double(count)
      return value(t * t)
    }
    let last = Self.end * Self.end
    let below = isLevelBelow ? 0 : (value(0) - value(-Self.far)) / Self.far
    let above = (value(last + Self.far) - value(last)) / Self.far
    self.curves = curves
    samples = ([below, above] + inside).map { $0.isFinite ? $0 : 0 }
  }

  func head(channels: Double) -> [Double] { [Self.end, channels, Double(samples.count - 3)] }

  /// How far below the first sample, and above the last, the slopes are measured.
  private static let far = 0.25

  /// Whether the table stays within a level of 16 bits, outside the samples too.
  var isAccurate: Bool {
    func isClose(_ found: Double, at x: Double) -> Bool {
      abs(found - curves.reduce(x) { $1($0) }) <= 1 / 65_535.0
    }
    let knots = samples.dropFirst(2)
    let step = Self.end / Double(knots.count - 1)
    let between = zip(knots, knots.dropFirst()).enumerated().allSatisfy { index, pair in
      let t = (Double(index) + 0.5) * step
      return isClose((pair.0 + pair.1) / 2, at: t * t)
    }
    guard between, let first = knots.first, let last = knots.last else { return false }
    return [0.001, 0.05, 1].allSatisfy { beyond in
      isClose(first - samples[0] * beyond, at: -beyond)
        && isClose(last + samples[1] * beyond, at: Self.end * Self.end + beyond)
    }
  }
}
