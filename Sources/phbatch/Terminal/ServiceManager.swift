import Foundation
import SystemCalls

/// Reports the status of the service to systemd, if systemd started it.
///
/// - Source: sd_notify(3), sd_watchdog_enabled(3).
struct ServiceManager: Sendable {
  private let address: String?
  /// The interval of watchdog messages; nil for none.
  let pulse: Duration?

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    address = environment["NOTIFY_SOCKET"]
    let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int($0) }
    // The manual advises half of the watchdog time.
    pulse = isForUs && address != nil ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// Sends lines such as `READY=1`.
  func say(_ message: String) {
    guard let address else { return }
    // Errors are ignored: systemd need not listen.
    _ = unsafe address.withCString { address in
      unsafe message.withCString { unsafe phbatch_notify(address, $0) }
    }
  }
}
