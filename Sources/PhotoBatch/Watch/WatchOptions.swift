import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options of a watch.
public struct WatchOptions: Sendable {
  /// The options for the rounds of the watch, which are runs.
  public var batch = BatchOptions()
  /// The time that a file must stay unchanged before a round reads it.
  public var settle = Duration.seconds(2)
  /// The maximum wait for a file that a process keeps open for writing but does not change.
  ///
  /// The same limit applies to photos that wait for such a file beside them.
  public var patience = Duration.seconds(60)
  /// The interval between scans of all folders, if these replace the kernel's events; nil uses the
  /// events and scans only folders without events.
  public var poll: Duration?
  /// The interval between scans of all folders in addition to the kernel's events.
  public var rescan = Duration.seconds(3600)
  /// The maximum time between two `pulse` events; nil for no `pulse` events.
  public var pulse: Duration?
  /// The source of file system events; nil for the kernel.
  var events: (any FolderEvents)?

  public init() {}
}

/// The events of a watch.
public enum WatchEvent: Sendable {
  /// All folders are watched; existing photos are processed next.
  case ready
  /// An event of a round; photos whose state has not changed are left out.
  case run(RunEvent)
  case finished(RunSummary)
  /// The recipe's files changed, and the watch now uses the new recipe.
  case reloaded
  case warning(String, hint: String)
  /// The library cannot be reached, for the given reason; the watch waits for it.
  case away(String)
  case back
  case status(WatchStatus)
  /// A regular sign that the watch is alive and makes progress.
  case pulse
}

/// The status of a watch.
public struct WatchStatus: Sendable, Hashable {
  public var folders = 0
  /// The number of folders that are scanned regularly, because the kernel reports no events for
  /// them.
  public var polled = 0
  /// The number of files that are not stable yet.
  public var waiting = 0
  public var isRendering = false
  public var isAway = false

  public init() {}
}
