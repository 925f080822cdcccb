/// The times when a watch acts without an event from the file system.
struct WatchSchedule {
  typealias Instant = ContinuousClock.Instant

  private let options: WatchOptions
  private var rescanTime: Instant
  private var pollTime: Instant
  private var scanTime: Instant
  /// The earliest time of the next round, because other commands wait for the lock or a run failed.
  private var roundPause: Instant?
  /// The time when photos that failed with system errors are tried again.
  private(set) var retryTime: Instant?
  private var retryDelay = WatchSchedule.shortestRetry
  private var awayTime: Instant?

  private static let shortestRetry = Duration.seconds(5)
  private static let longestRetry = Duration.seconds(300)
  /// The interval between scans of folders without kernel events.
  private static let usualPoll = Duration.seconds(60)
  /// The interval between checks whether an unreachable library is back.
  private static let awayPause = Duration.seconds(1)
  /// The interval between checks that the library's path still leads to the same folder.
  ///
  /// The kernel reports no event when a disk is mounted over the folder.
  private static let presencePause = Duration.seconds(60)
  /// The pause between two rounds, in which other commands that wait can lock the library.
  private static let courtesy = Duration.milliseconds(300)

  init(_ options: WatchOptions) {
    self.options = options
    let now = Instant.now
    rescanTime = now + options.rescan
    pollTime = now + (options.poll ?? Self.usualPoll)
    scanTime = now
  }

  var isRescanDue: Bool { rescanTime <= .now }

  /// Requests a scan of all folders.
  mutating func rescan(_ now: Instant) { rescanTime = now }

  mutating func takeRescan(_ now: Instant) -> Bool {
    guard rescanTime <= now else { return false }
    // The interval varies at random by ±10 %, so that watches started together do not scan
    // together.
    rescanTime = now + options.rescan * Double.random(in: 0.9...1.1)
    return true
  }

  mutating func takePoll(_ now: Instant, isAsked: Bool) -> Bool {
    guard isAsked || pollTime <= now else { return false }
    pollTime = now + (options.poll ?? Self.usualPoll)
    return true
  }

  /// True if changed folders may be scanned now; a pause after each scan collects further changes.
  func mayScan(_ now: Instant) -> Bool { scanTime <= now }

  mutating func noteScan(from start: Instant, to end: Instant) {
    let effort = start.duration(to: end)
    scanTime = end + min(effort * 3, .seconds(2))
    // The next poll waits 19 times as long as this scan took, so that scans take at most 5 % of the
    // time.
    pollTime = max(pollTime, end + effort * 19)
  }

  mutating func noteAway(_ now: Instant) { awayTime = now + Self.awayPause }

  /// Delays the next round briefly, so that other commands can lock the library.
  mutating func pause(_ now: Instant) { roundPause = now + Self.courtesy }

  /// Schedules another attempt after a failure, with a longer delay each time, and returns the
  /// delay.
  ///
  /// If `stopsAll` is true, the delay applies to every round; otherwise only to photos that failed.
  mutating func retryLater(_ now: Instant, stopsAll: Bool) -> Duration {
    let delay = retryDelay
    retryDelay = min(delay * 2, Self.longestRetry)
    if stopsAll { roundPause = now + delay } else { retryTime = now + delay }
    return delay
  }

  mutating func noteSuccess() {
    retryDelay = Self.shortestRetry
    retryTime = nil
  }

  mutating func takeRetry(_ now: Instant) -> Bool {
    guard let time = retryTime, time <= now else { return false }
    retryTime = nil
    return true
  }

  /// The time of the next round; nil if there is no work or a round is running.
  func roundTime(_ rounds: Rounds, _ now: Instant) -> Instant? {
    if rounds.isRunning { return nil }
    let (news, patience) = rounds.withState { ($0.newsTime, $0.patienceTime) }
    guard let time = [news, patience, retryTime].compactMap(\.self).min() else { return nil }
    return max(time, roundPause ?? time)
  }

  /// The next time at which the watch acts even without an event.
  func nextTime(_ now: Instant, polls: Bool, hasChanges: Bool) -> Instant {
    var times = [rescanTime, now + Self.presencePause]
    if let awayTime, awayTime > now { times = [awayTime] }
    if polls { times.append(pollTime) }
    if hasChanges { times.append(scanTime) }
    if let pulse = options.pulse { times.append(now + pulse) }
    return times.min() ?? rescanTime
  }
}
