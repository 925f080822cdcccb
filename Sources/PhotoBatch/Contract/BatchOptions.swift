public import PhotoLibrary
public import PhotoRecipes
import PhotoRender
public import SystemPackage

/// The options of a run.
public struct BatchOptions: Sendable {
  /// The folder for sidecars and renditions; nil for beside the originals.
  public var output: FilePath?
  /// The number of photos rendered at a time; nil for one per core.
  public var jobs: Int?
  /// The time for a photo of up to 100 megapixels whose outputs do not take long to encode.
  public var timeout = RenderingTime.usual
  public var assignments: [Assignment] = []
  /// The selected photos, by their paths from the library's root or with the library's path in
  /// front; nil for all.
  public var photos: [FilePath]?
  /// Selects the photos that changed since this git revision, or all if the recipe changed; ignored
  /// if `photos` is given.
  public var since: String?
  public var previous = PreviousPolicy.resume
  /// The treatment of renditions that were changed by hand.
  public var onModified = ModifiedPolicy.keep
  public var acceptsChanged = false
  /// The treatment of another program's edit that is newer than ours.
  public var onForeign = ForeignPolicy.report
  /// True if reverted adjustments are made again.
  public var redoes = false
  /// True if renditions of an older rendering revision are made again, and photos that ended a
  /// worker are tried again.
  public var refreshes = false
  /// True if a run publishes everything together, or nothing.
  public var isAtomic = false
  /// The amount of work that a power failure may undo.
  public var durability = Durability.batch
  /// True if files that an earlier run read are read again.
  public var verifies = false
  /// True if each photo is reported even in folders where an earlier run found nothing to do.
  public var listsUpToDate = true
  /// The time to wait for another run to end; nil for not at all.
  public var wait: Duration?
  /// The most pixels of a photo; nil for 268 million, or 2,200 million if it is read row by row.
  public var pixelLimit: Int?
  /// The most frames of an animation; nil for 256.
  public var frameLimit: Int?
  /// The most bytes of a photo's file; nil for no limit.
  public var byteLimit: Int?
  /// The most scans of a progressive JPEG; nil for 500.
  public var scanLimit: Int?
  /// The most bytes of memory for the whole run; nil for half of the free memory.
  public var memory: Int?
  /// True if nothing is rendered unless workers can be sandboxed.
  public var requiresSandbox = false
  /// True if edits made by a person may be dropped.
  public var mayDiscard = false
  /// True if programs that the recipe names may run.
  public var allowsExternal = false
  /// The program that is started for the workers; it calls `Worker.runIfAsked()`.
  public var workerExecutable = "/proc/self/exe"
  /// True if the run lets other waiting commands go first; a watch continues after them.
  var givesWay = false
  /// The command that the lock file names to other runs.
  public var command = "run"

  public init() {}

  /// The limits of a photo that differ from the defaults.
  var limits: GivenLimits {
    var limits = GivenLimits()
    (limits.pixels, limits.frames) = (pixelLimit, frameLimit)
    (limits.bytes, limits.scans) = (byteLimit, scanLimit)
    return limits
  }
}

public enum ModifiedPolicy: String, Sendable, Hashable, CaseIterable {
  /// Leaves the file and the photo alone.
  case keep
  /// Writes it anew.
  case overwrite
  /// Keeps the file as an edit of its own, from which others start.
  case adopt
}

/// The treatment of existing edits: `--previous`.
public enum PreviousPolicy: String, Sendable, Hashable, CaseIterable {
  /// Renders an edit that the recipe handles again, in its place; stacks on other edits.
  case resume
  /// Drops the recipe's stack and starts a new one.
  case replace
  /// Stacks even on an edit that the recipe handles.
  case stack
  /// Leaves edited photos alone.
  case skip
  /// Fails edited photos.
  case fail
}

/// The treatment of another program's edit that is newer than ours: `--on-foreign`.
public enum ForeignPolicy: String, Sendable, Hashable, CaseIterable {
  /// Reports it, and renders without it.
  case report
  /// Renders without it.
  case ignore
  /// Puts it on top of the stack, and the recipe on top of it.
  case stack
  /// Drops the edits of the stack and starts from it.
  case replace
}
