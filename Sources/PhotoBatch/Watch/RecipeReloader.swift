import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Keeps the recipe of a watch: it is read again when one of its files has changed, and the last
/// that was valid stays while they are not.
struct RecipeReloader {
  typealias Instant = ContinuousClock.Instant

  private(set) var recipe: WatchedRecipe
  private let watch: Watch
  /// What the files are that were looked at last, and since when, if they are not those in use.
  private var seen: (files: [FilePath: FileStamp], since: Instant)?
  /// What the files were that are invalid.
  private var refused: [FilePath: FileStamp]?
  private var hasChanged = false
  private var isAsked = false
  private var watched: Set<FilePath> = []
  private let settle: Duration
  /// How long nothing is tried again after no worker could look at the recipe.
  static let pause = Duration.seconds(30)

  /// Reads the recipe.
  ///
  /// - Throws: All that is wrong with it.
  init(_ watch: Watch) throws {
    self.watch = watch
    settle = watch.options.settle
    recipe = try WatchedRecipe(watch, Self.options(watch), pool: nil)
  }

  private static func options(_ watch: Watch) -> BatchOptions {
    var options = watch.options.batch
    // Another run is waited for, however long it takes.
    options.wait = .seconds(10 * 365 * 86_400)
    options.givesWay = true
    options.listsUpToDate = false
    return options
  }

  /// Asks to be told of the folders in which the recipe's files are.
  mutating func watchFolders(_ events: (any FolderEvents)?) {
    for folder in recipe.folders.subtracting(watched) {
      watched.insert(folder)
      // What is not told is seen at the next look at everything.
      guard let files = try? RealFileSystem(root: folder) else { continue }
      _ = try? events?.watch(files.root)
    }
  }

  /// Wants the recipe to be read again, whether or not its files have changed.
  mutating func ask() { isAsked = true }

  /// Reads the recipe again if its files have changed, and have been the same for a while, or if it
  /// was asked to.
  ///
  /// That takes a worker, and waits while they are busy.
  mutating func follow(
    _ events: (any FolderEvents)?, _ now: Instant, settle: Duration, isBusy: Bool,
    _ reporter: WatchReporter
  ) {
    guard hasSettled(now, settle) || isAsked, !isBusy else { return }
    isAsked = false
    reload(now, reporter)
    watchFolders(events)
  }

  /// Whether the files have changed, and have been the same for a while.
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

  /// When to look at the files again; nil: when something happens.
  var nextTime: Instant? { seen.map { $0.since + settle } }

  private mutating func reload(_ now: Instant, _ reporter: WatchReporter) {
    seen = nil
    let current = recipe.current
    do {
      recipe = try WatchedRecipe(watch, Self.options(watch), pool: recipe.batch.pool)
      refused = nil
      hasChanged = true
      reporter.tell(.reloaded)
    } catch is CancellationError {
      return
    } catch let error as UncheckedRecipe {
      // Nothing is known of it: what is missing may come back.
      seen = (current, now + Self.pause)
      reporter.warnOfRecipe(error)
    } catch {
      refused = current
      reporter.warnOfRecipe(error)
    }
  }

  /// Whether the recipe is another since this was asked.
  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}
