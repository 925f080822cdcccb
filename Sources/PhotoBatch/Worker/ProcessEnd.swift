import Glibc

/// How a process ended.
struct ProcessEnd: CustomStringConvertible {
  private let status: Int32

  /// A status of waitpid.
  init(_ status: Int32) { self.status = status }

  private var signal: Int32 { status & 0x7F }

  /// Whether a process that nobody here killed had no memory left: the kernel kills it, or GLib lets
  /// it trap where memory cannot be had.
  var isLackOfMemory: Bool { signal == SIGKILL || signal == SIGTRAP }

  var description: String {
    if signal == 0 { return "it ended with code \(status >> 8 & 0xFF)" }
    let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? ""
    return "it was ended by signal \(signal) (\(name))"
  }
}
