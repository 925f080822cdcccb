import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// What ends the work on one photo; the run goes on with the others.
struct PhotoFailure: Error, Hashable {
  var reason: Reason
  var detail: String?
  var hint: String?
  var code: ExitCode?
  /// What a person set by hand would be lost, and `--yes` would allow it.
  var needsConsent = false
  /// The run is being stopped: the photo counts for nothing.
  var isCancelled = false
  /// A file of the photo's went away between two looks.
  var isGone = false

  init(_ reason: Reason, _ detail: String? = nil, hint: String? = nil, code: ExitCode? = nil) {
    self.reason = reason
    self.detail = detail
    self.hint = hint
    self.code = code
  }

  /// The reason for an error of the file system, or of publishing.
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

  /// The reason for what became of a worker.
  init(_ failure: WorkerProcess.Failure) {
    switch failure {
    case .refused(let reason, let message, let hint): self.init(reason, message, hint: hint)
    case .crashed(let end):
      self.init(
        .decoderCrash, "the decoder crashed: \(end)", hint: "the file may be hostile")
    case .outOfMemory(let how):
      self.init(
        .outOfMemory, how, hint: "raise it with --memory, or make the photo smaller early on")
    case .timedOut(let time):
      self.init(
        .timeout, "it took more than \(time.components.seconds.counting("second"))",
        hint: "give each photo more time with --timeout")
    case .stopped:
      self.init(.skipped)
      isCancelled = true
    case .neverBegan(let end):
      self.init(
        .decoderCrash, "a worker did not start: \(end)", hint: "look at 'phbatch doctor'",
        code: .internalError)
    case .noScratch(let errno):
      self.init(
        .encodeFailed,
        "there is no place for temporary files: '\(FilePath(ScratchFolder.parent).displayed)': \(errno)",
        hint: "let TMPDIR name a folder that may be written to", code: .cannotCreate)
    case .cannotStart(let errno):
      self.init(
        .decoderCrash, "no worker could be started: \(errno)", code: ExitCode(errno))
    }
  }

  /// A photo that is gone is its own failure; what else the system refuses decides on the exit code.
  private mutating func take(_ failure: FileSystemError) {
    switch (failure.errno, failure.call) {
    case (.noSuchFileOrDirectory, _): (reason, isGone) = (.fileMissing, true)
    case (_, .open), (_, .read), (_, .describe), (_, .list): code = ExitCode(failure.errno)
    default: (reason, code) = (.encodeFailed, ExitCode(failure.errno))
    }
  }

  /// Runs `body`, and says what its error means for the photo.
  static func attempt<Result>(_ body: () throws -> Result) throws(PhotoFailure) -> Result {
    do { return try body() } catch { throw PhotoFailure(error) }
  }
}
