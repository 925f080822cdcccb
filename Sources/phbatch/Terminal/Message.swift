import Foundation
import PhotoRecipes

/// What is said while a command runs: messages on stderr, results on stdout.
enum Message {
  static func error(_ error: any UserError) {
    if error is InvalidDocument { return say("\(error)") }
    say("Error: \(error.message)")
    if !error.hint.isEmpty { say("  hint: \(error.hint)") }
  }

  static func say(_ text: String) { write(text, to: .standardError) }

  /// Writes a result at once: who reads through a pipe hears of it when it happens.
  static func result(_ text: String) { write(text, to: .standardOutput) }

  private static func write(_ text: String, to file: FileHandle) {
    // The work goes on though nobody listens, or the disk of a log is full.
    try? file.write(contentsOf: Data((text + "\n").utf8))
  }
}
