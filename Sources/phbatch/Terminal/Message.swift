import Notation
import PhotoRecipes
import Synchronization
import SystemPackage

/// Writes the output of a command: messages to stderr, results to stdout.
enum Message {
  /// The first error that occurred while results were written; nil if there was none.
  private static let obstacle = Mutex<Errno?>(nil)

  static func error(_ error: any UserError) {
    if error is InvalidDocument { return say("\(error)") }
    say("Error: \(error.message)")
    if !error.hint.isEmpty { say("  hint: \(error.hint)") }
  }

  /// Writes a message to stderr.
  ///
  /// Errors are ignored, so that the command continues even if stderr is closed, or if its log file
  /// is on a full disk.
  static func say(_ text: String) { draw(text + "\n") }

  /// Writes text without a line feed to stderr, such as a progress bar; errors are ignored.
  static func draw(_ text: String) { try? write(text, to: .standardError) }

  /// Writes a result to stdout without buffering, so that a process at the other end of a pipe
  /// receives it at once.
  ///
  /// If writing fails, the command continues, and reports the error when it ends.
  static func result(_ text: String) { document(text + "\n") }

  /// Writes a result like `result`, without adding a line feed to the text.
  static func document(_ text: String) {
    do throws(Errno) { try write(text, to: .standardOutput) } catch {
      obstacle.withLock { $0 = $0 ?? error }
    }
  }

  /// The error by which some results were lost; nil if all were written.
  ///
  /// The command reads this after its last result.
  static var lostResults: Errno? { obstacle.withLock { $0 } }

  private static func write(_ text: String, to file: FileDescriptor) throws(Errno) {
    do { try file.writeAll(Array(text.utf8)) } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
