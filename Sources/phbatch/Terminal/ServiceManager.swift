import Foundation
import SystemCalls

/// Tells systemd how the service is, if systemd has started it.
///
/// - Source: sd_notify(3), sd_watchdog_enabled(3).
struct ServiceManager: Sendable {
  private let address: String?
  /// How often a sign of life is due; nil: never.
  let pulse: Duration?

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    address = environment["NOTIFY_SOCKET"]
    let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int($0) }
    // Half of the time is what the manual advises.
    pulse = isForUs && address != nil ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// Sends lines such as `READY=1`.
  func say(_ message: String) {
    guard let address else { return }
    // Nobody has to listen.
    _ = unsafe address.withCString { address in
      unsafe message.withCString { unsafe phbatch_notify(address, $0) }
    }
  }
}
