import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// How a library is watched.
public struct WatchOptions: Sendable {
  /// How its photos are rendered.
  public var batch = BatchOptions()
  /// How long a file must stay the same before it is read.
  public var settle = Duration.seconds(2)
  /// How long photos wait for a file beside them that somebody has open; and how long a file does
  /// that stays the same, though somebody has it open.
  public var patience = Duration.seconds(60)
  /// Looks at all folders this often, and does not ask the kernel; nil: as often as is needed where
  /// the kernel does not tell.
  public var poll: Duration?
  /// How often all folders are looked at in any case.
  public var rescan = Duration.seconds(3600)
  /// The longest time between two signs of life; nil: none are needed.
  public var pulse: Duration?
  /// Where events come from; nil: the kernel.
  var events: (any FolderEvents)?

  public init() {}
}

/// What happens while a library is watched, as it happens.
public enum WatchEvent: Sendable {
  /// Everything is watched; what is there already comes next.
  case ready
  /// A group of photos is looked at. Photos of which nothing new is to be said have no events.
  case run(RunEvent)
  case finished(RunSummary)
  /// The recipe was read again.
  case reloaded
  case warning(String, hint: String)
  /// The library cannot be reached; nothing is concluded from that.
  case away(String)
  case back
  case status(WatchStatus)
  /// A sign of life: whatever is under way makes progress.
  case pulse
}

/// What a watch is doing.
public struct WatchStatus: Sendable, Hashable {
  public var folders = 0
  /// Folders of which the kernel does not tell.
  public var polled = 0
  /// Files that are waited for until they stay the same.
  public var waiting = 0
  public var isRendering = false
  public var isAway = false

  public init() {}
}
