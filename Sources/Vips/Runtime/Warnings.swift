import CVips
import Synchronization

/// What libvips complained of without failing: the first few messages, and how many more there
/// were.
///
/// One damaged TIFF can make hundreds.
public struct Warnings: Hashable, Sendable {
  /// What a decoder says of pixels that it makes up.
  public enum Sign: String, Sendable, CaseIterable {
    /// Of libjpeg: an end, or another picture, stands where pixels should.
    case prematureEnd = "premature end of data segment"
    /// Of libnsgif.
    case invalidFrame = "Invalid frame data"
  }

  public var messages: [String] = []
  public var dropped = 0
  /// Of all messages, those that are dropped too.
  public var signs: Set<Sign> = []

  public init() {}

  /// The messages, and how many more there were.
  public var lines: [String] {
    messages + (dropped > 0 ? ["and \(dropped) warnings more"] : [])
  }
}

/// The warnings since they were last taken; shared by all threads, as GLib's log is.
private struct WarningLog {
  /// A message is cut to this many characters.
  static let longestMessage = 500

  var warnings = Warnings()
  var limit = 0
  /// The last message since libvips's error text was forgotten.
  var latest: String?

  mutating func append(_ message: String) {
    latest = String(message.prefix(Self.longestMessage))
    warnings.signs.formUnion(Warnings.Sign.allCases.filter { message.contains($0.rawValue) })
    if warnings.messages.count < limit {
      warnings.messages.append(String(message.prefix(Self.longestMessage)))
    } else {
      warnings.dropped += 1
    }
  }
}

private let log = Mutex(WarningLog())

/// Takes the place of GLib's own handlers, which print; it stays for the life of the process.
private let handlers: Void = {
  let levels: [GLogLevelFlags] = [G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING, G_LOG_LEVEL_MESSAGE]
  let mask = GLogLevelFlags(rawValue: levels.reduce(0) { $0 | $1.rawValue })
  for domain in ["VIPS", "GLib", "GLib-GObject"] {
    g_log_set_handler(
      domain, mask,
      { _, _, message, _ in
        guard let message else { return }
        let text = String(cString: message)
        log.withLock { $0.append(text) }
      }, nil)
  }
}()

extension VipsRuntime {
  /// Collects the warnings of libvips and GLib from now on, in place of printing them on stderr.
  ///
  /// Call it before `start()`, which may warn of modules that do not load. Threads of libvips warn
  /// too, so a warning belongs to a job only while the process does one job at a time.
  ///
  /// - Parameter limit: how many are kept; the rest is counted.
  public static func captureWarnings(keeping limit: Int = 20) {
    log.withLock { $0.limit = limit }
    _ = handlers
  }

  /// The warnings since the last call; empty unless they are captured.
  public static func takeWarnings() -> Warnings {
    log.withLock { log in
      defer { log.warnings = Warnings() }
      return log.warnings
    }
  }

  /// The last warning since `forgetErrorText()`: of some failures it is all that libvips says.
  static var latestWarning: String? { log.withLock { $0.latest } }

  static func forgetLatestWarning() { log.withLock { $0.latest = nil } }
}
