import PhotoRecipes

/// The time of instructions on one core, in nanoseconds per pixel.
///
/// Measured by `Benchmarks/kernels` with AVX2 on a ramp with noise. Other CPUs need other times,
/// but about the same instructions are slow on them.
enum ProgramCost {
  /// The time for reading and writing 8-bit samples.
  static let ends = 0.6

  /// The time of a cube for the colours of a typical photo; random colours take longer, because
  /// they miss the cache.
  static func cube(edge: Int) -> Double { edge <= 33 ? 2.4 : edge <= 65 ? 2.6 : 4 }

  /// The time of a table for one channel.
  static func curve(_ spacing: SampledCurve.Spacing) -> Double { spacing == .even ? 0.4 : 0.5 }
}
