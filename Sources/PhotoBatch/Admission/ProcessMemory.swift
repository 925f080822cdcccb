import Glibc
import SystemPackage

/// The memory of a process, as the kernel counts it.
enum ProcessMemory {
  /// The proportional set size in bytes: its own pages, and its part of those that it shares.
  ///
  /// Nil for a process that is gone, or where the kernel does not tell.
  ///
  /// - Source: Linux, Documentation/filesystems/proc.rst, `smaps_rollup`.
  static func proportionalSize(of process: pid_t) -> Int? { size("Pss:", of: process) }

  /// The part of that which nobody can have before the process gives it back: without pages of files
  /// on a disk, which the kernel takes when it needs room.
  static func heldSize(of process: pid_t) -> Int? {
    guard let whole = size("Pss:", of: process) else { return nil }
    return whole - (size("Pss_File:", of: process) ?? 0)
  }

  private static func size(_ key: String, of process: pid_t) -> Int? {
    let path = FilePath("/proc/\(process)/smaps_rollup")
    guard let file = try? FileDescriptor.open(path, .readOnly) else { return nil }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe try? file.read(into: $0) }
    guard let count else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
    let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return kilobytes.map { $0 << 10 }
  }
}
