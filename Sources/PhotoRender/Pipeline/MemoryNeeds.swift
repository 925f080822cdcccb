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
  /// What one takes that renders, whatever the photo: codecs, tables, threads.
  static let working = 50 << 20

  public init(usual: Int, spilled: Int, perThread: Int = 0) {
    self.usual = usual
    self.spilled = spilled
    self.perThread = perThread
  }

  public func usual(threads: Int) -> Int { usual + (threads - 1) * perThread }
}
