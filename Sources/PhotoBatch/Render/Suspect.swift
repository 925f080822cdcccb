import PhotoLibrary
import PhotoRecipes

/// A file that is about to be handed to a worker, seen as what may end it.
struct Suspect {
  let file: OpenFile
  /// In bytes.
  let size: Int
  /// The settings digest, or what else was asked of the worker.
  let settings: String
  let engine: String
  let context: EditContext

  /// Throws where an earlier run ended badly, and this one would too.
  func check() throws(PhotoFailure) {
    let known = context.poison.entries(size: size).filter {
      $0.forbids(engine, settings, limits)
    }
    if known.isEmpty { return }
    let sha256 = try digest()
    guard let entry = known.last(where: { $0.sha256 == sha256 }) else { return }
    throw PhotoFailure(
      entry.reason, "\(entry.detail); remembered from an earlier run",
      hint: "say --refresh to try it again")
  }

  /// Remembers a failure that trying again would not mend.
  func remember(_ failure: PhotoFailure) {
    guard [.decoderCrash, .outOfMemory, .timeout].contains(failure.reason), failure.code == nil,
      !failure.isCancelled, let sha256 = try? digest()
    else { return }
    let limit = limits[failure.reason]
    context.poison.add(
      Poison.Entry(
        sha256: sha256, size: size, engine: engine, reason: failure.reason,
        detail: failure.detail ?? "", settings: limit == nil ? nil : settings, limit: limit))
  }

  private var limits: [Reason: Int] {
    [
      .timeout: Int(context.options.timeout.components.seconds),
      .outOfMemory: context.options.memory ?? MemoryBudget.standard,
    ]
  }

  private func digest() throws(PhotoFailure) -> String {
    try PhotoFailure.attempt { "\(try Digest(of: file, in: context.root.library))" }
  }
}
