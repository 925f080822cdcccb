public import Notation
import PhotoRecipes
import SystemPackage

/// The requests of an array job for AWS Batch: two job definitions, and two jobs.
///
/// - Source: the reference of RegisterJobDefinition and SubmitJob, AWS Batch 2016-08-10: an array
///   has 2 to 10,000 tasks, a retry strategy at most 10 attempts and 5 conditions.
public struct AWSBatchJob: Sendable {
  private let job: ArrayJob
  private let queue: String
  /// The identifier of an EFS file system that contains the volume.
  private let fileSystem: String

  public init(_ job: ArrayJob, queue: String, fileSystem: String) {
    self.job = job
    self.queue = queue
    self.fileSystem = fileSystem
  }

  /// The parameters of RegisterJobDefinition for a task.
  public var taskDefinition: JSON {
    definition(
      job.name, job.script, cores: job.cores, megabytes: job.megabytes, seconds: 60 * job.minutes)
  }

  /// The parameters of RegisterJobDefinition for the merge.
  public var mergeDefinition: JSON {
    definition(
      "\(job.name)-merge", job.mergeScript, cores: 1, megabytes: 2048,
      seconds: ArrayJob.patience + 60 * job.mergeMinutes)
  }

  /// The parameters of SubmitJob for the tasks: one array of all shards, or one job for each shard
  /// that is repeated, because an array always begins at 0.
  public var tasks: [JSON] {
    if let indices = job.indices { return indices.map { single($0) } }
    if job.count < 2 { return [single(0)] }
    return [
      .object([
        "jobName": .string(job.name), "jobQueue": .string(queue),
        "jobDefinition": .string(job.name),
        "arrayProperties": .object(["size": .integer(job.count)]),
      ])
    ]
  }

  private func single(_ index: Int) -> JSON {
    .object([
      "jobName": .string("\(job.name)-\(index)"), "jobQueue": .string(queue),
      "jobDefinition": .string(job.name),
      "containerOverrides": .object([
        "environment": .array([
          .object([
            "name": .string("JOB_COMPLETION_INDEX"), "value": .string("\(index)"),
          ])
        ])
      ]),
    ])
  }

  /// The parameters of SubmitJob for the merge.
  ///
  /// The merge itself waits for the shards, because a job that depends on a failed task would never
  /// start.
  public var merge: JSON {
    .object([
      "jobName": .string("\(job.name)-merge"), "jobQueue": .string(queue),
      "jobDefinition": .string("\(job.name)-merge"),
    ])
  }

  /// The parameters of RegisterJobDefinition for a job with a time limit in seconds.
  private func definition(
    _ name: String, _ script: String, cores: Int, megabytes: Int, seconds: Int
  ) -> JSON {
    .object([
      "jobDefinitionName": .string(name), "type": .string("container"),
      "containerProperties": .object([
        "image": .string(job.image ?? ""),
        "command": .array(["/bin/sh", "-c", script].map(JSON.string)),
        "resourceRequirements": .array([
          .object(["type": .string("VCPU"), "value": .string("\(cores)")]),
          .object(["type": .string("MEMORY"), "value": .string("\(megabytes)")]),
        ]),
        "volumes": .array([
          .object([
            "name": .string("photos"),
            "efsVolumeConfiguration": .object(["fileSystemId": .string(fileSystem)]),
          ])
        ]),
        "mountPoints": .array([
          .object([
            "sourceVolume": .string("photos"), "containerPath": .string(job.volume.string),
          ])
        ]),
      ]),
      "retryStrategy": .object([
        "attempts": .integer(5),
        "evaluateOnExit": .array([
          when("onExitCode", "75", "RETRY"), when("onExitCode", "1*", "RETRY"),
          when("onStatusReason", "Host EC2*", "RETRY"), when("onReason", "*", "EXIT"),
        ]),
      ]),
      "timeout": .object(["attemptDurationSeconds": .integer(seconds)]),
    ])
  }

  /// A condition of the retry strategy; AWS Batch applies the first condition that is met.
  private func when(_ property: String, _ pattern: String, _ action: String) -> JSON {
    var object = JSON.Object()
    object[property] = .string(pattern)
    object["action"] = .string(action)
    return .object(object)
  }

  /// A script that registers the definitions and submits the jobs with the AWS CLI.
  public var text: String {
    let registered = [taskDefinition, mergeDefinition].map { json in
      "aws batch register-job-definition --cli-input-json '\(quoted(json))'\n"
    }
    let submitted = (tasks + [merge]).map { json in
      "aws batch submit-job --cli-input-json '\(quoted(json))'\n"
    }
    return "#!/bin/sh\nset -eu\n" + (registered + submitted).joined()
  }

  private func quoted(_ json: JSON) -> String {
    json.compactText.replacing("'", with: "'\\''")
  }
}
