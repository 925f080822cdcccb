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
  static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}
