import Notation
import PhotoRecipes
import SystemPackage

/// The manifest of two jobs for Kubernetes: an indexed job, and the merge, which waits for it.
///
/// - Source: the reference of batch/v1 of Kubernetes 1.33: `backoffLimitPerIndex` needs an indexed
///   job, and `FailIndex` needs `backoffLimitPerIndex`; both need `restartPolicy: Never`.
public struct KubernetesJob: Sendable {
  private let job: ArrayJob
  /// The name of the PersistentVolumeClaim for a volume that all nodes can write to.
  private let claim: String
  /// The middle of the names of jobs that repeat shards, such as `-retry-20260131t100000z`.
  ///
  /// `kubectl apply` leaves a finished job of the same name as it is, so each attempt needs names
  /// of its own. A manifest that is applied twice starts its jobs once.
  private let attempt: String

  public init(_ job: ArrayJob, claim: String) {
    self.job = job
    self.claim = claim
    let time = SourceDate.text.lowercased().filter { $0.isLetter || $0.isNumber }
    attempt = job.indices == nil ? "" : "-retry-\(time)"
  }

  /// The manifest as JSON, which `kubectl apply -f` reads like YAML.
  public var text: String {
    JSON.object([
      "apiVersion": .string("v1"), "kind": .string("List"),
      "items": .array(manifests),
    ]).canonicalText
  }

  /// The jobs of the array; Kubernetes numbers tasks from 0, so each shard that is repeated needs a
  /// job of its own.
  private var manifests: [JSON] {
    let tasks =
      job.indices.map { indices in indices.map { single($0) } } ?? [array]
    return tasks + [merge]
  }

  private var array: JSON {
    var spec = JSON.Object()
    spec["completionMode"] = .string("Indexed")
    spec["completions"] = .integer(job.count)
    spec["parallelism"] = .integer(min(job.count, job.mostAtATime ?? job.count))
    spec["backoffLimitPerIndex"] = .integer(4)
    spec["maxFailedIndexes"] = .integer(job.count)
    spec["podFailurePolicy"] = policy("FailIndex", [64, 65, 66])
    spec["template"] = task(job.script)
    return manifest(job.name, spec)
  }

  private func single(_ index: Int) -> JSON {
    var spec = JSON.Object()
    spec["backoffLimit"] = .integer(4)
    spec["podFailurePolicy"] = policy("FailJob", [64, 65, 66])
    spec["template"] = task("export JOB_COMPLETION_INDEX=\(index); \(job.script)")
    return manifest("\(job.name)\(attempt)-\(index)", spec)
  }

  private var merge: JSON {
    var spec = JSON.Object()
    spec["backoffLimit"] = .integer(4)
    spec["podFailurePolicy"] = policy("FailJob", [2, 3, 4, 64, 65, 66, 70, 73, 74])
    spec["template"] = pod(job.mergeScript, cores: 1, megabytes: 2048)
    return manifest("\(job.name)\(attempt)-merge", spec)
  }

  /// The policy for failed pods: applies `action`, which ends the task or the job, after one of
  /// these exit codes.
  ///
  /// A pod that was evicted from its node does not count as failed. Pods with other exit codes, and
  /// those that exceeded their time limit, which is no disruption, are repeated.
  private func policy(_ action: String, _ codes: [Int]) -> JSON {
    .object([
      "rules": .array([
        .object([
          "action": .string("Ignore"),
          "onPodConditions": .array([
            .object(["type": .string("DisruptionTarget"), "status": .string("True")])
          ]),
        ]),
        .object([
          "action": .string(action),
          "onExitCodes": .object([
            "operator": .string("In"), "values": .array(codes.map(JSON.integer)),
          ]),
        ]),
      ])
    ])
  }

  private func manifest(_ name: String, _ spec: JSON.Object) -> JSON {
    .object([
      "apiVersion": .string("batch/v1"), "kind": .string("Job"),
      "metadata": .object(["name": .string(name)]), "spec": .object(spec),
    ])
  }

  private func task(_ script: String) -> JSON {
    pod(script, cores: job.cores, megabytes: job.megabytes, seconds: 60 * job.minutes)
  }

  /// A pod that runs a script, with a time limit in seconds; nil for none.
  ///
  /// The time begins when the node accepts the pod, so it includes loading the image.
  private func pod(_ script: String, cores: Int, megabytes: Int, seconds: Int? = nil) -> JSON {
    let resources = JSON.object([
      "cpu": .string("\(cores)"), "memory": .string("\(megabytes)Mi"),
    ])
    let container = JSON.object([
      "name": .string("phbatch"), "image": .string(job.image ?? ""),
      "command": .array(["/bin/sh", "-c", script].map(JSON.string)),
      "resources": .object([
        "requests": resources, "limits": .object(["memory": .string("\(megabytes)Mi")]),
      ]),
      "volumeMounts": .array([
        .object(["name": .string("photos"), "mountPath": .string(job.volume.string)])
      ]),
    ])
    var spec = JSON.Object()
    spec["activeDeadlineSeconds"] = seconds.map(JSON.integer)
    spec["restartPolicy"] = .string("Never")
    spec["terminationGracePeriodSeconds"] = .integer(60)
    spec["containers"] = .array([container])
    spec["volumes"] = .array([
      .object([
        "name": .string("photos"),
        "persistentVolumeClaim": .object(["claimName": .string(claim)]),
      ])
    ])
    return .object(["spec": .object(spec)])
  }
}
