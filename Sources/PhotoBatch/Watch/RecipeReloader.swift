import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Reloads the recipe of a watch when one of its files changes.
///
/// While the files are invalid, the last valid recipe stays in use.
struct RecipeReloader {
  typealias Instant = ContinuousClock.Instant

  private(set) var recipe: WatchedRecipe
  private let watch: Watch
  /// The state of the `files` when a change was last found, and the time `since` which they have
  /// not changed again; nil if the files have not changed since the recipe was last read.
  private var seen: (files: [FilePath: FileStamp], since: Instant)?
  /// The state of the files for which the recipe was last found invalid; nil if it is valid.
  private var refused: [FilePath: FileStamp]?
  private var hasChanged = false
  private var isAsked = false
  private var watched: Set<FilePath> = []
  private let settle: Duration
  /// The pause before another attempt if no worker could check the recipe.
  static let pause = Duration.seconds(30)
  /// The error of `accept` that was reported last; nil if a recipe was accepted since.
  private var obstacle: String?

  /// Reads the recipe.
  ///
  /// - Throws: All errors of the recipe.
  init(_ watch: Watch) throws {
    self.watch = watch
    settle = watch.options.settle
    recipe = try WatchedRecipe(watch, Self.options(watch), pool: nil)
  }

  private static func options(_ watch: Watch) -> BatchOptions {
    var options = watch.options.batch
    // The runs of a watch wait for other runs without limit; this long time means no limit.
    options.wait = .seconds(10 * 365 * 86_400)
    options.givesWay = true
    options.listsUpToDate = false
    return options
  }

  /// Starts watching for events in the folders of the recipe's files.
  mutating func watchFolders(_ events: (any FolderEvents)?) {
    for folder in recipe.folders.subtracting(watched) {
      watched.insert(folder)
      // Changes in a folder that cannot be watched are found by the next full scan.
      guard let files = try? RealFileSystem(root: folder) else { continue }
      _ = try? events?.watch(files.root)
    }
  }

  /// Requests that the recipe is read again even if its files have not changed.
  mutating func ask() { isAsked = true }

  /// Reads the recipe again if its files have changed and are stable, or if that was requested.
  ///
  /// A worker checks the recipe, so the check waits while a round uses the workers. A new recipe for
  /// which `accept` throws is tried again later.
  mutating func follow(
    _ events: (any FolderEvents)?, _ now: Instant, settle: Duration, isBusy: Bool,
    _ reporter: WatchReporter, accept: (Recipe) throws -> Void = { _ in }
  ) {
    guard hasSettled(now, settle) || isAsked, !isBusy else { return }
    isAsked = false
    reload(now, reporter, accept)
    watchFolders(events)
  }

  /// True if the files have changed and are stable.
  private mutating func hasSettled(_ now: Instant, _ settle: Duration) -> Bool {
    let current = recipe.current
    if recipe.isCurrent(current) || current == refused {
      seen = nil
      if recipe.isCurrent(current) { refused = nil }
      return false
    }
    guard let seen, seen.files == current else {
      self.seen = (current, now)
      return false
    }
    return seen.since.duration(to: now) >= settle
  }

  /// The time of the next check of the files; nil if no check is needed before the kernel reports
  /// another event.
  var nextTime: Instant? { seen.map { $0.since + settle } }

  /// True if the recipe is to be read again as soon as its files are stable and no round is running.
  ///
  /// False during the pause after the recipe could not be checked or accepted: the watch then keeps
  /// the last valid recipe, as for a recipe with errors.
  func isPending(_ now: Instant) -> Bool { isAsked || seen.map { $0.since <= now } ?? false }

  private mutating func reload(
    _ now: Instant, _ reporter: WatchReporter, _ accept: (Recipe) throws -> Void
  ) {
    seen = nil
    let current = recipe.current
    let new: WatchedRecipe
    do { new = try WatchedRecipe(watch, Self.options(watch), pool: recipe.batch.pool) } catch {
      if error is CancellationError { return }
      if error is UncheckedRecipe {
        // The recipe could not be checked, and the cause may be temporary.
        seen = (current, now + Self.pause)
      } else {
        refused = current
      }
      reporter.warnOfRecipe(error)
      return
    }
    do { try accept(new.batch.recipe) } catch {
      // The library may come back, and another watch may end.
      seen = (current, now + Self.pause)
      if "\(error)" != obstacle { reporter.warnOfRecipe(error) }
      obstacle = "\(error)"
      return
    }
    obstacle = nil
    recipe = new
    refused = nil
    hasChanged = true
    reporter.tell(.reloaded)
  }

  /// Returns true if the recipe was reloaded since the last call.
  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}
