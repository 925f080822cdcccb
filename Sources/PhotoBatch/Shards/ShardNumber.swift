import FoundationEssentials
import Notation

/// The shard that a command processes: `3`, `3/16`, or `auto` in a job of a scheduler.
public enum ShardNumber: Sendable, Hashable {
  /// A shard of a plan.
  case planned(Int)
  /// A shard without a plan, of this number of shards.
  case unplanned(Int, of: Int)
  /// The shard whose number is in an environment variable of the scheduler.
  case automatic

  /// Reads the value of `--shard`; nil if it has another form.
  public init?(_ text: String) {
    if text == "auto" {
      self = .automatic
      return
    }
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map {
      Self.number($0)
    }
    switch (numbers.first ?? nil, numbers.dropFirst().first ?? nil, numbers.count) {
    case (let index?, nil, 1): self = .planned(index)
    case (let index?, let count?, 2) where index < count: self = .unplanned(index, of: count)
    default: return nil
    }
  }

  /// A number in decimal digits only; nil for any other text.
  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  /// The variables in which schedulers give the number of an array's task, from 0: Slurm,
  /// Kubernetes, AWS Batch.
  ///
  /// The number of tasks is never taken from the environment: for an array of a few repeated tasks
  /// it differs from the number in the plan.
  public static let variables = [
    "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX",
  ]

  /// Returns the number in the scheduler's variable.
  ///
  /// - Throws: `UnknownTask` if none of the variables is set, or more than one, or the value is not
  ///   a number.
  public static func number() throws(UnknownTask) -> Int {
    try number(in: ProcessInfo.processInfo.environment)
  }

  static func number(in environment: [String: String]) throws(UnknownTask) -> Int {
    let given = variables.filter { environment[$0] != nil }
    guard let variable = given.first, given.count == 1 else { throw UnknownTask(variables: given) }
    guard let index = number(environment[variable] ?? "") else {
      throw UnknownTask(variables: given, value: environment[variable])
    }
    return index
  }
}

/// The error of `--shard auto` outside of a scheduler's array.
public struct UnknownTask: CommandError, Hashable {
  /// The variables of schedulers that are set.
  let variables: [String]
  var value: String?

  public var code: ExitCode { .usage }

  public var message: String {
    if let value, let variable = variables.first {
      return "\(variable) is '\(value)', not a number"
    }
    if variables.isEmpty { return "no scheduler has given a number to this task" }
    return
      "several schedulers have given a number to this task: \(variables.joined(separator: ", "))"
  }

  public var hint: String {
    variables.isEmpty
      ? "run it in an array job, which sets one of \(ShardNumber.variables.joined(separator: ", "))"
      : "give the number with --shard"
  }
}
