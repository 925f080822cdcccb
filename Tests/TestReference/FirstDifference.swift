extension [UInt8] {
  /// The index of the first byte that is not that of `other`, or nil if they are equal.
  ///
  /// A failed `#expect` on two arrays would look for the shortest edit between millions of bytes.
  package func firstDifference(from other: [UInt8]) -> Int? {
    guard count == other.count else { return Swift.min(count, other.count) }
    return zip(self, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }
}
