import Glibc
import SystemPackage

/// The memory of a process, as the kernel counts it.
enum ProcessMemory {
  /// The proportional set size in bytes: its own pages, and its part of those that it shares.
  ///
  /// Nil for a process that is gone, or where the kernel does not tell.
  ///
  /// - Source: Linux, Documentation/filesystems/proc.rst, `smaps_rollup`.
  static func proportionalSize(of process: pid_t) -> Int? { sizes(of: process)["Pss"] }

  /// The part of that which nobody can have before the process gives it back: without pages of files
  /// on a disk, which the kernel takes when it needs room.
  static func heldSize(of process: pid_t) -> Int? {
    let sizes = sizes(of: process)
    return sizes["Pss"].map { $0 - (sizes["Pss_File"] ?? 0) }
  }

  /// What the kernel tells of a process, in bytes; nothing of one that is gone.
  private static func sizes(of process: pid_t) -> [Substring: Int] {
    let path = FilePath("/proc/\(process)/smaps_rollup")
    guard let file = try? FileDescriptor.open(path, .readOnly) else { return [:] }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe try? file.read(into: $0) }
    let text = String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
    var sizes: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { continue }
      sizes[words[0].dropLast()] = kilobytes << 10
    }
    return sizes
  }
}
