/// Random numbers that are the same for the same seed, so that a failure can be reproduced.
///
/// - Source: SplitMix64; G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
///   generators", OOPSLA 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  public init(seed: UInt64) { state = seed }

  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A nearly normal value with the mean 0 and the standard deviation 1: the sum of twelve uniform
  /// values.
  public mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &self) }
  }
}
