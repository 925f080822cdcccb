import Synchronization
import SystemPackage

/// What the system allows each user of inotify.
public enum InotifyLimits {
  /// Folders of all programs together; nil where that is not told.
  public static var watches: Int? { number("max_user_watches") }

  private static func number(_ name: FilePath.Component) -> Int? {
    guard let settings = try? RealFileSystem(root: "/proc/sys/fs/inotify"),
      let bytes = try? settings.read(FilePath(root: nil, [name]), limit: 64)
    else { return nil }
    return Int(String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self))
  }

  /// How to have this many folders watched, with what others need.
  public static func remedy(folders: Int) -> String {
    let wanted = max((watches ?? 0) * 2, (folders * 2 / 65_536 + 1) * 65_536)
    return "raise the limit: sysctl fs.inotify.max_user_watches=\(wanted)"
  }

  /// How to have another queue of events.
  public static let queueRemedy = "raise the limit: sysctl fs.inotify.max_user_instances=1024"
}

/// Counts the folders that one queue watches.
final class WatchBudget: Sendable {
  private let limit: Int
  private let numbers = Mutex<Set<Int32>>([])

  init(limit: Int) { self.limit = limit }

  /// Whether a watch may be kept: those that are counted already always.
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
