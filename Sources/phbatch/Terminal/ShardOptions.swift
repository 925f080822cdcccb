import ArgumentParser
import PhotoBatch
import PhotoLibrary
import SystemPackage

/// The options that limit a run to one shard.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Do a shard of this plan by 'phbatch plan', instead of naming a recipe and a library.",
      valueName: "file"),
    completion: .file())
  var plan: String?

  @Option(
    help: ArgumentHelp(
      "The shard: its number from 0, or auto in an array job; without a plan, number/count.",
      valueName: "number"))
  var shard: String?

  /// The value of `--shard`; nil if it is not given.
  var number: ShardNumber? { shard.flatMap { ShardNumber($0) } }

  func validate() throws {
    try Usage.check(
      shard == nil || number != nil,
      "--shard must be a number, number/count with a number below count, or auto")
    try Usage.check(plan == nil || shard != nil, "--plan needs --shard")
    guard let number else { return }
    if case .unplanned = number {
      try Usage.check(plan == nil, "with --plan, --shard is a number or auto")
    } else {
      try Usage.check(plan != nil, "without --plan, --shard is number/count")
    }
  }

  /// The number of the shard in the plan, from `--shard` or from the scheduler's variable.
  func index() throws -> Int {
    switch number {
    case .planned(let index)?: index
    case .automatic?: try ShardNumber.number()
    case .unplanned?, nil: throw ValidationError("--plan needs --shard")
    }
  }
}
