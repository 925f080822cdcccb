import Glibc
import Synchronization
import SystemCalls

/// Workers that were forked when the program began, and wait until they are needed.
///
/// To start the program anew costs as much as a small photo, most of it for finding what libvips and
/// its hundred libraries name of each other. A forked worker has that behind it, and shares its
/// memory with the coordinator. It is forked before anything was read, so it knows no more than a new
/// one.
enum ForkedWorkers {
  private static let waiting = Mutex<[(pid_t, Channel)]>([])

  /// Forks workers; in each of them `work` begins, and does not return.
  ///
  /// Where that cannot be, workers are started when they are needed.
  static func fork(_ count: Int, _ work: () -> Never) {
    for _ in 0..<count {
      guard let (ours, theirs) = try? Channel.pair() else { return }
      let process = phbatch_fork(theirs.socket)
      if process == 0 { work() }
      theirs.close()
      if process < 0 { return ours.close() }
      waiting.withLock { $0.append((process, ours)) }
    }
  }

  /// Ends those that are more than can be needed.
  static func keep(_ count: Int) {
    let idle = waiting.withLock { waiting in
      defer { waiting.removeLast(max(0, waiting.count - count)) }
      return waiting.dropFirst(count)
    }
    for (process, channel) in idle {
      channel.close()
      while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }
  }

  /// One that waits, which is the caller's from now on.
  static func take() -> (process: pid_t, channel: Channel)? { waiting.withLock { $0.popLast() } }
}
