public import PhotoLibrary
public import PhotoRecipes
import PhotoRender
public import SystemPackage

/// How a recipe is run over a library.
public struct BatchOptions: Sendable {
  /// Where sidecars and renditions go; nil: beside the originals.
  public var output: FilePath?
  /// Photos rendered at a time; nil: one a core.
  public var jobs: Int?
  /// For a photo of up to 100 megapixels whose outputs do not take long to write.
  public var timeout = RenderingTime.usual
  public var assignments: [Assignment] = []
  /// The only photos to look at, from the library's root or with its path before them; nil: all.
  public var photos: [FilePath]?
  /// Look only at photos that changed since this revision of git, if `photos` names none; at all if
  /// the recipe did.
  public var since: String?
  public var previous = PreviousPolicy.resume
  /// What becomes of renditions that somebody else changed.
  public var onModified = ModifiedPolicy.keep
  public var acceptsChanged = false
  /// What becomes of another program's edit that came after ours.
  public var onForeign = ForeignPolicy.report
  /// Whether adjustments that were reverted are made again.
  public var redoes = false
  /// Whether renditions by an older rendering revision are made again, and photos tried again that
  /// ended a worker.
  public var refreshes = false
  /// Whether what a run makes is published together, or nothing of it.
  public var isAtomic = false
  /// What a power failure may take back.
  public var durability = Durability.batch
  /// Whether every file is read again that an earlier run read.
  public var verifies = false
  /// Whether photos are events of their own in folders where an earlier run found nothing to do.
  public var listsSettled = true
  /// How long to wait for another run to end; nil: not at all.
  public var wait: Duration?
  /// The most pixels that a photo may have; nil: 268 million, or 2,200 million where it streams.
  public var pixelLimit: Int?
  /// The most frames of an animation; nil: 256.
  public var frameLimit: Int?
  /// The most bytes of a photo's file.
  public var byteLimit: Int?
  /// The most scans of a progressive JPEG; nil: 500.
  public var scanLimit: Int?
  /// The most bytes of memory for the whole run; nil: half of what is available.
  public var memory: Int?
  /// Whether to render nothing where workers cannot be shut in.
  public var requiresSandbox = false
  /// Whether edits may be dropped that a person made.
  public var mayDiscard = false
  /// Whether programs that the recipe names may run.
  public var allowsExternal = false
  /// The program that is started for the workers; it calls `Worker.runIfAsked()`.
  public var workerExecutable = Worker.executable
  /// Whether others that wait for the library have it soon: a watch begins again after them.
  var givesWay = false
  /// What the lock says to others.
  public var command = "run"

  public init() {}

  /// What a photo may ask for, where it is not as usual.
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

/// What becomes of edits that are there already: `--previous`.
public enum PreviousPolicy: String, Sendable, Hashable, CaseIterable {
  /// Goes on from an edit that the recipe handles, stacks on others.
  case resume
  /// Drops the recipe's stack and starts afresh.
  case replace
  /// Stacks even on an edit that the recipe handles.
  case stack
  /// Leaves edited photos alone.
  case skip
  /// Fails edited photos.
  case fail
}

/// What becomes of another program's edit that came after ours: `--on-foreign`.
public enum ForeignPolicy: String, Sendable, Hashable, CaseIterable {
  /// Says so, and goes on without it.
  case report
  /// Goes on without it.
  case ignore
  /// Puts it on top of the stack, and the recipe on top of it.
  case stack
  /// Drops the edits of the stack and starts from it.
  case replace
}
