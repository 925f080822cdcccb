import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// An error that ends the work on one photo; the run continues with the others.
struct PhotoFailure: Error, Hashable {
  var reason: Reason
  var detail: String?
  var hint: String?
  var code: ExitCode?
  /// True if a user's edits would be lost; `--yes` allows their loss.
  var needsConsent = false
  /// True if the run is being stopped; the photo is then not counted.
  var isCancelled = false
  /// True if a file of the photo disappeared during the run.
  var isGone = false

  init(_ reason: Reason, _ detail: String? = nil, hint: String? = nil, code: ExitCode? = nil) {
    self.reason = reason
    self.detail = detail
    self.hint = hint
    self.code = code
  }

  /// Returns the failure of a photo whose renditions a user has changed; they are kept.
  static func modified(_ renditions: [FilePath]) -> PhotoFailure {
    let names = renditions.map { "'\($0.displayed)'" }.joined(separator: ", ")
    let (were, them, edits) =
      renditions.count == 1 ? ("was", "it", "a separate edit") : ("were", "them", "separate edits")
    return PhotoFailure(
      .modified, "\(names) \(were) changed by hand and \(were) kept",
      hint: "replace \(them) with --on-modified overwrite, or keep \(them) as \(edits) with"
        + " --on-modified adopt")
  }

  /// The warnings of the outcome: files of other formats are only counted, but a photo whose coding
  /// cannot be read is named.
  var warnings: [String] {
    reason == .unsupportedFormat ? detail.map { [$0] } ?? [] : []
  }

  /// Creates the failure from any error, mostly one of the file system or of publishing.
  init(_ error: any Error) {
    if let failure = error as? PhotoFailure {
      self = failure
      return
    }
    let known = error as? any UserError
    self.init(.unreadable, known?.message ?? "\(error)", hint: known?.hint)
    switch error {
    case PublishingError.conflict: reason = .modified
    case PublishingError.withdrawn: reason = .skipped
    case PublishingError.failed(let failure), PublishingError.unfinished(let failure):
      take(failure)
    case let failure as FileSystemError: take(failure)
    default: break
    }
  }

  /// Creates the failure of a photo that the scan did not reach because of an error.
  init(unreached error: ScanError) {
    self.init(.unreadable, error.message, hint: error.hint, code: .noPermission)
  }

  /// Sets the reason and the exit code for an error of the file system.
  ///
  /// A file that is missing or may not be opened is a failure of this photo only and sets no exit
  /// code.
  private mutating func take(_ failure: FileSystemError) {
    switch (failure.errno, failure.call) {
    case (.tooManySymbolicLinkLevels, .describe), (.tooManySymbolicLinkLevels, .create),
      (.notDirectory, .describe), (.notDirectory, .create):
      // A link or a file is in place of a folder in a rendition's path; the photo itself could be
      // opened.
      reason = .occupied
      detail = "a link or a file at '\(failure.path.displayed)' blocks the folder, and was kept"
      hint = "put a folder in its place, or change the output's path"
    case (.noSuchFileOrDirectory, _): (reason, isGone) = (.fileMissing, true)
    case (.permissionDenied, .open), (.notPermitted, .open): break
    case (_, .open), (_, .read), (_, .describe), (_, .list): code = ExitCode(failure.errno)
    default: (reason, code) = (.writeFailed, ExitCode(failure.errno))
    }
  }

  /// Runs `body`, and converts its error to a failure of the photo.
  static func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    do { return try body() } catch { throw PhotoFailure(error) }
  }
}

extension BatchOptions {
  /// Throws if a strict run has warnings about a photo's renditions.
  func refuse(_ warnings: [String]) throws(PhotoFailure) {
    if !isStrict || warnings.isEmpty { return }
    throw PhotoFailure(
      .warned, warnings.joined(separator: "; "), hint: "remove the cause, or run without --strict")
  }
}
