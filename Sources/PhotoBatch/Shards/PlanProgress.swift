import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The state of each shard of a plan.
public struct PlanProgress: Sendable, Hashable {
  public enum Shard: Sendable, Hashable {
    case missing
    /// A process is working on the shard.
    case running
    /// The shard is done, with this exit code.
    case done(ExitCode)
  }

  public let shards: [Shard]
  /// The shards that have results: a shard without photos is also done without them.
  private(set) var finished: Set<Int> = []

  /// Reads the progress from the files of the shards.
  ///
  /// - Throws: `MissingInput` if the library cannot be opened.
  public init(of plan: ShardPlan) throws {
    try plan.checkLibrary()
    let root = try OutputRoot(library: plan.library, output: plan.output)
    self.init(plan, root)
  }

  init(_ plan: ShardPlan, _ root: OutputRoot) {
    // A merge removes the files of its shards.
    if MergedPlan(plan, in: root.files)?.exit != nil {
      shards = plan.shards.map { _ in .done(.success) }
      return
    }
    var finished: Set<Int> = []
    shards = plan.shards.indices.map { index in
      let place = plan.place(of: index)
      // On NFS, another machine's new files are found for certain only after their folder was
      // opened.
      _ = try? root.files.names(in: place.state.folder)
      if let status = ShardStatus(plan, place.state, in: root.files) {
        finished.insert(index)
        return .done(status.exit)
      }
      if ShardLock.isHeld(place, in: root) { return .running }
      // A shard without photos needs no run.
      return plan.shards[index].photos == 0 ? .done(.success) : .missing
    }
    self.finished = finished
  }

  /// The shards that are not done.
  public var missing: [Int] {
    shards.indices.filter { if case .done = shards[$0] { false } else { true } }
  }

  /// The shards that must be done again: shards that are not done, and shards that failed to read
  /// or write files.
  public var retried: [Int] { unmerged().filter { shards[$0] != .running } }

  /// The shards because of which the plan cannot be merged.
  ///
  /// `acceptsErrors` leaves out shards that failed to read or write files, and `acceptsMissing`
  /// leaves out shards that are not done, unless they are running.
  func unmerged(acceptsErrors: Bool = false, acceptsMissing: Bool = false) -> [Int] {
    shards.indices.filter { index in
      switch shards[index] {
      case .missing: !acceptsMissing
      case .running: true
      case .done(let code):
        !acceptsErrors && ![.success, .assetFailed, .needsPerson].contains(code)
      }
    }
  }
}

extension [Int] {
  /// The numbers as text with ranges, such as `0,3,7-9`, which Slurm also reads.
  public var ranges: String {
    var parts: [ClosedRange<Int>] = []
    for number in sorted() {
      if let last = parts.last, last.upperBound + 1 == number {
        parts[parts.count - 1] = last.lowerBound...number
      } else {
        parts.append(number...number)
      }
    }
    return parts.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }
}
