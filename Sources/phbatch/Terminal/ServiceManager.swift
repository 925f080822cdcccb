import FoundationEssentials
import Glibc
import SystemCalls

/// Reports the status of a watch to systemd, if systemd started this process as a service.
///
/// - Source: sd_notify(3), sd_watchdog_enabled(3).
struct ServiceManager: Sendable {
  private let address: String?
  /// The interval between the messages that systemd's watchdog expects; nil if it expects none.
  let pulse: Duration?

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    address = environment["NOTIFY_SOCKET"]
    let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int($0) }
    // The manual recommends a message after half of the watchdog's time limit.
    pulse = isForUs && address != nil ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// Sends systemd a message, lines such as `READY=1`.
  func say(_ message: String) {
    guard let address else { return }
    // Errors are ignored, because systemd may not be listening.
    _ = unsafe address.withCString { address in
      unsafe message.withCString { unsafe phbatch_notify(address, $0) }
    }
  }
}
