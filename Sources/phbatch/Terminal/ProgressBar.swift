import FoundationEssentials
import Glibc
import Notation

/// A progress bar on one line of the terminal; the command uses it only if stderr is a terminal.
struct ProgressBar {
  private let total: Int
  private let start = ContinuousClock.now
  private var done = 0
  private var shown = ContinuousClock.now
  /// The text behind the numbers; empty if there is none.
  private var note = ""

  /// True if stderr is a terminal that can move its cursor.
  static var isPossible: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  init(total: Int) { self.total = total }

  /// Shows a text, such as the frames of a film that are done, until the next photo is done.
  mutating func note(_ text: String) {
    note = text
    shown = .now
    draw()
  }

  mutating func advance() {
    done += 1
    note = ""
    if shown.duration(to: .now) < .milliseconds(100) && done < total { return }
    shown = .now
    draw()
  }

  func clear() { Message.draw("\r\u{1B}[K") }

  private func draw() {
    let share = total == 0 ? 1 : Double(done) / Double(total)
    let filled = Int(share * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    let elapsed = start.duration(to: .now).seconds
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    let left = rate > 0 ? Double(total - done) / rate : 0
    let speed = rate.fixed(1)
    let end = note.isEmpty ? "\(speed) photos/s  \(Self.clock(left)) left" : note
    Message.draw("\r\u{1B}[K\(bar) \(done)/\(total)  \(end)")
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999))
    return whole >= 3600
      ? "\(whole / 3600):\(twoDigits(whole / 60 % 60)):\(twoDigits(whole % 60))"
      : "\(whole / 60):\(twoDigits(whole % 60))"
  }

  private static func twoDigits(_ number: Int) -> String {
    (number < 10 ? "0" : "") + "\(number)"
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
