import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension PhotoFailure {
  /// Converts the failure of a worker to a failure of the photo.
  init(_ failure: WorkerProcess.Failure) {
    switch failure {
    case .refused(let reason, let message, let hint): self.init(reason, message, hint: hint)
    case .crashed(let end):
      self.init(
        .decoderCrash, "the decoder crashed: \(end)",
        hint: "do not trust the file: it may be malicious")
    case .outOfMemory(let how):
      self.init(
        .outOfMemory, how,
        hint: "raise the limit with --memory, or make the photo smaller in an early step")
    case .timedOut(let time):
      self.init(
        .timeout, "rendering took more than \(time.components.seconds.counting("second"))",
        hint: "give each photo more time with --timeout")
    case .stopped:
      self.init(.skipped)
      isCancelled = true
    case .neverBegan(let end):
      self.init(
        .decoderCrash, "a worker did not start: \(end)", hint: "run 'phbatch doctor'",
        code: .internalError)
    case .isNoWorker(let program):
      self.init(
        .decoderCrash, "no worker can be started: '\(program)' cannot be a worker",
        hint: Worker.missingCall, code: .internalError)
    case .noScratch(let errno):
      self.init(
        .writeFailed,
        "temporary files cannot be written to '\(FilePath(ScratchFolder.parent).displayed)':"
          + " \(errno)",
        hint: "set TMPDIR to a writable folder", code: .cannotCreate)
    case .unwritable(let errno):
      self.init(
        .writeFailed, "a rendition cannot be written: \(errno)",
        hint: FileSystemError(.write, "", errno).hint, code: ExitCode(errno))
    case .cannotStart(let errno):
      self.init(
        .decoderCrash, "no worker can be started: \(errno)", code: ExitCode(errno))
    }
  }
}
