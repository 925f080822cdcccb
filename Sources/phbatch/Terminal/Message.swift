import Foundation
import PhotoRecipes

/// What is said to a person, on stderr.
enum Message {
  static func error(_ error: any UserError) {
    if error is InvalidDocument { return say("\(error)") }
    say("Error: \(error.message)")
    if !error.hint.isEmpty { say("  hint: \(error.hint)") }
  }

  static func say(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
