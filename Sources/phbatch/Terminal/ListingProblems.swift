import Notation
import PhotoBatch

/// The errors of folders and files that a command could not read while it listed photos.
struct ListingProblems {
  private(set) var isEmpty = true

  /// Prints a warning.
  mutating func warn(_ problem: any UserError) {
    isEmpty = false
    Message.say("warning: \(problem)")
  }

  /// Ends a command that listed photos with these reasons; as in a run, a folder or file that could
  /// not be read determines the exit code.
  func end(_ reasons: [Reason]) throws(PhotoBatch.ExitCode) {
    if !isEmpty { throw .noPermission }
    let worst = reasons.map(\.outcome).max() ?? .fine
    if let code = PhotoBatch.ExitCode(rawValue: Int32(worst.rawValue)), code != .success {
      throw code
    }
  }
}
