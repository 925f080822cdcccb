import Foundation
import Glibc

/// The progress of a run in one line on a terminal; not used if stderr is not a terminal.
struct ProgressBar {
  private let total: Int
  private let start = ContinuousClock.now
  private var done = 0
  private var shown = ContinuousClock.now

  /// True if stderr is a terminal that can move its cursor.
  static var isPossible: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  init(total: Int) { self.total = total }

  mutating func advance() {
    done += 1
    if shown.duration(to: .now) < .milliseconds(100) && done < total { return }
    shown = .now
    draw()
  }

  func clear() { write("\r\u{1B}[K") }

  private func draw() {
    let share = total == 0 ? 1 : Double(done) / Double(total)
    let filled = Int(share * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    let elapsed = start.duration(to: .now).seconds
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    let left = rate > 0 ? Double(total - done) / rate : 0
    let speed = String(format: "%.1f", rate)
    write("\r\u{1B}[K\(bar) \(done)/\(total)  \(speed) photos/s  \(Self.clock(left)) left")
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999))
    return whole >= 3600
      ? String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
      : String(format: "%d:%02d", whole / 60, whole % 60)
  }

  private func write(_ text: String) {
    // Errors are ignored, because the progress bar is not a result.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
