import Foundation
import PhotoRender
import Synchronization
import Testing

@testable import PhotoBatch

/// Admission decides which photos may begin, and when, so that all of them together do not exceed
/// the memory.
@Suite struct AdmissionTests {
  private static let megabyte = 1 << 20

  /// An admission with 400 megabytes for photos, in addition to two idle workers and the
  /// coordinator.
  private static func admission(threads: Int = 4) -> Admission {
    Admission(budget: 464 * megabyte + 2 * MemoryNeeds.idle, workers: 2, threads: threads)
  }

  /// The needs of a photo that uses this many megabytes more than an idle worker.
  private static func needs(_ megabytes: Int, spilled: Int? = nil) -> MemoryNeeds {
    MemoryNeeds(
      usual: megabytes * megabyte + MemoryNeeds.idle,
      spilled: (spilled ?? megabytes) * megabyte + MemoryNeeds.idle, perThread: 10 * megabyte)
  }

  @Test func photosThatFitIntoTheMemoryBeginAtOnce() throws {
    let admission = Self.admission()
    let first = try #require(admission.admit(Self.needs(200), megapixels: 12, .first))
    let second = try #require(admission.admit(Self.needs(200), megapixels: 12, .first))
    #expect(!first.isAlone && !second.isAlone)
    #expect(first.allowance == Allowance())
    #expect(first.bytes == 200 * Self.megabyte + MemoryNeeds.idle)
    admission.giveBack(first)
    admission.giveBack(second)
  }

  /// The more memory the coordinator needs, the less is left for photos.
  ///
  /// The coordinator needs much memory for a large library without an index.
  @Test func aCoordinatorThatUsesMuchMemoryLeavesLessMemoryForPhotos() throws {
    let admission = Self.admission()
    admission.makeRoom(coordinator: 164 * Self.megabyte, photos: 0)
    let first = try #require(admission.admit(Self.needs(300), megapixels: 12, .first))
    #expect(!first.isAlone)
    admission.giveBack(first)
    #expect(try #require(admission.admit(Self.needs(301), megapixels: 12, .first)).isAlone)
    // If the coordinator needs less memory than is reserved for it, photos have the usual memory.
    let small = Self.admission()
    small.makeRoom(coordinator: 1, photos: 10)
    #expect(try !#require(small.admit(Self.needs(400), megapixels: 12, .first)).isAlone)
    // The coordinator's memory for the decision about each photo is reserved in advance.
    let busy = Self.admission()
    busy.makeRoom(coordinator: 64 * Self.megabyte, photos: 1_000_000)
    #expect(try #require(busy.admit(Self.needs(1), megapixels: 12, .first)).allowance.isRefused)
  }

  /// Requests admission on its own thread.
  private final class Asker: Sendable {
    private let answer = Mutex<Admission.Grant??>(nil)

    init(
      _ admission: Admission, _ needs: MemoryNeeds, _ attempt: Admission.Attempt = .first
    ) {
      let before = admission.waiting
      Thread.detachNewThread {
        let grant = admission.admit(needs, megapixels: 12, attempt)
        self.answer.withLock { $0 = .some(grant) }
      }
      // Waits until the request is queued, so that requests keep their order.
      while admission.waiting <= before && !isAnswered { sched_yield() }
    }

    var isAnswered: Bool { answer.withLock { $0 != nil } }

    /// Waits for the answer.
    var grant: Admission.Grant? {
      while !isAnswered { sched_yield() }
      return answer.withLock { $0 } ?? nil
    }
  }

  @Test func aPhotoThatNeedsMoreThanTheFreeMemoryWaitsAndIsNotOvertaken() throws {
    let admission = Self.admission()
    let first = try #require(admission.admit(Self.needs(300), megapixels: 12, .first))
    let large = Asker(admission, Self.needs(200))
    #expect(!large.isAnswered)
    // The small photo would fit, but the large photo came first.
    let small = Asker(admission, Self.needs(10))
    #expect(!small.isAnswered)
    admission.giveBack(first)
    #expect(large.grant != nil)
    #expect(small.grant != nil)
  }

  @Test func aPhotoThatNeedsMoreThanAllMemoryRunsAloneOrIsRefused() throws {
    let admission = Self.admission()
    let first = try #require(admission.admit(Self.needs(1), megapixels: 12, .first))
    let huge = Asker(admission, Self.needs(500, spilled: 300))
    #expect(!huge.isAnswered, "something runs")
    admission.giveBack(first)
    let grant = try #require(huge.grant)
    #expect(grant.isAlone && grant.allowance.spills && !grant.allowance.isRefused)
    #expect(grant.bytes == 400 * Self.megabyte + MemoryNeeds.idle)
    let other = Asker(admission, Self.needs(1))
    #expect(!other.isAnswered, "it is alone")
    admission.giveBack(grant)
    admission.giveBack(try #require(other.grant))
    // The photo is not refused, because a prediction may be up to twice the actual memory.
    let doubtful = admission.admit(Self.needs(5000, spilled: 800), megapixels: 12, .first)
    #expect(doubtful?.allowance.isRefused == false)
    admission.giveBack(try #require(doubtful))
    let hopeless = admission.admit(Self.needs(5000, spilled: 900), megapixels: 12, .first)
    #expect(hopeless?.allowance.isRefused == true)
  }

  @Test func theSecondAttemptAtAPhotoRunsAlone() throws {
    let admission = Self.admission()
    let first = try #require(admission.admit(Self.needs(1), megapixels: 12, .first))
    let again = Asker(admission, Self.needs(10), .alone)
    #expect(!again.isAnswered)
    admission.giveBack(first)
    let grant = try #require(again.grant)
    #expect(grant.isAlone && !grant.allowance.spills)
    admission.giveBack(grant)
    let spilled = try #require(admission.admit(Self.needs(10), megapixels: 12, .spilled))
    #expect(spilled.isAlone && spilled.allowance.spills)
  }

  @Test func aHugePhotoGetsAllThreadsIfNothingElseRuns() throws {
    let admission = Self.admission()
    let huge = try #require(admission.admit(Self.needs(100), megapixels: 100, .first))
    #expect(huge.allowance.threads == 4)
    #expect(huge.bytes == 130 * Self.megabyte + MemoryNeeds.idle)
    let second = try #require(admission.admit(Self.needs(100), megapixels: 100, .first))
    #expect(second.allowance.threads == 1)
    admission.giveBack(huge)
    admission.giveBack(second)
    let tight = try #require(admission.admit(Self.needs(390), megapixels: 100, .first))
    #expect(tight.allowance.threads == 1, "the threads would not fit")
    admission.giveBack(tight)
    let usual = try #require(admission.admit(Self.needs(100), megapixels: 99, .first))
    #expect(usual.allowance.threads == 1)
  }

  @Test func stoppingTheAdmissionEndsAllWaitingRequests() throws {
    let admission = Self.admission()
    let first = try #require(admission.admit(Self.needs(400), megapixels: 12, .first))
    let waiting = Asker(admission, Self.needs(400))
    #expect(!waiting.isAnswered)
    admission.stop()
    #expect(waiting.grant == nil)
    #expect(admission.admit(Self.needs(1), megapixels: 12, .first) == nil)
    admission.giveBack(first)
  }

  @Test func aRunWithLittleMemoryHasFewWorkers() {
    #expect(Admission.workers(8, budget: 16 << 30) == 8)
    #expect(Admission.workers(8, budget: 64 * Self.megabyte + 6 * MemoryNeeds.idle) == 3)
    #expect(Admission.workers(8, budget: 1) == 1)
  }

  @Test func memoryAllowancesAndNeedsAreEncodedAsJSONWithoutLoss() {
    for allowance in [
      Allowance(), Allowance(threads: 7, spills: true), Allowance(isRefused: true),
      Allowance(room: 1 << 33, besides: 1 << 20),
    ] {
      #expect(Allowance(allowance.json) == allowance)
    }
    let needs = MemoryNeeds(usual: 3 << 30, spilled: (2 << 30) + 1, perThread: 5)
    #expect(MemoryNeeds(needs.json) == needs)
    #expect(MemoryNeeds(MemoryNeeds(usual: -1, spilled: 0).json) == nil)
    #expect(Allowance().refusal(of: needs, remedy: "") == nil)
    let allowance = Allowance(
      room: 1 << 30, besides: 100 * Self.megabyte, isRefused: true)
    guard
      case .failed(.outOfMemory, let message, let hint) = allowance.refusal(of: needs, remedy: "")
    else {
      Issue.record("not refused")
      return
    }
    #expect(message == "about 2049 MB of memory are needed, but only 1024 MB are available")
    // The value in the hint includes the memory of the rest of the run.
    #expect(hint.contains("--memory 2149M,"))
    #expect(allowance.budget(for: 1 << 30) == nil)
  }
}
