import SystemCalls

/// The files that this process may open.
enum OpenFiles {
  /// The number of files that may be open at the same time, at most `wanted`.
  ///
  /// The soft limit is raised to `wanted` as far as the hard limit allows; a child process lowers its
  /// own limit.
  static func limit(atMost wanted: Int) -> Int {
    min(wanted, Int(phbatch_raise_descriptors(UInt64(wanted))))
  }
}
