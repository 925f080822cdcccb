import CVips
import Synchronization

/// The warnings of libvips: the first few messages, and the number of further messages.
///
/// One damaged TIFF file can cause hundreds of messages.
public struct Warnings: Hashable, Sendable {
  /// A message which shows that a decoder filled in missing pixels.
  public enum Sign: String, Sendable, CaseIterable {
    /// From libjpeg: the file ends, or another picture starts, before the last pixel.
    case prematureEnd = "premature end of data segment"
    /// From libnsgif, the GIF decoder: the data of a frame is damaged.
    case invalidFrame = "Invalid frame data"
  }

  public var messages: [String] = []
  public var dropped = 0
  /// The signs in all messages, including the dropped ones.
  public var signs: Set<Sign> = []

  public init() {}

  /// The messages, and a line with the number of dropped messages.
  public var lines: [String] {
    messages + (dropped > 0 ? ["and \(dropped) warnings more"] : [])
  }
}

/// The warnings since the last call of `takeWarnings`; shared by all threads, like GLib's log.
private struct WarningLog {
  /// The maximum number of characters of a message; longer messages are cut.
  static let longestMessage = 500

  var warnings = Warnings()
  var limit = 0
  /// The last message since libvips's error text was last cleared.
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

/// Replaces GLib's own handlers, which print the messages, until the process ends.
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
  /// Collects the warnings of libvips and GLib from now on, instead of printing them to stderr.
  ///
  /// Call it before `start()`, which may warn of modules that do not load. Threads of libvips warn
  /// too, so a warning can be attributed to a job only if the process runs one job at a time.
  ///
  /// - Parameter limit: The number of messages to keep; the others are counted.
  public static func captureWarnings(keeping limit: Int = 20) {
    log.withLock { $0.limit = limit }
    _ = handlers
  }

  /// Returns and clears the warnings; empty if they are not captured.
  public static func takeWarnings() -> Warnings {
    log.withLock { log in
      defer { log.warnings = Warnings() }
      return log.warnings
    }
  }

  /// The last warning since `forgetErrorText()`; some failures have no other message.
  static var latestWarning: String? { log.withLock { $0.latest } }

  static func forgetLatestWarning() { log.withLock { $0.latest = nil } }
}
