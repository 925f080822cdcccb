/// The most memory that a process takes while it renders one photo, as predicted from the header:
/// its proportional set size in bytes.
public struct MemoryNeeds: Sendable, Hashable {
  /// On one thread, with pictures that must be held whole in memory.
  public var usual: Int
  /// On one thread, with such pictures in temporary files.
  public var spilled: Int
  /// More for each further thread.
  public var perThread = 0

  /// What a process takes that renders nothing.
  public static let idle = 32 << 20
  /// What one takes that renders, besides the rows and pictures that are counted: codecs, tables,
  /// threads, and of a photo below 6 megapixels less.
  static func working(pixels: Int) -> Int { idle + (18 << 20) * min(pixels, 6_000_000) / 6_000_000 }

  /// With what lies free between the blocks of a heap: 10 % at most in 75 renderings that were measured.
  static func withGaps(_ bytes: Int) -> Int { bytes + bytes / 9 }

  public init(usual: Int, spilled: Int, perThread: Int = 0) {
    self.usual = usual
    self.spilled = spilled
    self.perThread = perThread
  }

  public func usual(threads: Int) -> Int { usual + (threads - 1) * perThread }
}
