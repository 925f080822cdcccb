import PhotoLibrary
import Synchronization
import SystemPackage
import Vips

/// Runs the rounds of a watch, one at a time; a round is a run over all photos whose files are
/// stable.
final class Rounds: Sendable {
  typealias Instant = ContinuousClock.Instant

  private struct Progress {
    var task: Task<Void, Never>?
    var result: Result<(summary: RunSummary, isComplete: Bool), any Error>?
    /// The time of the round's last event.
    var lastSign = Instant.now
    var pool: WorkerPool?
    /// The time when idle workers are ended; nil if there are no idle workers.
    var restTime: Instant?
  }

  private let state: Mutex<WatchState>
  private let progress = Mutex(Progress())
  private let roots: WatchedRoots
  private let reporter: WatchReporter
  private let waker: Waker
  private let photoTime: Duration

  /// The time after which a round starts no further photo; then other commands can lock the
  /// library.
  private static let longest = Duration.seconds(10)
  private static let patience = Duration.seconds(30)
  /// The maximum time between the request to stop and the end of the watch.
  private static let lastMoments = Duration.seconds(20)

  init(
    _ state: WatchState, _ roots: WatchedRoots, _ reporter: WatchReporter, _ waker: Waker,
    photoTime: Duration
  ) {
    self.state = Mutex(state)
    self.roots = roots
    self.reporter = reporter
    self.waker = waker
    self.photoTime = photoTime
  }

  func withState<Result: Sendable>(_ body: (inout sending WatchState) -> sending Result) -> Result {
    state.withLock(body)
  }

  var isRunning: Bool { progress.withLock { $0.task != nil } }

  /// True if the watch is idle, or its round makes progress.
  ///
  /// A photo may take until its own deadline, which can be hours. The watch is considered hung only
  /// ten photo time limits plus 60 s after this deadline or the last event, whichever is later.
  func isAlive(_ now: Instant) -> Bool {
    progress.withLock { progress in
      guard progress.task != nil else { return true }
      let end = max(progress.lastSign, progress.pool?.deadline ?? progress.lastSign)
      return end.duration(to: now) < photoTime * 10 + .seconds(60)
    }
  }

  /// The time of the last event of the current or last round.
  var lastSign: Instant { progress.withLock { $0.lastSign } }

  /// Begins a round over the stable photos.
  func begin(_ recipe: WatchedRecipe, _ now: Instant) {
    guard let opened = try? roots.open() else { return }
    withState { state in
      state.newsTime = nil
      state.attempts.beginRound()
    }
    let share = BatchShare(
      choose: { assets in
        self.sign()
        return self.withState { $0.choose(assets, in: opened, now: .now) }
      }, time: Self.longest, whileWaiting: { self.sign() })
    let task = Task {
      let result: Result<(summary: RunSummary, isComplete: Bool), any Error>
      do {
        result = .success(
          try await recipe.batch.run(recipe.files, share) { self.hear($0, opened) })
      } catch { result = .failure(error) }
      self.progress.withLock { $0.result = result }
      self.waker.wake()
    }
    progress.withLock { progress in
      progress.task = task
      progress.lastSign = now
      progress.pool = recipe.batch.pool
      progress.restTime = nil
    }
  }

  private func sign() { progress.withLock { $0.lastSign = .now } }

  private func hear(_ event: RunEvent, _ opened: WatchState.Roots) {
    sign()
    switch event {
    case .finished(let outcome):
      guard withState({ $0.note(outcome, in: opened) }) else { return }
      reporter.tell(.started(outcome.path))
      reporter.tell(event)
    // The photo's start is reported together with its outcome, and only if the outcome is reported.
    case .started: break
    default: reporter.tell(event)
    }
  }

  /// Handles the result of a finished round.
  func collect(_ now: Instant, _ schedule: inout WatchSchedule) {
    let result = progress.withLock { progress in
      defer {
        if progress.result != nil {
          progress.task = nil
          progress.restTime = now + Self.patience
        }
        progress.result = nil
      }
      return progress.result
    }
    switch result {
    case nil: break
    case .success(let (summary, isComplete)):
      reporter.finish(summary)
      if withState({ $0.attempts.hasSystemFailures }) {
        if schedule.retryTime == nil {
          reporter.warnOfRetry(schedule.retryLater(now, stopsAll: false))
        }
      } else {
        schedule.noteSuccess()
      }
      if !isComplete {
        withState { $0.newsTime = now }
        schedule.pause(now)
      }
    case .failure(let error):
      if error is CancellationError { break }
      withState { $0.newsTime = now }
      reporter.warn(error, retrying: schedule.retryLater(now, stopsAll: true))
    }
    if schedule.takeRetry(now) {
      withState { state in
        state.attempts.forgetSystemFailures()
        state.newsTime = now
      }
    }
  }

  var restTime: Instant? { progress.withLock { $0.restTime } }

  /// Ends the worker processes some time after the last round, and returns free memory to the
  /// system.
  func rest(_ now: Instant) {
    let pool = progress.withLock { progress -> WorkerPool? in
      guard progress.task == nil, let time = progress.restTime, time <= now else { return nil }
      progress.restTime = nil
      return progress.pool
    }
    guard let pool else { return }
    Task { await pool.rest() }
    VipsRuntime.releaseFreedMemory()
  }

  /// Stops the running round; a commit of files that has already begun is completed.
  func stop() {
    progress.withLock { $0.task?.cancel() }
    let end = Instant.now + Self.lastMoments
    while progress.withLock({ $0.task != nil && $0.result == nil }), Instant.now < end {
      waker.wait(for: nil, atMost: Instant.now.duration(to: end))
    }
  }
}
