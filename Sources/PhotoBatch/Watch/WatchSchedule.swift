/// When a watch does what it does though nothing has happened.
struct WatchSchedule {
  typealias Instant = ContinuousClock.Instant

  private let options: WatchOptions
  private var rescanTime: Instant
  private var pollTime: Instant
  private var scanTime: Instant
  /// Before which no photos are looked at: others have the library, or the system is in need.
  private var roundPause: Instant?
  /// When photos are tried again that failed because of the system.
  private(set) var retryTime: Instant?
  private var retryDelay = WatchSchedule.shortestRetry
  private var awayTime: Instant?

  private static let shortestRetry = Duration.seconds(5)
  private static let longestRetry = Duration.seconds(300)
  /// How often folders are looked at of which the kernel does not tell.
  private static let usualPoll = Duration.seconds(60)
  /// Between looks for a library that is away.
  private static let awayPause = Duration.seconds(1)
  /// Between looks whether it is still the library that is there: nothing tells of a disk that is
  /// mounted over it.
  private static let presencePause = Duration.seconds(60)
  /// For others that wait for the library, between groups of a long run.
  private static let courtesy = Duration.milliseconds(300)

  init(_ options: WatchOptions) {
    self.options = options
    let now = Instant.now
    rescanTime = now + options.rescan
    pollTime = now + (options.poll ?? Self.usualPoll)
    scanTime = now
  }

  var isRescanDue: Bool { rescanTime <= .now }

  /// Has everything looked at.
  mutating func rescan(_ now: Instant) { rescanTime = now }

  mutating func takeRescan(_ now: Instant) -> Bool {
    guard rescanTime <= now else { return false }
    // Many watches that began together do not meet for ever.
    rescanTime = now + options.rescan * Double.random(in: 0.9...1.1)
    return true
  }

  mutating func takePoll(_ now: Instant, isAsked: Bool) -> Bool {
    guard isAsked || pollTime <= now else { return false }
    pollTime = now + (options.poll ?? Self.usualPoll)
    return true
  }

  /// Whether to look at what happened: a storm of changes is looked at now and then.
  func mayScan(_ now: Instant) -> Bool { scanTime <= now }

  mutating func noteScan(from start: Instant, to end: Instant) {
    let effort = start.duration(to: end)
    scanTime = end + min(effort * 3, .seconds(2))
    // Looking takes a twentieth of the time at most.
    pollTime = max(pollTime, end + effort * 19)
  }

  mutating func noteAway(_ now: Instant) { awayTime = now + Self.awayPause }

  /// Lets others have the library for a moment.
  mutating func pause(_ now: Instant) { roundPause = now + Self.courtesy }

  /// Waits longer each time, and returns how long.
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

  /// When photos are to be looked at; nil while nothing is to be done, or something is being done.
  func roundTime(_ rounds: Rounds, _ now: Instant) -> Instant? {
    if rounds.isRunning { return nil }
    let (news, patience) = rounds.withState { ($0.newsTime, $0.patienceTime) }
    guard let time = [news, patience, retryTime].compactMap(\.self).min() else { return nil }
    return max(time, roundPause ?? time)
  }

  /// When there is something to do though nothing happens.
  func nextTime(_ now: Instant, polls: Bool, hasChanges: Bool) -> Instant {
    var times = [rescanTime, now + Self.presencePause]
    if let awayTime, awayTime > now { times = [awayTime] }
    if polls { times.append(pollTime) }
    if hasChanges { times.append(scanTime) }
    if let pulse = options.pulse { times.append(now + pulse) }
    return times.min() ?? rescanTime
  }
}
