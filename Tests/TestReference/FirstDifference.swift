extension [UInt8] {
  /// The index of the first byte that differs from `other`; nil if both are equal.
  ///
  /// A failed `#expect` on two arrays would compute the shortest edit between millions of bytes,
  /// which takes too long.
  package func firstDifference(from other: [UInt8]) -> Int? {
    guard count == other.count else { return Swift.min(count, other.count) }
    return self == other ? nil : indices.first { self[$0] != other[$0] }
  }
}
