import FoundationEssentials
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The main loop of a watch, on its own thread: it waits for events, scans the changed folders, and
/// renders the stable photos.
final class WatchLoop {
  typealias Instant = ContinuousClock.Instant

  private let watch: Watch
  private let reporter: WatchReporter
  private let roots: WatchedRoots
  private let events: (any FolderEvents)?
  private let rounds: Rounds
  private var presence: LibraryPresence
  private var mounts: MountsBelow
  private var recipe: RecipeReloader
  private var syncResponder: SyncResponder
  private var schedule: WatchSchedule
  /// The kernel's events for folders that have not been scanned since.
  private var changes = FolderChanges()

  /// Opens the recipe and the library; watching begins in `run`.
  ///
  /// - Throws: The errors of the recipe or the library.
  init(_ watch: Watch, _ observe: @escaping @Sendable (WatchEvent) -> Void) throws {
    let options = watch.options
    self.watch = watch
    reporter = WatchReporter(observe)
    recipe = try RecipeReloader(watch)
    try recipe.recipe.batch.checkLibrary()
    roots = try WatchedRoots(library: watch.library, output: options.batch.output)
    presence = try LibraryPresence(library: roots.library, output: roots.mirror)
    mounts = MountsBelow([roots.library] + (roots.mirror.map { [$0] } ?? []))
    events = options.events ?? reporter.openEvents()
    let state = WatchState(roots.trees, options.poll == nil ? events : nil, options)
    rounds = Rounds(state, roots, reporter, watch.waker, photoTime: options.batch.timeout)
    syncResponder = try SyncResponder(
      roots, events, command: options.batch.command, recipe.recipe.batch.recipe, reporter)
    schedule = WatchSchedule(options)
  }

  /// Watches until it is stopped.
  func run() throws {
    defer { syncResponder.end() }
    begin()
    while true {
      let orders = watch.takeOrders()
      if orders.isStopped {
        rounds.stop()
        throw CancellationError()
      }
      let now = Instant.now
      turn(now, reloads: orders.reloads)
      if rounds.isAlive(now) { reporter.pulse() }
      watch.waker.wait(
        for: events?.descriptor, atMost: now.duration(to: nextTime(now)))
    }
  }

  private func begin() {
    recipe.watchFolders(events)
    let now = Instant.now
    if let opened = try? roots.open() {
      let limit = Int64(watch.options.settle / .nanoseconds(1))
      let time = Int64(Date().timeIntervalSince1970 * 1e9)
      rounds.withState { state in
        state.refreshAll(in: opened, now: now) { file in
          let age = time - max(file.status.identity.changed, file.status.identity.modified)
          return age >= limit
        }
        state.noteAll(now)
      }
    }
    reportFolders()
    reporter.tell(.ready)
  }

  private func turn(_ now: Instant, reloads: Bool) {
    rounds.collect(now, &schedule)
    // Requests are read before the kernel's events, so that the events include every change made
    // before a request.
    let questions = syncResponder.questions(now)
    take()
    guard isHere(now) else { return }
    if mounts.takeChange() { schedule.rescan(now) }
    if reloads {
      recipe.ask()
      schedule.rescan(now)
    }
    recipe.follow(
      events, now, settle: watch.options.settle, isBusy: rounds.isRunning, reporter
    ) { try syncResponder.apply($0, reporter) }
    if recipe.takeChange() { rounds.withState { $0.noteAll(now) } }
    scan(now, isAsked: questions)
    if let next = schedule.roundTime(rounds, now), next <= now {
      rounds.begin(recipe.recipe, now)
    }
    if !isScanDue && !recipe.isPending(now) { syncResponder.answer(rounds) }
    rounds.rest(now)
    reportStatus()
  }

  /// True if there are folders with changes that are not scanned yet.
  private var isScanDue: Bool {
    !changes.isEmpty || schedule.isRescanDue || rounds.withState { !$0.uncheckedFolders.isEmpty }
  }

  private func take() {
    guard let events else { return }
    changes.merge(events.take())
    if changes.isIncomplete && !schedule.isRescanDue { reporter.warnOfLoss() }
  }

  private func scan(_ now: Instant, isAsked: Bool) {
    guard isAsked || schedule.mayScan(now) else { return }
    guard let opened = try? roots.open() else { return }
    let changes = changes
    self.changes = FolderChanges()
    let (rescans, polls) = (
      schedule.takeRescan(now), schedule.takePoll(now, isAsked: isAsked)
    )
    let hasLate = rounds.withState { state in
      if rescans {
        state.refreshAll(in: opened, now: now)
        state.noteAll(now)
      }
      state.refresh(changes, in: opened, now: now)
      if polls { state.poll(in: opened, now: now) }
      return state.refreshDue(in: opened, now: now)
    }
    if hasLate { syncResponder.postpone(now) }
    schedule.noteScan(from: now, to: .now)
    reportFolders()
  }

  /// Returns true if the library can be reached.
  ///
  /// If the library was away or replaced, schedules a scan of all folders.
  private func isHere(_ now: Instant) -> Bool {
    switch presence.check() {
    case .here:
      if reporter.isAway { comeBack(now) }
    case .replaced: comeBack(now)
    case .away(let reason):
      reporter.reportAway(reason)
      schedule.noteAway(now)
      return false
    }
    return true
  }

  private func comeBack(_ now: Instant) {
    roots.prepare()
    syncResponder.revive()
    schedule.rescan(now)
    reporter.reportBack()
  }

  private func nextTime(_ now: Instant) -> Instant {
    let (settleTime, polls, isLate) = rounds.withState {
      ($0.table.nextDue(after: now), $0.unwatchedCount > 0, !$0.uncheckedFolders.isEmpty)
    }
    var times = [schedule.nextTime(now, polls: polls, hasChanges: isLate || !changes.isEmpty)]
    if !reporter.isAway {
      times += [
        settleTime, rounds.isRunning ? nil : recipe.nextTime, schedule.roundTime(rounds, now),
        rounds.restTime,
        syncResponder.nextTime(now),
      ].compactMap(\.self)
    }
    return times.min() ?? now
  }

  private func reportFolders() {
    let (failures, obstacle, silent, unwatched, count) = rounds.withState {
      (Array($0.failures.values), $0.obstacle, $0.silent, $0.unwatchedCount, $0.folderCount)
    }
    if let silent { reporter.warnOfPolling(roots.path(of: silent)) }
    reporter.warn(of: failures)
    if let obstacle { reporter.warn(obstacle, unwatched: unwatched, of: count) }
  }

  private func reportStatus() {
    var status = WatchStatus()
    rounds.withState { state in
      status.folders = state.folderCount
      status.polled = state.unwatchedCount
      status.waiting = state.table.waitingCount
    }
    status.isRendering = rounds.isRunning
    reporter.tell(status)
  }
}
