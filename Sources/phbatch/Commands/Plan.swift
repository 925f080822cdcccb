import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import PhotoReports
import SystemPackage

struct Plan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Write a plan: the photos that are due, divided among shards for several machines.",
    discussion: """
      Only the plan is written; the library is read. 'phbatch run --plan' does one shard, 'phbatch \
      submit' hands all of them to a scheduler, and 'phbatch merge' completes the run.

      EXAMPLES
        phbatch plan web.json Photos -o web.plan
        phbatch plan web.json Photos -o web.plan --hours 0.5 --jobs 8
        phbatch plan --show web.plan
      """)

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String?

  @Argument(help: "The folder of photos.", completion: .directory)
  var library: String?

  @Option(
    name: [.customShort("o"), .customLong("to")],
    help: ArgumentHelp("The file to write the plan to.", valueName: "file"), completion: .file())
  var target: String?

  @Option(
    help: ArgumentHelp(
      "Print a plan: its shards with their photos, predicted hours and memory.",
      valueName: "file"), completion: .file())
  var show: String?

  @Option(
    help: ArgumentHelp(
      "The number of shards; without it and --hours, shards of about ten minutes.",
      valueName: "count"))
  var shards: Int?

  @Option(help: "The predicted hours of a shard.")
  var hours: Double?

  @Flag(help: "Replace the file if it exists, unless it is a plan that is not merged.")
  var replace = false

  @OptionGroup var rendering: RenderingOptions

  @Option(
    help: ArgumentHelp(
      "End with code 4, without a plan, if the library has fewer photos.", valueName: "count"))
  var minPhotos: Int?

  @Flag(help: "Render reverted edits again.")
  var redo = false

  @Flag(help: "Render photos again that an older phbatch rendered differently.")
  var refresh = false

  @Flag(help: "Remove edits if other options require it.")
  var yes = false

  @Option(help: "The format of the results: text, or json with one shard per line.")
  var format = OutputFormatOption.text

  @Flag(name: .shortAndLong, help: .quiet)
  var quiet = false

  func validate() throws {
    if show != nil {
      try Usage.check(recipe == nil && target == nil, "--show prints an existing plan only")
      return
    }
    try Usage.check(
      recipe != nil && library != nil, "give a recipe and a library, or a plan with --show")
    try Usage.check(target != nil, "give the plan's file with -o")
    try Usage.check(shards == nil || hours == nil, "give only one of --shards and --hours")
    try Usage.check("--shards", shards, isAtLeast: 1)
    try Usage.check(
      shards ?? 1 <= ShardPlan.mostShards, "--shards must be at most \(ShardPlan.mostShards)")
    try Usage.check(
      hours.map { $0.isFinite && $0 > 0 } ?? true, "--hours must be a number above 0")
    try Usage.check("--min-photos", minPhotos, isAtLeast: 0)
  }

  func run() async throws {
    if let show { return tell(try ShardPlan(contentsOf: FilePath(show))) }
    guard let recipe, let library, let target else { return }
    var options = try rendering.options()
    options.leastPhotos = minPhotos
    options.redoes = redo
    options.refreshes = refresh
    options.mayDiscard = yes
    options.command = "plan \(recipe)"
    let batch = try Batch(recipe: FilePath(recipe), library: FilePath(library), options: options)
    let count = shards.map { ShardCount.shards($0) } ?? hours.map { .hours($0) } ?? .usual
    let reporter = RunReporter(
      format: .text, progress: .none, isQuiet: true, showsEach: false)
    let replace = replace
    let (plan, summary) = try await Interruption.handling {
      try await batch.makePlan(
        FilePath(target), of: FilePath(recipe), replaces: replace, count: count
      ) { event in
        // Photos that are due are not printed, because the plan lists them.
        if case .finished(let outcome) = event, outcome.isDue { return }
        reporter.report(event)
      }
    }
    if !quiet || format == .json { tell(plan) }
    let code = summary.exitCode(reportsDue: false)
    if code != .success { throw code }
  }

  private func tell(_ plan: ShardPlan) {
    for line in format == .json ? plan.jsonLines : plan.lines { Message.result(line) }
  }
}
