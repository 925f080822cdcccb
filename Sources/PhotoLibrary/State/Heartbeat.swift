import Dispatch
import Synchronization
import SystemPackage

/// A file whose bytes change every few seconds while a process holds a lock.
///
/// On a file system whose locks do not exclude other machines, a second process gets the lock while
/// the first still holds it. The second process detects the first one, because the bytes still
/// change.
final class Heartbeat: Sendable {
  static let interval = Duration.seconds(5)
  /// The time within which a running process certainly changes the bytes.
  ///
  /// On NFS, a process that opens a file sees the bytes that another machine wrote before it closed
  /// the file.
  static let patience = Duration.seconds(16)

  private let files: RealFileSystem
  private let path: FilePath
  private let interval: Duration
  private let queue = DispatchQueue(label: "phbatch.heartbeat")
  /// The number of beats; nil after the end.
  private let count = Mutex<Int?>(0)

  init(_ path: FilePath, in files: RealFileSystem, every interval: Duration = interval) {
    (self.files, self.path, self.interval) = (files, path, interval)
    // The first bytes are written before the lock note, because other processes read them once
    // there is a lock note.
    beat()
  }

  private func beat() {
    let number = count.withLock { count in
      count = count.map { $0 + 1 }
      return count
    }
    guard let number else { return }
    // Errors are ignored, so that the process continues on a full disk, without a heartbeat.
    try? files.replace(path, with: Array("\(number)\n".utf8))
    let milliseconds = Int(interval / .milliseconds(1))
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      self?.beat()
    }
  }

  func end() { count.withLock { $0 = nil } }

  /// True if the bytes of the file at a path change within the time `patience`.
  static func isBeating(
    _ path: FilePath, in files: RealFileSystem, for patience: Duration = patience
  ) async throws -> Bool {
    let end = ContinuousClock.now + patience
    guard let first = try? files.read(path, limit: 64) else { return false }
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(500))
      if let next = try? files.read(path, limit: 64), next != first { return true }
    }
    return false
  }
}
