import Synchronization

/// What is worth a word and shows only while a photo is rendered, each once.
final class RemarkLog: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) {
    lines.withLock { lines in if !lines.contains(line) { lines.append(line) } }
  }
}
