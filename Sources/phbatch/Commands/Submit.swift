import ArgumentParser
import Notation
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct Submit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit",
    abstract:
      "Submit the shards of a plan to Slurm, or print jobs for Slurm, Kubernetes or AWS Batch.",
    discussion: """
      The job is an array with a task for each shard, and a job that merges them. Memory and time \
      are those that the plan predicts, with a margin. A task with photos that failed succeeds, \
      because the merge reports them; a task that was stopped, or found the library in use, is \
      repeated.

      EXAMPLES
        phbatch submit --engine slurm web.plan
        phbatch submit --engine slurm web.plan --print
        phbatch submit --engine kubernetes web.plan --image registry/phbatch --claim photos
      """)

  @Option(help: "The scheduler: slurm, kubernetes, aws-batch.")
  var engine: Scheduler

  @Argument(help: "The plan.", completion: .file())
  var plan: String

  @Flag(help: "Print the job instead of submitting it; jobs for Slurm only are submitted.")
  var print = false

  @Flag(help: "Only the shards that 'phbatch merge --retry' lists.")
  var retry = false

  @Option(help: ArgumentHelp("The maximum number of tasks at a time.", valueName: "count"))
  var maxParallel: Int?

  @Option(help: "The container image with phbatch, for Kubernetes and AWS Batch.")
  var image: String?

  @Option(
    help: ArgumentHelp(
      "The persistent volume claim for library and plan, for Kubernetes.", valueName: "name"))
  var claim: String?

  @Option(help: ArgumentHelp("The job queue, for AWS Batch.", valueName: "name"))
  var queue: String?

  @Option(
    help: ArgumentHelp("The EFS file system with library and plan, for AWS Batch.", valueName: "id")
  )
  var fileSystem: String?

  func validate() throws {
    try Usage.check("--max-parallel", maxParallel, isAtLeast: 1)
    switch engine {
    case .slurm: break
    case .kubernetes:
      try Usage.check(image != nil && claim != nil, "kubernetes needs --image and --claim")
    case .awsBatch:
      try Usage.check(
        image != nil && queue != nil && fileSystem != nil,
        "aws-batch needs --image, --queue and --file-system")
      try Usage.check(
        maxParallel == nil,
        "--max-parallel works with slurm and kubernetes; AWS Batch takes the number of tasks at a time"
          + " from the queue's compute environment")
    }
  }

  func run() throws {
    let plan = try ShardPlan(contentsOf: FilePath(plan))
    let indices = try retry ? PlanProgress(of: plan).retried : nil
    let isDone = plan.isMerged || plan.shards.allSatisfy { $0.photos == 0 }
    if isDone || indices?.isEmpty == true {
      Message.say("no shard is left to do; 'phbatch merge' completes a run that is not merged")
      return
    }
    var job = ArrayJob(plan, indices: indices)
    job.mostAtATime = maxParallel
    job.image = image
    if engine != .slurm { try job.checkVolume() }
    switch engine {
    case .kubernetes: Message.document(KubernetesJob(job, claim: claim ?? "").text)
    case .awsBatch:
      Message.document(AWSBatchJob(job, queue: queue ?? "", fileSystem: fileSystem ?? "").text)
    case .slurm:
      let slurm = SlurmJob(job)
      if print { return Message.document(slurm.text) }
      guard SlurmJob.isInstalled else {
        throw MissingInput(
          "this machine has no 'sbatch'",
          hint: "run on a machine that submits jobs to Slurm, or use --print")
      }
      try slurm.submit()
    }
  }
}
