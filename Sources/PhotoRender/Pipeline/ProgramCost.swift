import PhotoRecipes

/// What a program takes on one core, in nanoseconds a pixel.
///
/// Measured on an AMD EPYC with AVX2, blocks of 512 random colours in the cache; other CPUs differ,
/// but not much in the order of the numbers.
enum ProgramCost {
  /// Reading 8-bit samples and writing them.
  static let ends = 0.6

  /// A cube on colours as photos have them; random ones miss the cache above 65³.
  static func cube(edge: Int) -> Double { edge <= 33 ? 2.4 : edge <= 65 ? 2.8 : 4 }

  /// A table of one channel.
  static func curve(_ spacing: SampledCurve.Spacing) -> Double { spacing == .even ? 0.4 : 0.5 }

  static func nanoseconds(_ opcode: ProgramEncoder.Opcode) -> Double {
    switch opcode {
    case .table: 0.4
    case .gain, .cube, .save, .mix: 0.1
    case .matrix: 0.2
    case .decode: 1.7
    case .encode: 1.9
    case .curve: 1.5
    case .cubeRoot: 1.2
    case .vibrance, .saturate: 0.8
    case .steps: 0.2
    case .radial, .coverLinear, .coverRadial, .coverRange, .coverDisc: 0.4
    case .hues: 2.5
    case .grade: 2.9
    case .lut: 2.4
    case .grain: 2.4
    case .dither: 0.6
    case .blend: 0.6
    case .layer: 0.2
    case .coverPolygon, .coverMap: 4
    case .local, .dehaze, .tiles: 6
    case .combine, .fade: 0.1
    }
  }
}
