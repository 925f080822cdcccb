import Foundation
import PhotoRecipes
import PhotoRender
import Synchronization

/// The lanes of a command: each photo goes to the first that is free.
final class Crew: Sendable {
  private let lanes: [Lane]
  private let admission: Admission
  private let state = Mutex(false)

  /// With `needsFonts` workers may read the fonts of the system from the start.
  init(_ options: BatchOptions, needsFonts: Bool = false) {
    let admission = Admission(options)
    self.admission = admission
    ForkedWorkers.keep(admission.workers)
    lanes = (0..<admission.workers).map { _ in
      Lane(
        executable: options.workerExecutable, needsFonts: needsFonts, admission: admission)
    }
  }

  var isStopped: Bool { state.withLock { $0 } }

  /// By when the last of the requests that are under way comes to an end; nil: there are none.
  var deadline: ContinuousClock.Instant? { lanes.compactMap(\.worker.deadline).max() }

  /// Ends what is under way, at once.
  func stop() {
    state.withLock { $0 = true }
    admission.stop()
    for lane in lanes { lane.worker.stop() }
  }

  /// Leaves the coordinator what it takes of the memory, before it decides about so many photos.
  func makeRoom(photos: Int) {
    let bytes = ProcessMemory.proportionalSize(of: getpid()) ?? 0
    admission.makeRoom(coordinator: bytes, photos: photos)
  }

  /// Does `body` for every photo, and returns when the last is done or the crew is stopped.
  ///
  /// `body` runs on the thread of a lane, with the lane's worker. Cancelling the task stops the crew.
  /// After `end` no photo is begun, and none but the first while `isWanted` says that others wait:
  /// one that is waited for always gets on. Returns whether all had their turn.
  @discardableResult
  func run(
    _ assets: [Asset], until end: ContinuousClock.Instant? = nil,
    givingWay isWanted: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (Asset, WorkerProcess) -> Void
  ) async -> Bool {
    let agenda = Agenda(assets)
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        for lane in lanes.prefix(max(1, assets.count)) {
          group.addTask {
            // One stay on the lane's thread: most photos need less time than the way there.
            await lane.run {
              while !self.isStopped, end.map({ .now < $0 }) ?? true,
                agenda.isUntouched || !isWanted(), let asset = agenda.next()
              {
                body(asset, lane.worker)
              }
            }
          }
        }
      }
    } onCancel: {
      stop()
    }
    return agenda.isEmpty
  }

  /// Ends the workers of lanes that have nothing to do; the next photo starts new ones.
  func rest() async {
    for lane in lanes { await lane.run { lane.worker.rest() } }
  }

  /// Opens the files that a recipe names; a worker that looks at them renders photos later.
  ///
  /// Cancelling the task stops the crew.
  ///
  /// - Throws: `InvalidDocument` with all that is wrong with them, and with the texts that are drawn;
  ///   `UncheckedRecipe`; `CancellationError`.
  func open(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> NamedFiles {
    try await withTaskCancellationHandler {
      try await lanes[0].open(recipe, document, options)
    } onCancel: {
      stop()
    }
  }

  /// The same while the calling thread waits, and nothing is rendered.
  ///
  /// After a recipe that is invalid the worker is not kept: there may be no photos for it.
  func openNow(
    _ recipe: Recipe, _ document: RecipeDocument, _ options: BatchOptions
  ) throws -> NamedFiles {
    let lane = lanes[0]
    return try lane.runNow {
      do { return try NamedFiles(recipe, document, options, asking: lane.worker) } catch {
        lane.worker.rest()
        throw error
      }
    }
  }

  /// Starts a worker and looks at what shuts it in.
  func checkSandbox() async throws {
    guard let lane = lanes.first else { return }
    let sandbox = await lane.run {
      Result { () throws(WorkerProcess.Failure) in try lane.worker.sandbox() }
    }
    guard case .success(let sandbox) = sandbox, sandbox.isWhole else {
      throw SandboxMissing((try? sandbox.get()) ?? Sandbox())
    }
  }
}

/// What is left to do: the one thing that lanes share.
private final class Agenda: Sendable {
  private let assets: [Asset]
  private let done = Atomic(0)

  init(_ assets: [Asset]) { self.assets = assets }

  var isUntouched: Bool { done.load(ordering: .relaxed) == 0 }
  var isEmpty: Bool { done.load(ordering: .relaxed) >= assets.count }

  func next() -> Asset? {
    let index = done.add(1, ordering: .relaxed).oldValue
    return index < assets.count ? assets[index] : nil
  }
}
