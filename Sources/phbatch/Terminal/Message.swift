import Glibc
import Notation
import PhotoRecipes
import Synchronization
import SystemPackage

/// Writes the output of a command: messages to stderr, results to stdout.
enum Message {
  /// The first error while writing a result; nil if none occurred.
  private static let obstacle = Mutex<Errno?>(nil)

  static func error(_ error: any UserError) {
    if error is InvalidDocument { return say("\(error)") }
    say("Error: \(error.message)")
    if !error.hint.isEmpty { say("  hint: \(error.hint)") }
  }

  /// Writes a message.
  ///
  /// Errors are ignored, so that the command continues even if stderr is closed or the disk of a
  /// log is full.
  static func say(_ text: String) { draw(text + "\n") }

  /// Writes text without a line feed, such as a progress bar; errors are ignored.
  static func draw(_ text: String) { try? write(text, to: .standardError) }

  /// Writes a result immediately, so that a process that reads from a pipe receives it without
  /// delay.
  ///
  /// If that fails, the command continues and reports the error at its end.
  static func result(_ text: String) {
    do throws(Errno) { try write(text + "\n", to: .standardOutput) } catch {
      obstacle.withLock { $0 = $0 ?? error }
    }
  }

  /// The error that prevented writing some results; nil if none occurred.
  ///
  /// Called after the last result.
  static func lostResults() -> Errno? {
    let flushed = fflush(nil)
    let code = errno
    return obstacle.withLock { $0 } ?? (flushed == 0 ? nil : Errno(rawValue: code))
  }

  private static func write(_ text: String, to file: FileDescriptor) throws(Errno) {
    do { try file.writeAll(Array(text.utf8)) } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
