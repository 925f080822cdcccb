import FoundationEssentials
import Synchronization

/// The system's limits for each user of inotify.
public enum InotifyLimits {
  /// The maximum number of watched folders for all programs of a user together; nil if it cannot be
  /// read.
  public static var watches: Int? { number("max_user_watches") }

  private static func number(_ name: String) -> Int? {
    let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/\(name)", encoding: .utf8)
    return text.flatMap { Int($0.prefix(while: \.isNumber)) }
  }

  /// The hint that tells a user how to raise the limit, so that this number of folders can be
  /// watched in addition to the folders of other programs.
  public static func remedy(folders: Int) -> String {
    let wanted = max((watches ?? 0) * 2, (folders * 2 / 65_536 + 1) * 65_536)
    return "raise the limit: sysctl fs.inotify.max_user_watches=\(wanted)"
  }

  /// The hint for a user who has reached the limit of inotify queues.
  public static let queueRemedy = "raise the limit: sysctl fs.inotify.max_user_instances=1024"
}

/// Counts the folders that one queue watches.
final class WatchBudget: Sendable {
  private let limit: Int
  private let numbers = Mutex<Set<Int32>>([])

  init(limit: Int) { self.limit = limit }

  /// Counts a watch, and returns true if it is within the limit or already counted.
  func take(_ number: Int32) -> Bool {
    numbers.withLock { numbers in
      if numbers.contains(number) { return true }
      guard numbers.count < limit else { return false }
      numbers.insert(number)
      return true
    }
  }

  func giveBack(_ number: Int32) { numbers.withLock { _ = $0.remove(number) } }
}
