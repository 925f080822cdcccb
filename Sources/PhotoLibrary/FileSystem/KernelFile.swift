import SystemPackage

/// A small file in which the kernel describes a process or the machine, such as `/proc/1/stat`.
package enum KernelFile {
  /// The text of the file, of which at most 4096 bytes are read; empty if it cannot be read.
  package static func text(_ path: String) -> String {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return "" }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe try? file.read(into: $0) }
    return String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
  }
}
