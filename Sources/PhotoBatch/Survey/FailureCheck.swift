import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Checks a file against the failure cache before a worker gets it, and records new failures.
struct FailureCheck {
  let context: EditContext
  let worker: WorkerProcess
  let file: OpenFile
  /// The settings digest of the edit; for reading only the photo's header, `header` and the
  /// recipe's inputs.
  let settings: String
  /// Returns the file's digest in hexadecimal.
  let digest: () throws(PhotoFailure) -> String

  /// Throws if an earlier run failed with this file, and this run would fail in the same way.
  func throwIfKnown() throws(PhotoFailure) {
    let entries = context.failures.entries(size: try size())
    if entries.isEmpty { return }
    let engine = try context.engine(of: worker)
    let known = entries.filter { $0.forbids(engine, settings, limits) }
    if known.isEmpty { return }
    let sha256 = try digest()
    guard let entry = known.last(where: { $0.sha256 == sha256 }) else { return }
    let retry = "use --refresh to try it again"
    throw PhotoFailure(
      entry.reason, "\(entry.detail) (result of an earlier run)",
      hint: entry.hint.map { "\($0); \(retry)" } ?? retry)
  }

  /// Records a failure that another attempt would repeat: a crash, a timeout, a lack of memory, or
  /// a photo of a kind that cannot be rendered.
  ///
  /// - Parameters:
  ///   - failure: The failure of the attempt.
  ///   - engine: The engine of the attempt; the worker may have ended since then.
  func remember(_ failure: PhotoFailure, of engine: String) {
    let lasting: [Reason] = [.decoderCrash, .outOfMemory, .timeout, .unsupportedFormat]
    guard lasting.contains(failure.reason), failure.code == nil, !failure.isCancelled,
      let sha256 = try? digest(), let size = try? size()
    else { return }
    context.failures.add(
      FailureCache.Entry(
        sha256: sha256, size: size, engine: engine, reason: failure.reason,
        detail: failure.detail ?? "",
        hint: failure.reason == .unsupportedFormat ? failure.hint : nil,
        settings: failure.reason == .decoderCrash ? nil : settings, limit: limits[failure.reason]))
  }

  private var limits: [Reason: Int] {
    [
      .timeout: Int(context.options.timeout.components.seconds),
      .outOfMemory: context.options.memory ?? MemoryBudget.standard,
    ]
  }

  private func size() throws(PhotoFailure) -> Int {
    try PhotoFailure.attempt { Int(try context.root.library.status(of: file).identity.size) }
  }
}

extension EditContext {
  /// The versions of phbatch and libvips, the rendering revision, and the installed programs and
  /// libraries; starts the worker if needed.
  func engine(of worker: WorkerProcess) throws(PhotoFailure) -> String {
    let libvips: String
    do throws(WorkerProcess.Failure) { libvips = try worker.libvips() } catch {
      throw PhotoFailure(error)
    }
    return "\(Engine.version) (\(Engine.revision)), libvips \(libvips), \(installation)"
  }
}
