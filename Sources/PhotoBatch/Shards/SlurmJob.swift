import Glibc
import Notation
import PhotoRecipes

/// The scripts of an array job for Slurm.
///
/// - Source: sbatch(1) and scontrol(1) of Slurm 22.05: `--requeue` repeats tasks of a failed node
///   only, and an exit code of 3 or 4 would mark the task as failed.
public struct SlurmJob: Sendable {
  private let job: ArrayJob

  public init(_ job: ArrayJob) { self.job = job }

  /// True if this machine can submit jobs.
  public static var isInstalled: Bool { ProgramSearch.problem(of: "sbatch") == nil }

  /// The range of the array, such as `0-15%4`.
  private var range: String {
    let indices = job.indices?.ranges ?? (job.count > 1 ? "0-\(job.count - 1)" : "0")
    return indices + (job.mostAtATime.map { "%\($0)" } ?? "")
  }

  /// The script of a task.
  ///
  /// A task that the kernel kills for lack of memory is put into the queue again, five times at
  /// most; one that finds the library in use waits in the queue. Photos that failed do not fail the
  /// task.
  private var task: String {
    let id = "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
    let repeats = ArrayJob.patience / Self.pause
    return """
      #!/bin/sh
      #SBATCH --job-name=\(job.name)
      #SBATCH --array=\(range)
      #SBATCH --cpus-per-task=\(job.cores)
      #SBATCH --mem=\(job.megabytes)M
      #SBATCH --time=\(job.minutes)
      #SBATCH --requeue
      #SBATCH --open-mode=append
      #SBATCH --signal=B:USR1@120
      \(Self.repeating(id, job.command, success: "0", whileInUse: repeats))
      """
  }

  /// The script of the merge.
  ///
  /// Shards of another plan may use the library for hours. The merge then gives its core back, and
  /// waits in the queue.
  private var merge: String {
    let command = job.mergeCommand(waiting: Self.wait)
    let repeats = ArrayJob.patience / (Self.wait + Self.pause)
    return """
      #!/bin/sh
      #SBATCH --job-name=\(job.name)-merge
      #SBATCH --cpus-per-task=1
      #SBATCH --mem=2048M
      #SBATCH --time=\(job.mergeMinutes)
      #SBATCH --requeue
      #SBATCH --signal=B:USR1@120
      \(Self.repeating("$SLURM_JOB_ID", command, success: "\"$code\"", whileInUse: repeats))
      """
  }

  /// The time in seconds for which the merge waits for shards, and for the library, in one attempt.
  private static let wait = 60

  /// The time in seconds that Slurm lets pass before it starts a requeued job again.
  ///
  /// - Source: slurm.conf(5), `cred_expire`.
  private static let pause = 120

  /// The part of a script that runs a command, and puts the job into the queue again if it has to
  /// be repeated.
  ///
  /// Slurm sends SIGUSR1 two minutes before the time limit. The script then stops phbatch, which
  /// publishes the photos that it is rendering, and repeats the job. It does the same after a
  /// signal, such as SIGKILL by the kernel, and if the library is in use. A job that is cancelled
  /// or preempted gets SIGTERM and ends; Slurm itself repeats a preempted job.
  ///
  /// `id` is the job, and `success` is the exit code for 0, 3 and 4; both are words of the shell.
  /// `whileInUse` is the maximum number of repetitions while the library is in use.
  private static func repeating(
    _ id: String, _ command: String, success: String, whileInUse: Int
  ) -> String {
    let run = ArrayJob.running(command, stoppedBy: ["USR1": "time", "TERM": "user"])
    return """
      again() {
        if [ "${SLURM_RESTART_COUNT:-0}" -lt "$2" ]; then
          scontrol requeue "\(id)" && exit 0
        fi
        exit "$1"
      }
      \(run.joined(separator: "\n"))
      case "$stopped:$code" in
        *:0|*:3|*:4) exit \(success) ;;
        user:*) exit "$code" ;;
        :75) again "$code" \(whileInUse) ;;
        time:*|:12[89]|:1[3-9][0-9]) again "$code" 5 ;;
        *) exit "$code" ;;
      esac

      """
  }

  /// A script that submits the array of tasks and the merge.
  ///
  /// The merge begins when all tasks have ended, even if some failed, and lists the missing shards;
  /// with `afterok`, it would wait for ever after a failed task.
  public var text: String {
    """
    #!/bin/sh
    set -eu
    array=$(sbatch --parsable <<'TASK'
    \(task)TASK
    )
    sbatch --parsable --dependency="afterany:${array%%;*}" <<'MERGE'
    \(merge)MERGE

    """
  }

  /// Submits the job: runs the script that `text` is, and waits for its end.
  ///
  /// - Throws: `UnsubmittedJob` if `sbatch` failed.
  public func submit() throws(UnsubmittedJob) {
    let end = ProcessEnd(unsafe system(text))
    if end.isSuccess { return }
    throw UnsubmittedJob(end: "\(end)", code: end.isInterrupted ? .interrupted : .inputOutput)
  }
}

/// The error of a job that the scheduler did not accept completely.
public struct UnsubmittedJob: CommandError, Hashable {
  let end: String
  public let code: ExitCode
  public var message: String { "'sbatch' did not accept the job: \(end)" }
  public var hint: String {
    "its message above says why; 'squeue --me' shows whether the tasks wait without their merge"
  }
}
