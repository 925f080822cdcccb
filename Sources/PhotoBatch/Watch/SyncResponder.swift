import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Answers `phbatch watch --sync`: notifies the requesting process when the watch has processed all
/// changes made before the request.
///
/// The folder for requests also records which recipe the watch applies, so that no other watch
/// applies the same one.
struct SyncResponder {
  typealias Instant = ContinuousClock.Instant

  private let roots: WatchedRoots
  private let events: (any FolderEvents)?
  private let command: String
  private let folder: SyncFolder
  private var recipe: String
  /// True if the kernel reports no events in the folder of requests.
  private var mustPoll = false
  /// The open requests, with the times when they were found.
  private var waiting: [FilePath: Instant] = [:]

  /// Creates the folder for requests.
  ///
  /// - Throws: `WatchedAlready` if another watch applies the same recipe.
  init(
    _ roots: WatchedRoots, _ events: (any FolderEvents)?, command: String, _ recipe: Recipe,
    _ reporter: WatchReporter
  ) throws {
    self.roots = roots
    self.events = events
    self.command = command
    self.recipe = recipe.watchName
    folder = try SyncFolder.create(
      in: roots.openOutput(), command: command, recipe: self.recipe)
    do {
      try checkRivals(applying: self.recipe, reporter)
      try listen(in: roots.openOutput())
    } catch {
      end()
      throw error
    }
  }

  /// Records that the watch applies another recipe from now on.
  ///
  /// - Throws: `WatchedAlready` if another watch applies that recipe.
  mutating func apply(_ recipe: Recipe, _ reporter: WatchReporter) throws {
    let name = recipe.watchName
    if name == self.recipe { return }
    try checkRivals(applying: name, reporter)
    try folder.record(name, command: command, in: roots.openOutput())
    self.recipe = name
  }

  /// Throws if another watch on this machine applies the recipe, and warns of watches on other
  /// machines, which may have ended.
  private func checkRivals(applying recipe: String, _ reporter: WatchReporter) throws {
    let files = try roots.openOutput()
    for (path, note) in try folder.rivals(applying: recipe, in: files) {
      let error = WatchedAlready(library: files.path, holder: note)
      if note.isOfThisMachine { throw error }
      reporter.tell(
        .warning(
          error.message,
          hint: "\(error.hint); if that watch was killed, remove '\(path.displayed)'"))
    }
  }

  private mutating func listen(in files: RealFileSystem) throws {
    let place = try RealFileSystem(root: files.path.appending(folder.path.components))
    mustPoll = (try? events?.watch(place.root)) == nil
  }

  /// Watches the folder of requests again after the library has become available again.
  mutating func revive() {
    guard let files = try? roots.openOutput() else { return }
    _ = try? folder.prepare(in: files, command: command, recipe: recipe)
    try? listen(in: files)
  }

  /// Sets the time of all open requests to now.
  ///
  /// The watch has just found changes that may be older than the requests, so the requests wait for
  /// them too.
  mutating func postpone(_ now: Instant) {
    for question in waiting.keys { waiting[question] = now }
  }

  /// The time of the next check for requests; nil if the kernel reports new requests.
  func nextTime(_ now: Instant) -> Instant? { mustPoll ? now + .milliseconds(500) : nil }

  /// Finds the requests of other processes; requests withdrawn in the meantime are forgotten.
  ///
  /// Returns true if there are new requests.
  mutating func questions(_ now: Instant) -> Bool {
    guard let files = try? roots.openOutput(),
      (try? files.status(at: OutputRoot.stateFolder)) ?? nil != nil
    else { return false }
    let isNew = try? folder.prepare(in: files, command: command, recipe: recipe)
    if isNew ?? false { try? listen(in: files) }
    let found = folder.questions(in: files)
    let new = found.filter { waiting[$0] == nil }
    waiting = waiting.filter { found.contains($0.key) }
    for question in new { waiting[question] = now }
    return !new.isEmpty
  }

  /// Answers each request for which all changes found before it are processed.
  mutating func answer(_ rounds: Rounds) {
    if waiting.isEmpty || rounds.isRunning { return }
    guard let files = try? roots.openOutput() else { return }
    for (question, time) in waiting {
      let isDone = rounds.withState { state in
        state.newsTime == nil && !state.table.isWaiting(since: time)
      }
      guard isDone else { continue }
      SyncFolder.answer(question, in: files)
      waiting[question] = nil
    }
  }

  func end() {
    guard let files = try? roots.openOutput() else { return }
    folder.remove(in: files)
  }
}
