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
  /// Slurm sends SIGUSR1 two minutes before the time limit. The script then stops phbatch, which
  /// publishes the photos that it is rendering, and puts the task into the queue again. It does the
  /// same after a signal, such as SIGKILL by the kernel if memory runs out, and if the library is
  /// in use. A task that is cancelled or preempted gets SIGTERM and ends; Slurm itself repeats a
  /// preempted task.
  public var task: String {
    """
    #!/bin/sh
    #SBATCH --job-name=\(job.name)
    #SBATCH --array=\(range)
    #SBATCH --cpus-per-task=\(job.cores)
    #SBATCH --mem=\(job.megabytes)M
    #SBATCH --time=\(job.minutes)
    #SBATCH --requeue
    #SBATCH --open-mode=append
    #SBATCH --signal=B:USR1@120
    again() {
      if [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && exit 0
      fi
      exit "$1"
    }
    stopped=
    trap 'stopped=time; kill -TERM "$child"' USR1
    trap 'stopped=user; kill -TERM "$child"' TERM
    \(job.command) &
    child=$!
    wait "$child"; code=$?
    while [ -n "$stopped" ] && kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
    case "$stopped:$code" in
      *:0|*:3|*:4) exit 0 ;;
      user:*) exit "$code" ;;
      time:*|:75|:12[89]|:1[3-9][0-9]) again "$code" ;;
      *) exit "$code" ;;
    esac

    """
  }

  /// The script of the merge.
  public var merge: String {
    """
    #!/bin/sh
    #SBATCH --job-name=\(job.name)-merge
    #SBATCH --cpus-per-task=1
    #SBATCH --mem=2048M
    #SBATCH --time=\(job.minutes)
    #SBATCH --requeue
    \(job.mergeCommand(waiting: 60))

    """
  }

  /// The arguments of `sbatch` for the merge of the array with this number.
  ///
  /// The merge begins when all tasks have ended, even if some failed, and lists the missing shards;
  /// with `afterok`, it would wait for ever after a failed task.
  public static func mergeArguments(after array: String) -> [String] {
    ["--parsable", "--dependency=afterany:\(array)"]
  }

  /// A script that submits the array of tasks and the merge.
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
