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

  private var words: [UInt32] = []
  private var count: UInt32 = 0
  private var slot = 0

  /// - Parameters:
  ///   - input: The samples that the program reads.
  ///   - size: The image, for what depends on the place of a pixel.
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
    case .channels(let red, let green, let blue): addChannels(red, green, blue)
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

  private mutating func addChannels(_ red: [Curve], _ green: [Curve], _ blue: [Curve]) {
    if let gain = Self.gain([red, green, blue]) { return add(.gain, gain) }
    if red == green, green == blue {
      let simple = red.map(Self.opcode)
      if red.count <= 2, simple.allSatisfy({ $0 != nil }) {
        for (curve, opcode) in zip(red, simple) { add(curve, opcode) }
        return
      }
      let table = SampledCurve(red)
      return add(.curve, table.head(channels: 1) + table.samples)
    }
    let tables = [red, green, blue].map { SampledCurve($0) }
    let range = tables.map(\.end).max() ?? 1
    let same = [red, green, blue].map { SampledCurve($0, end: range) }
    add(.curve, same[0].head(channels: 3) + same.flatMap(\.samples))
  }

  private mutating func add(_ curve: Curve, _ opcode: Opcode?) {
    if case .linear(let slope, let offset) = curve {
      add(.gain, [slope, slope, slope, offset, offset, offset])
    } else if let opcode {
      add(opcode)
    }
  }

  /// The one instruction that computes a curve without a table.
  private static func opcode(_ curve: Curve) -> Opcode? {
    switch curve {
    case .linear: .gain
    case .decode: .decode
    case .encode: .encode
    case .cubeRoot: .cubeRoot
    case .cube: .cube
    default: nil
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

/// A function of one channel as samples at even steps of √x, denser where tones are dark.
private struct SampledCurve {
  /// √x at the last sample.
  let end: Double
  /// The slopes outside, then the samples.
  let samples: [Double]

  init(_ curves: [Curve], end: Double? = nil) {
    // Linear light may be far above 1 before it is encoded; encoded values are not.
    let range = end ?? (curves.first == .encode || curves.first == .cubeRoot ? 4 : 2)
    func value(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }
    let count = Int(range * 4096)
    let inside = (0...count).map { index -> Double in
      let t = range * Double(index) / Double(count)
      return value(t * t)
    }
    let step = 1e-4
    let last = range * range
    let below = (value(0) - value(-step)) / step
    let above = (value(last + step) - value(last)) / step
    self.end = range
    samples = ([below, above] + inside).map { $0.isFinite ? $0 : 0 }
  }

  func head(channels: Double) -> [Double] { [end, channels, Double(samples.count - 3)] }
}
