import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options of a watch.
public struct WatchOptions: Sendable {
  /// The options of its runs.
  public var batch = BatchOptions()
  /// The time that a file must stay unchanged before it is read.
  public var settle = Duration.seconds(2)
  /// The longest wait for a file that a process has open for writing: of the file itself, if it
  /// stays unchanged, and of the photos beside it.
  public var patience = Duration.seconds(60)
  /// The interval of scanning all folders instead of using kernel events; nil for kernel events,
  /// with polling only where there are none.
  public var poll: Duration?
  /// The interval of scanning all folders in any case.
  public var rescan = Duration.seconds(3600)
  /// The longest time between two `pulse` events; nil for none.
  public var pulse: Duration?
  /// The source of events; nil for the kernel.
  var events: (any FolderEvents)?

  public init() {}
}

/// The events of a watch.
public enum WatchEvent: Sendable {
  /// All folders are watched; existing photos are processed next.
  case ready
  /// An event of a round. Photos without news have no events.
  case run(RunEvent)
  case finished(RunSummary)
  /// The recipe was read again.
  case reloaded
  case warning(String, hint: String)
  /// The library cannot be reached; the watch waits.
  case away(String)
  case back
  case status(WatchStatus)
  /// The watch is alive and makes progress.
  case pulse
}

/// The status of a watch.
public struct WatchStatus: Sendable, Hashable {
  public var folders = 0
  /// The number of folders without kernel events.
  public var polled = 0
  /// The number of files that are not stable yet.
  public var waiting = 0
  public var isRendering = false
  public var isAway = false

  public init() {}
}
