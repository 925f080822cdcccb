import Glibc
import SystemPackage

/// The machine that this process runs on.
enum Machine {
  /// The name of the machine, usually without its domain; empty if it has no name.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The identifier of this machine, 32 hexadecimal digits; nil if it has none.
  static let identifier: String? = {
    guard let root = try? RealFileSystem(root: "/etc"),
      let bytes = try? root.read("machine-id", limit: 256)
    else { return nil }
    let text = String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
    return text.utf8.count == 32 ? text : nil
  }()

  /// True if a process of any user with this process ID is running on this machine.
  ///
  /// If `start` is given, another process that got the same ID later does not count.
  static func isRunning(_ process: Int32, start: String? = nil) -> Bool {
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    guard let start, let found = self.start(of: process) else { return true }
    return start == found
  }

  /// Identifies the start of a running process; nil if the system does not state it.
  ///
  /// - Source: Linux, Documentation/filesystems/proc.rst, field 22 of `stat`, the clock ticks from
  ///   the start of the system, which `boot_id` identifies.
  static func start(of process: Int32) -> String? {
    let boot = KernelFile.text("/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" }
    // The second field, the program's name in parentheses, may contain spaces.
    let stat = KernelFile.text("/proc/\(process)/stat")
    let fields = stat.split(separator: ")").last?.split(separator: " ")
    guard !boot.isEmpty, let fields, fields.count > 19 else { return nil }
    return "\(boot) \(fields[19])"
  }
}
