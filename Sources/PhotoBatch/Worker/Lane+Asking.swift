import PhotoLibrary
import PhotoRecipes
import PhotoRender

extension Lane {
  /// The one lane of a command that renders nothing: its worker may take what one of a run may.
  init(alone options: BatchOptions, needsFonts: Bool) {
    self.init(
      executable: options.workerExecutable, needsFonts: needsFonts, admission: Admission(options))
  }

  /// Opens the files that a recipe names, and lets the worker look at them.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`; `CancellationError` when the worker was stopped.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    let opened = await run {
      Result { try NamedFiles(recipe, document, options, asking: worker) }
    }
    return try opened.get()
  }

  /// Asks a worker one thing after the other; each may take so long.
  func askAll(
    _ requests: [WorkerRequest], _ files: [OpenFile], time: Duration = .seconds(120)
  ) async -> [Result<WorkerReply, any Error>] {
    await run {
      requests.map { request in
        Result {
          do throws(WorkerProcess.Failure) {
            return try OpenFile.withDescriptors(of: files) {
              descriptors throws(WorkerProcess.Failure) in
              try worker.ask(request, descriptors: descriptors, time: time)
            }
          } catch { throw UnreadablePhoto(error) }
        }
      }
    }
  }
}

/// A photo that a command was asked about and that a worker could not read.
struct UnreadablePhoto: CommandError {
  let message: String
  let hint: String
  let code: ExitCode

  init(_ failure: WorkerProcess.Failure) {
    code = PhotoFailure(failure).code ?? .assetFailed
    switch failure {
    case .refused(_, let message, let hint): (self.message, self.hint) = (message, hint)
    case .crashed(let end):
      (message, hint) = ("the decoder crashed: \(end)", "do not trust the file")
    case .outOfMemory(let how): (message, hint) = (how, "do not trust the file")
    case .timedOut:
      (message, hint) = ("the decoder did not come to an end", "do not trust the file")
    case .stopped: (message, hint) = ("stopped", "run again")
    case .neverBegan(let end): (message, hint) = ("a worker did not start: \(end)", "")
    case .cannotStart(let errno): (message, hint) = ("no worker could be started: \(errno)", "")
    case .noScratch:
      let known = PhotoFailure(failure)
      (message, hint) = (known.detail ?? "", known.hint ?? "")
    }
  }
}
