import FoundationEssentials
import Glibc
public import SystemPackage

/// The mounts below a set of folders, which are needed because inotify does not report a mount.
///
/// - Source: proc_pid_mountinfo(5), proc_pid_mounts(5) on `poll`.
public struct MountsBelow: Sendable {
  private static let place = FilePath("/proc/self/mountinfo")

  private let folders: [FilePath]
  /// The kernel's list of mounts, which reports its changes; nil if there is no such list.
  private let list: OpenFile?
  private var mounts: Set<Substring> = []

  /// Records the current mounts below the folders.
  public init(_ folders: [FilePath]) {
    self.folders = folders
    list = (try? FileDescriptor.open(Self.place, .readOnly, options: .closeOnExec)).map {
      OpenFile($0, Self.place)
    }
    mounts = found
  }

  /// True if a file system was mounted or unmounted below the folders since the last call.
  public mutating func takeChange() -> Bool {
    guard let list, list.withDescriptor({ Self.isNew($0.rawValue) }) else { return false }
    let before = mounts
    mounts = found
    return mounts != before
  }

  private static func isNew(_ descriptor: Int32) -> Bool {
    var asked = pollfd(fd: descriptor, events: Int16(POLLPRI), revents: 0)
    return unsafe poll(&asked, 1, 0) > 0
  }

  /// The lines of the list with a mount point below the folders; the fifth word of a line is the
  /// path.
  private var found: Set<Substring> {
    guard let bytes = FileManager.default.contents(atPath: Self.place.string) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    // The path is resolved again, because a folder may have become a link to another.
    let starts = folders.map { Self.escaped((try? $0.canonical()) ?? $0) + "/" }
    return Set(
      text.split(separator: "\n").filter { line in
        let words = line.split(separator: " ", maxSplits: 5)
        return words.count > 4 && starts.contains { words[4].hasPrefix($0) }
      })
  }

  /// The characters that are escaped in the list of mounts, and their codes.
  private static let escapes = [("\\", "134"), (" ", "040"), ("\t", "011"), ("\n", "012")]

  /// A path as it is escaped in the list of mounts.
  private static func escaped(_ path: FilePath) -> String {
    var text = path.string
    for (character, code) in escapes { text = text.replacing(character, with: "\\" + code) }
    return text == "/" ? "" : text
  }

  /// The path that is escaped as `text` in the list of mounts.
  static func path(_ text: Substring) -> FilePath {
    var text = String(text)
    for (character, code) in escapes.reversed() {
      text = text.replacing("\\" + code, with: character)
    }
    return FilePath(text)
  }
}
