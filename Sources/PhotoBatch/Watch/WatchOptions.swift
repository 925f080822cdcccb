import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The options of a watch.
public struct WatchOptions: Sendable {
  /// The options of the watch's runs.
  public var batch = BatchOptions()
  /// The time that a file must stay unchanged before it is read.
  public var settle = Duration.seconds(2)
  /// The maximum wait for a file that a process has open for writing.
  ///
  /// It applies to the file itself, if it stays unchanged, and to the photos beside it.
  public var patience = Duration.seconds(60)
  /// The interval between scans of all folders, which then replace kernel events; nil to use kernel
  /// events, and to poll only folders without them.
  public var poll: Duration?
  /// The interval between scans of all folders; they occur even with kernel events.
  public var rescan = Duration.seconds(3600)
  /// The maximum time between two `pulse` events; nil for no such events.
  public var pulse: Duration?
  /// The source of file system events; nil for the kernel.
  var events: (any FolderEvents)?

  public init() {}
}

/// The events of a watch.
public enum WatchEvent: Sendable {
  /// All folders are watched; existing photos are processed next.
  case ready
  /// An event of a round. A photo whose state has not changed has no event.
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
