import Foundation
import Glibc

/// Counts how often files, or folders and the files in them, are opened by any process.
final class OpenedFiles {
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK))
  private var names: [Int32: String] = [:]

  /// Begins to count; each path is counted under its own name.
  init(_ paths: [String]) {
    for path in paths {
      // Close events are requested too, because the kernel would otherwise merge consecutive open
      // events into one.
      let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE))
      precondition(watch >= 0, "cannot watch '\(path)'")
      names[watch] = path
    }
  }

  deinit { close(descriptor) }

  /// The number of times that each path was opened since the last call; paths that were not opened
  /// are left out.
  func take() -> [String: Int] {
    var counts: [String: Int] = [:]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return counts }
      var offset = 0
      while offset < count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        }
        if event.mask & UInt32(IN_OPEN) != 0, let name = names[event.wd] {
          counts[name, default: 0] += 1
        }
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
  }
}
