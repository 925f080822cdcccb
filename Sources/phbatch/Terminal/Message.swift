import Foundation
import Notation
import PhotoRecipes
import Synchronization
import SystemPackage

/// What is said while a command runs: messages on stderr, results on stdout.
enum Message {
  /// What kept a result from being written.
  private static let obstacle = Mutex<Errno?>(nil)

  static func error(_ error: any UserError) {
    if error is InvalidDocument { return say("\(error)") }
    say("Error: \(error.message)")
    if !error.hint.isEmpty { say("  hint: \(error.hint)") }
  }

  /// The work goes on though nobody listens, or the disk of a log is full.
  static func say(_ text: String) { try? write(text, to: .standardError) }

  /// Writes a result at once: who reads through a pipe hears of it when it happens.
  ///
  /// The work goes on where that fails, and the command's end tells of it.
  static func result(_ text: String) {
    do throws(Errno) { try write(text, to: .standardOutput) } catch {
      obstacle.withLock { $0 = $0 ?? error }
    }
  }

  /// Why stdout lacks some of the results, if it does; to be asked when all are written.
  static func lostResults() -> Errno? {
    let flushed = fflush(nil)
    let code = errno
    return obstacle.withLock { $0 } ?? (flushed == 0 ? nil : Errno(rawValue: code))
  }

  private static func write(_ text: String, to file: FileDescriptor) throws(Errno) {
    do { try file.writeAll(Array((text + "\n").utf8)) } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
