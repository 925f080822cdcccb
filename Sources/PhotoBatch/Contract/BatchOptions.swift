public import PhotoLibrary
public import PhotoRecipes
import PhotoRender
public import SystemPackage

/// The options of a run.
public struct BatchOptions: Sendable {
  /// The folder for sidecars and renditions; nil to write them beside the originals.
  public var output: FilePath?
  /// The number of photos rendered at a time; nil for one per core.
  public var jobs: Int?
  /// The time limit of a photo; photos above 100 megapixels and slow encoders get additional time.
  public var timeout = RenderingTime.usual
  public var assignments: [Assignment] = []
  /// The selected photos; nil for all.
  ///
  /// Each path is absolute, or relative to the library's root or to the working directory.
  public var photos: [FilePath]?
  /// The photos that the command names; nil for all, ignored if `photos` or `since` is given.
  public var choice: PhotoChoice?
  /// Selects the photos that changed since this git revision, or all if the recipe changed; ignored
  /// if `photos` is given.
  public var since: String?
  /// The smallest number of photos that the library must have for a run to begin.
  ///
  /// If nil, the number is 1 if an earlier run found photos, and 0 otherwise.
  public var leastPhotos: Int?
  public var previous = PreviousPolicy.resume
  /// The treatment of renditions that were changed by hand.
  public var onModified = ModifiedPolicy.keep
  public var acceptsChanged = false
  /// The treatment of another program's edit that is newer than the last edit by phbatch.
  public var onForeign = ForeignPolicy.report
  /// True if reverted adjustments are rendered again.
  public var redoes = false
  /// True if renditions of an older rendering revision are rendered again, and photos that an
  /// earlier run could not render are tried again; see `FailureCache`.
  public var refreshes = false
  /// True if a run publishes the renditions of all photos together, or none of them.
  public var isAtomic = false
  /// The amount of work that a power failure may undo.
  public var durability = Durability.batch
  /// True if files are read again although an earlier run recorded their digests.
  public var verifies = false
  /// True if each photo is reported even in folders where an earlier run found nothing to do.
  public var listsUpToDate = true
  /// The maximum time to wait for another run to end; nil for no waiting.
  public var wait: Duration?
  /// The maximum number of pixels of a photo; nil for 268 million, or for 2,200 million if the
  /// photo's decoder reads row by row.
  public var pixelLimit: Int?
  /// The maximum number of frames of an animation; nil for 256.
  public var frameLimit: Int?
  /// The maximum size in bytes of a photo's file; nil for no limit.
  public var byteLimit: Int?
  /// The maximum number of scans of a progressive JPEG; nil for 500.
  public var scanLimit: Int?
  /// The memory limit in bytes for the whole run; nil for half of the free memory.
  public var memory: Int?
  /// True if the run fails without rendering when workers cannot be sandboxed.
  public var requiresSandbox = false
  /// True if a warning about a photo's renditions makes the photo fail.
  public var isStrict = false
  /// True if edits made by a user may be dropped.
  public var mayDiscard = false
  /// True if programs that the recipe names may run.
  public var allowsExternal = false
  /// The program that is started for the workers; it calls `Worker.runIfAsked()`.
  public var workerExecutable = "/proc/self/exe"
  /// The number of files of a library above which its folders are read in parts.
  var filesAtATime = 32_768
  /// True if the run ends early when other commands wait for the library; used by a watch, which
  /// continues the run after those commands.
  var givesWay = false
  /// True if the undo data of earlier commands is kept, because this command uses only a part of
  /// it.
  var keepsUndoData = false
  /// True for commands that undo earlier commands; they need the undo data of all those commands.
  var needsUndoData = false
  /// The date of new records; nil for the time of the run.
  ///
  /// All shards of a plan have the plan's date, so that a photo's sidecar does not depend on its
  /// shard.
  var date: String?
  /// The name of the command, which other runs read in the lock file.
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
  /// Does not change the file or the photo's edits.
  case keep
  /// Writes the rendition again.
  case overwrite
  /// Keeps the file as a separate edit, from which later edits start.
  case adopt
}

/// The treatment of existing edits: `--previous`.
public enum PreviousPolicy: String, Sendable, Hashable, CaseIterable {
  /// Renders again, at its place in the stack, an edit that the recipe's key `handles` includes;
  /// without such an edit, starts from the image of the newest edit.
  case resume
  /// Drops the recipe's stack and starts a new stack.
  case replace
  /// Starts from the image of the newest edit, even if the recipe's key `handles` includes that
  /// edit.
  case stack
  /// Skips photos that have edits.
  case skip
  /// Reports an error for photos that have edits.
  case fail
}

/// The treatment of another program's edit that is newer than the last edit by phbatch:
/// `--on-foreign`.
public enum ForeignPolicy: String, Sendable, Hashable, CaseIterable {
  /// Reports the other program's edit, and renders without it.
  case report
  /// Renders without the other program's edit.
  case ignore
  /// Puts the other program's edit on top of the stack, and the recipe's edit on top of that.
  case stack
  /// Drops the edits of the stack and starts from the other program's image.
  case replace
}
