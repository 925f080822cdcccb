import PhotoRecipes

/// The time of instructions on one core, in nanoseconds per pixel.
///
/// Measured by `Benchmarks/kernels` with AVX2 on a ramp with noise; on other CPUs the order of the
/// instructions by time is about the same.
enum ProgramCost {
  /// The time for reading and writing 8-bit samples.
  static let ends = 0.6

  /// The time of a cube for the colours of a typical photo; random colours take longer, because
  /// they miss the cache.
  static func cube(edge: Int) -> Double { edge <= 33 ? 2.4 : edge <= 65 ? 2.6 : 4 }

  /// The time of a table for one channel.
  static func curve(_ spacing: SampledCurve.Spacing) -> Double { spacing == .even ? 0.4 : 0.5 }

  static func nanoseconds(_ opcode: ProgramEncoder.Opcode) -> Double {
    switch opcode {
    case .table, .gain, .save, .combine, .fade, .coverLinear, .coverRange: 0.1
    case .matrix, .cube, .layer, .steps: 0.2
    case .decode: 1.7
    case .encode: 2
    case .decodeNearly: 0.7
    case .close: 0.8
    case .curve: 3 * curve(.root)
    case .cubeRoot: 1.2
    case .vibrance: 0.9
    case .saturate, .key: 0.8
    case .hold: 2.5
    case .mix, .coverRadial, .coverDisc: 0.3
    case .radial, .compose: 0.4
    case .rolloff: 0.5
    // Much more where colours are outside.
    case .gamut: 0.2
    case .hues: 2.5
    case .grade: 1.9
    case .lut: 2.4
    case .grain: 2.5
    case .dither: 0.7
    case .blend: 0.8
    case .coverPolygon: 2.2
    case .coverMap: 4.1
    case .local: 3.8
    case .dehaze: 1.2
    case .tiles: 7.6
    }
  }
}
