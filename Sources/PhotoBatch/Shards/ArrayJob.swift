import Notation
import PhotoRecipes
public import SystemPackage

/// The schedulers for which `submit` writes jobs.
public enum Scheduler: String, Sendable, Hashable, CaseIterable {
  case slurm
  case kubernetes
  case awsBatch = "aws-batch"
}

/// An array of tasks that each process a shard of a plan, and a job that merges the shards.
public struct ArrayJob: Sendable {
  /// The first digits of the plan's identifier.
  public var plan: String
  /// The absolute path of the plan's file.
  public var path: FilePath
  /// The number of shards of the plan.
  public var count: Int
  /// The number of all photos of the plan, which the merge reports.
  public var photos: Int
  /// The indices of the shards to process; nil for all.
  public var indices: [Int]?
  /// The predicted time in seconds of the longest shard.
  public var seconds: Double
  /// The largest predicted memory of one photo in bytes.
  public var photoMemory: Int
  /// The number of photos that a task renders at a time, each on one core.
  public var cores: Int
  /// The maximum number of tasks at a time; nil for no limit.
  public var mostAtATime: Int?
  /// The container image; nil for Slurm.
  public var image: String?
  /// The folder that contains the plan, the recipe, the library and the output.
  public var volume: FilePath

  public init(_ plan: ShardPlan, indices: [Int]? = nil) {
    self.plan = plan.name
    path = plan.path
    count = plan.shards.count
    photos = plan.shards.reduce(plan.photosLeft) { $0 + $1.photos }
    self.indices = indices
    seconds = (plan.shards.map(\.seconds).max() ?? 0) / Double(plan.jobs)
    photoMemory = plan.shards.map(\.memory).max() ?? 0
    cores = plan.jobs
    volume = Self.common([plan.path, plan.recipe, plan.library] + [plan.output].compactMap(\.self))
  }

  /// The deepest folder that contains all paths.
  private static func common(_ paths: [FilePath]) -> FilePath {
    guard var folder = paths.first?.removingLastComponent() else { return "/" }
    while !paths.allSatisfy({ $0.starts(with: folder) }), folder.removeLastComponent() {}
    return folder
  }

  /// Throws if the volume of a container would replace a folder of the container's system.
  public func checkVolume() throws(UnusableVolume) {
    let isOfKernel = ["/dev", "/proc", "/sys"].contains { volume.starts(with: $0) }
    if isOfKernel || Self.systemFolders.contains(volume) { throw UnusableVolume(folder: volume) }
  }

  /// The folders that a system needs, or mounts itself.
  ///
  /// - Source: Filesystem Hierarchy Standard 3.0; Kubernetes mounts secrets in `/run`.
  private static let systemFolders: Set<FilePath> = [
    "/", "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/run", "/sbin", "/usr", "/var",
  ]

  public var name: String { "phbatch-\(plan.prefix(8))" }

  /// The memory of a task in MiB: of its workers, of the coordinator, and a margin of a quarter for
  /// the scheduler's own measure, which counts files in the page cache.
  public var megabytes: Int {
    let bytes = Double(cores * photoMemory + Self.coordinator) * 1.25
    return (Int(bytes) / (256 << 20) + 1) * 256
  }

  private static let coordinator = 128 << 20

  /// The value of `--memory` for a task, in MiB.
  var budget: Int { megabytes * 9 / 10 }

  /// The time limit of a task in minutes: three times the prediction, and ten minutes for reading
  /// the library.
  public var minutes: Int { Int((3 * seconds / 60).rounded(.up)) + 10 }

  /// The time limit of the merge in minutes: ten minutes, and 2 ms for each photo, because the
  /// merge uses about 0.35 ms of one core for it, and more of a busy machine.
  public var mergeMinutes: Int { (photos + 29_999) / 30_000 + 10 }

  /// The time in seconds for which the merge waits for the shards and for the library.
  static let patience = 7 * 86_400

  /// The command of a task; the shard's number comes from a variable that the scheduler sets.
  var command: String {
    "phbatch run --plan \(quotedPath) --shard auto --jobs \(cores) --memory \(budget)M --quiet"
  }

  /// The command of the merge, which waits until all shards are done and the library is free.
  func mergeCommand(waiting seconds: Int) -> String {
    "phbatch merge \(quotedPath) --wait \(seconds)"
  }

  /// The plan's path, quoted as one word for a shell.
  var quotedPath: String {
    let isPlain = path.string.utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
        || [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
    }
    return isPlain ? path.string : "'\(path.string.replacing("'", with: "'\\''"))'"
  }

  /// The shell script of a task in a container: runs the command, and returns its exit code.
  ///
  /// It returns 0 instead of 3 and 4, so that the scheduler counts a shard as done although some of
  /// its photos failed or need a decision.
  var script: String {
    "\(Self.forwardingSignals(command)); case $code in 3|4) exit 0;; esac; exit $code"
  }

  /// The shell script of the merge in a container.
  var mergeScript: String {
    "\(Self.forwardingSignals(mergeCommand(waiting: Self.patience))); exit $code"
  }

  /// Shell text that runs a command and sets `code` to its exit code.
  ///
  /// The shell is process 1 of the container, so only the shell gets the SIGTERM with which a
  /// scheduler ends a task. It passes the signal on to phbatch, which publishes the photos that it
  /// is rendering, and waits for its end.
  private static func forwardingSignals(_ command: String) -> String {
    running(command, stoppedBy: ["TERM": "user"]).joined(separator: "; ")
  }

  /// The commands of a shell that run a command, stop it at each signal, and set `code` to its exit
  /// code and `stopped` to the word of the signal.
  ///
  /// A signal can arrive before the shell knows the process that it has started. A process that gets
  /// it before it runs the command ignores it, so it is sent a second later.
  static func running(
    _ command: String, stoppedBy words: KeyValuePairs<String, String>
  ) -> [String] {
    [
      "stopped=", "child=",
      #"stop() { stopped=$1; [ -z "$child" ] || kill -TERM "$child"; }"#,
    ] + words.map { "trap 'stop \($0.value)' \($0.key)" } + [
      "\(command) & child=$!",
      #"[ -z "$stopped" ] || { sleep 1; stop "$stopped"; }"#,
      #"wait "$child"; code=$?"#,
      #"while [ -n "$stopped" ] && kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done"#,
    ]
  }
}

/// The error of a job in containers whose files have no common folder except one of the system.
public struct UnusableVolume: CommandError, Hashable {
  let folder: FilePath
  public var code: ExitCode { .usage }
  public var message: String {
    "the plan, its recipe, library and output have only '\(folder)' in common, at which a container"
      + " cannot mount a volume"
  }
  public var hint: String { "put them below one folder, such as '/srv/photos', and plan again" }
}
