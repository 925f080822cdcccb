import Glibc
import PhotoLibrary

/// The memory of a process, as the kernel reports it.
enum ProcessMemory {
  /// The proportional set size in bytes: the process's own pages, and its share of shared pages.
  ///
  /// Nil for a process that has ended, or if the kernel does not report the size.
  ///
  /// - Source: Linux, Documentation/filesystems/proc.rst, `smaps_rollup`.
  static func proportionalSize(of process: pid_t) -> Int? { sizes(of: process)["Pss"] }

  /// True if the proportional set size, without pages of files on disk, which the kernel can reclaim,
  /// is above `limit`.
  static func unreclaimableSize(of process: pid_t, isAbove limit: Int) -> Bool {
    if let pages = residentPages(of: process), pages * Int(getpagesize()) <= limit { return false }
    let sizes = sizes(of: process)
    return (sizes["Pss"] ?? 0) - (sizes["Pss_File"] ?? 0) > limit
  }

  /// True if the proportional set size is above `limit`.
  ///
  /// The resident set size, which the kernel knows without a walk over all pages, is never smaller
  /// and decides most cases.
  ///
  /// - Source: Linux, Documentation/filesystems/proc.rst, `statm`.
  static func proportionalSize(of process: pid_t, isAbove limit: Int) -> Bool {
    if let pages = residentPages(of: process), pages * Int(getpagesize()) <= limit { return false }
    return proportionalSize(of: process) ?? 0 > limit
  }

  private static func residentPages(of process: pid_t) -> Int? {
    let words = KernelFile.text("/proc/\(process)/statm").split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  /// The sizes that the kernel reports of a process, in bytes; empty if it has ended.
  private static func sizes(of process: pid_t) -> [Substring: Int] {
    var sizes: [Substring: Int] = [:]
    for line in KernelFile.text("/proc/\(process)/smaps_rollup").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { continue }
      sizes[words[0].dropLast()] = kilobytes << 10
    }
    return sizes
  }
}

/// The exit status of a process.
struct ProcessEnd: CustomStringConvertible {
  private let status: Int32

  /// Creates the value from a status that waitpid returned.
  init(_ status: Int32) { self.status = status }

  private var signal: Int32 { status & 0x7F }

  /// The exit code; nil if a signal ended the process.
  var code: Int32? { signal == 0 ? status >> 8 & 0xFF : nil }

  /// True if the process ended with code 0.
  var isSuccess: Bool { status == 0 }

  /// True if the user stopped the process, or a shell whose command the user stopped.
  var isInterrupted: Bool { signal == SIGINT || status == 130 << 8 }

  /// True if the process ran out of memory: the kernel then ends it with SIGKILL, or GLib with
  /// SIGTRAP after a failed allocation.
  ///
  /// Valid only for a process that phbatch did not kill.
  var isLackOfMemory: Bool { signal == SIGKILL || signal == SIGTRAP }

  var description: String {
    if let code { return "it ended with code \(code)" }
    let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? ""
    return "it was ended by signal \(signal) (\(name))"
  }
}
