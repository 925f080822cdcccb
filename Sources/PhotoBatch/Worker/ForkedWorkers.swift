import Glibc
import Synchronization
import SystemCalls

/// Workers that are forked at the start of the program and wait until they are needed.
///
/// Starting a new process and loading libvips takes as long as rendering a small photo. A forked
/// worker loads libvips while the coordinator reads the recipe and the library, and shares memory
/// with it. It is forked before any file is read, so it contains no more data than a new process.
enum ForkedWorkers {
  private static let waiting = Mutex<[(pid_t, Channel)]>([])

  /// Forks worker processes; each of them runs `work` with its index, which does not return.
  ///
  /// `take` returns the worker with the lowest index.
  ///
  /// If forking fails, the workers are started later, each when it is needed.
  static func fork(_ count: Int, _ work: @convention(c) (_ index: Int32) -> Void) {
    let channels = (0..<count).compactMap { _ in try? Channel.pair() }
    var processes = [pid_t](repeating: -1, count: channels.count)
    let result = unsafe phbatch_fork(
      channels.map(\.1.socket), Int32(channels.count), work, &processes)
    for ((ours, theirs), process) in zip(channels, processes) {
      theirs.close()
      if result == 0 && process > 0 {
        waiting.withLock { $0.append((process, ours)) }
      } else {
        ours.close()
      }
    }
  }

  /// Ends all waiting workers except `count`.
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

  /// Removes a waiting worker, which then belongs to the caller; nil if none waits.
  static func take() -> (process: pid_t, channel: Channel)? {
    waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
