import Dispatch
import FoundationEssentials
import PhotoRender
import Synchronization

/// Decides when each photo of a run may begin, so that the run stays within its memory limit.
///
/// A photo begins when its predicted memory fits into the remaining memory. Photos begin in the
/// order of their requests.
///
/// A photo with a prediction above the whole limit is tried while no other photo is rendered, and
/// images that must be buffered completely go to temporary files. The same applies to a photo whose
/// worker exceeded its prediction.
final class Admission: Sendable {
  /// The memory granted to a photo, until it is given back.
  struct Grant: Sendable {
    let allowance: Allowance
    /// The maximum number of bytes that the photo's worker may use.
    let bytes: Int
    /// True if no other photo is rendered at the same time.
    let isAlone: Bool
    fileprivate let claim: Int

    /// The message about a photo that exceeded its granted memory.
    func excess(of needs: MemoryNeeds) -> String {
      let predicted = allowance.spills ? needs.spilled : needs.usual
      let budget = allowance.budget(for: predicted).map { ", which needs --memory \($0)" }
      return
        "the photo needed more memory than the limit of \(bytes.megabytes); \(predicted.megabytes) were"
        + " predicted\(budget ?? "")"
    }
  }

  /// The way in which a photo is tried: for the first time, or again after its worker failed.
  enum Attempt: Sendable {
    case first
    /// The photo runs alone, because its worker crashed before.
    case alone
    /// The photo runs alone and with temporary files, because its worker exceeded the predicted
    /// memory.
    case spilled
  }

  private struct Request {
    let number: Int
    let megapixels: Double
    let needs: MemoryNeeds
    let attempt: Attempt
    let answered = DispatchSemaphore(value: 0)
  }

  private struct State {
    /// The bytes for all photos together, in addition to the memory of idle workers.
    var capacity: Int
    var granted = 0
    var running = 0
    var isTaken = false
    var isStopped = false
    /// The waiting requests; the first is answered first.
    var waiting: [Request] = []
    var answers: [Int: Grant] = [:]
    var lastNumber = 0
  }

  /// The number of megapixels from which a photo gets all threads if no other photo runs or waits.
  static let threadedMegapixels = 100.0
  /// The usual memory of the coordinator in bytes, measured with a library of 100,000 photos and an
  /// index of it.
  private static let coordinator = 64 << 20
  /// The coordinator's additional memory in bytes for each photo for which it makes a decision.
  private static let decided = 700

  /// The memory of the whole run in bytes.
  let budget: Int
  /// The number of workers.
  let workers: Int
  private let threads: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - budget: The bytes for the whole run, including its coordinator and its idle workers.
  ///   - workers: The number of workers.
  ///   - threads: The maximum number of threads for one photo.
  init(budget: Int, workers: Int, threads: Int) {
    self.budget = budget
    self.workers = workers
    self.threads = threads
    state = Mutex(State(capacity: budget - Self.coordinator - workers * MemoryNeeds.idle))
  }

  /// The admission of a run, with as many workers as its options and its memory allow.
  convenience init(_ options: BatchOptions) {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let budget = options.memory ?? MemoryBudget.standard
    self.init(
      budget: budget, workers: Self.workers(options.jobs ?? cores, budget: budget), threads: cores)
  }

  /// Reserves `bytes` for the coordinator, plus the memory for decisions about `photos` photos.
  ///
  /// A large library without an index needs more than the usual memory.
  func makeRoom(coordinator bytes: Int, photos: Int) {
    let coordinator = max(Self.coordinator, bytes + photos * Self.decided)
    state.withLock { $0.capacity = budget - coordinator - workers * MemoryNeeds.idle }
  }

  /// The number of workers for which a budget has enough memory, each with a small photo; at most
  /// `wanted`, at least 1.
  static func workers(_ wanted: Int, budget: Int) -> Int {
    max(1, min(wanted, (budget - coordinator) / (2 * MemoryNeeds.idle)))
  }

  /// Waits until the photo may begin; nil if the run is stopped.
  ///
  /// The caller must return the grant with `giveBack`. If the photo can never fit into the memory,
  /// the grant reserves no memory, and its allowance is marked as refused.
  func admit(_ needs: MemoryNeeds, megapixels: Double, _ attempt: Attempt) -> Grant? {
    let request = state.withLock { state in
      state.lastNumber += 1
      let request = Request(
        number: state.lastNumber, megapixels: megapixels, needs: needs, attempt: attempt)
      state.waiting.append(request)
      answer(&state)
      return request
    }
    request.answered.wait()
    return state.withLock { $0.answers.removeValue(forKey: request.number) }
  }

  func giveBack(_ grant: Grant) {
    state.withLock { state in
      state.granted -= grant.claim
      state.running -= 1
      if grant.isAlone { state.isTaken = false }
      answer(&state)
    }
  }

  /// The number of waiting photos.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Ends all waits; no more photos begin.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      answer(&state)
    }
  }

  private func answer(_ state: inout State) {
    while let request = state.waiting.first {
      if !state.isStopped {
        guard let grant = grant(request, state) else { return }
        state.answers[request.number] = grant
        state.granted += grant.claim
        state.running += 1
        if grant.isAlone { state.isTaken = true }
      }
      state.waiting.removeFirst()
      request.answered.signal()
    }
  }

  /// The grant for a request; nil if the photo must wait.
  private func grant(_ request: Request, _ state: State) -> Grant? {
    if state.isTaken { return nil }
    let needs = request.needs
    let threads = request.megapixels >= Self.threadedMegapixels ? self.threads : 1
    let isOnly = state.running == 0 && state.waiting.count == 1
    if case .first = request.attempt {
      for threads in isOnly ? [threads, 1] : [1] {
        let claim = needs.usual(threads: threads) - MemoryNeeds.idle
        if claim > state.capacity { continue }
        if state.granted + claim > state.capacity { return nil }
        return Grant(
          allowance: Allowance(threads: threads), bytes: claim + MemoryNeeds.idle, isAlone: false,
          claim: claim)
      }
    }
    let bytes = state.capacity + MemoryNeeds.idle
    var allowance = Allowance(room: bytes, besides: budget - bytes)
    if case .spilled = request.attempt { allowance.spills = true }
    if needs.usual > bytes { allowance.spills = true }
    // The prediction may be twice the actual memory, so a photo is refused only above twice the
    // limit.
    if allowance.spills && needs.spilled > 2 * bytes {
      allowance.isRefused = true
      return Grant(allowance: allowance, bytes: bytes, isAlone: false, claim: 0)
    }
    if state.running > 0 { return nil }
    return Grant(allowance: allowance, bytes: bytes, isAlone: true, claim: 0)
  }
}
