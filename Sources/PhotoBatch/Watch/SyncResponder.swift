import PhotoLibrary
import SystemPackage

/// Answers those who ask when all that was before is done.
struct SyncResponder {
  typealias Instant = ContinuousClock.Instant

  private let roots: WatchedRoots
  private let events: (any FolderEvents)?
  private let command: String
  private let folder: SyncFolder
  /// Whether the kernel does not tell of questions.
  private var mustPoll = false
  /// By when they were asked.
  private var waiting: [FilePath: Instant] = [:]

  /// Makes the folder where questions are put.
  init(_ roots: WatchedRoots, _ events: (any FolderEvents)?, command: String) throws {
    self.roots = roots
    self.events = events
    self.command = command
    folder = try SyncFolder.create(in: roots.openOutput(), command: command)
    try listen(in: roots.openOutput())
  }

  private mutating func listen(in files: RealFileSystem) throws {
    let place = try RealFileSystem(root: files.path.appending(folder.path.components))
    mustPoll = (try? events?.watch(place.root)) == nil
  }

  /// Listens anew in a library that has come back.
  mutating func revive() {
    guard let files = try? roots.openOutput() else { return }
    _ = try? folder.prepare(in: files, command: command)
    try? listen(in: files)
  }

  /// Takes questions as asked now, when something came to light that was before them.
  mutating func postpone(_ now: Instant) {
    for question in waiting.keys { waiting[question] = now }
  }

  /// When to look for questions of which nothing is heard.
  func nextTime(_ now: Instant) -> Instant? { mustPoll ? now + .milliseconds(500) : nil }

  /// Looks for questions; whether there are new ones.
  mutating func questions(_ now: Instant) -> Bool {
    guard let files = try? roots.openOutput(),
      (try? files.status(at: OutputRoot.stateFolder)) ?? nil != nil
    else { return false }
    if (try? folder.prepare(in: files, command: command)) ?? false { try? listen(in: files) }
    let found = folder.questions(in: files)
    let new = found.filter { waiting[$0] == nil }
    waiting = waiting.filter { found.contains($0.key) }
    for question in new { waiting[question] = now }
    return !new.isEmpty
  }

  /// Answers if nothing is left to do of what was before.
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
