import Foundation
import Glibc
import TestSupport
import Testing

/// The jobs that `phbatch submit` creates for containers, whose process 1 is a shell.
@Suite struct ContainerJobTests {
  private let place: ShardPlace

  init() throws {
    place = try ShardPlace(["a.jpg"])
    _ = try place.plan("--shards", "2")
  }

  private struct Job {
    let name: String
    /// The script that `/bin/sh -c` runs.
    let script: String
  }

  /// The jobs of the manifest for Kubernetes; AWS Batch gets the same scripts.
  private func jobs(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> [Job] {
    let result = try Command.run(
      ["submit", "--engine", "kubernetes", "--image", "phbatch", "--claim", "photos"]
        + [place.planFile] + arguments, environment: environment)
    let manifest = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let items = (manifest as? [String: Any])?["items"] as? [[String: Any]]
    return try #require(items).map { item in
      let name = (item["metadata"] as? [String: Any])?["name"] as? String
      let job = item["spec"] as? [String: Any]
      let pod = (job?["template"] as? [String: Any])?["spec"] as? [String: Any]
      let container = (pod?["containers"] as? [[String: Any]])?.first
      let command = try #require(container?["command"] as? [String])
      #expect(command.prefix(2) == ["/bin/sh", "-c"])
      return Job(name: try #require(name), script: try #require(command.last))
    }
  }

  @Test(arguments: [(0, 0), (3, 0), (4, 0), (64, 64), (70, 70), (75, 75), (137, 137), (143, 143)])
  func aTaskReturnsTheExitCodeThatItsSchedulerNeeds(_ code: Int, _ expected: Int) throws {
    let task = try place.start(try #require(try jobs().first).script, phbatch: "exit \(code)")
    task.waitUntilExit()
    #expect(Int(task.terminationStatus) == expected)
  }

  @Test func theMergeReturnsItsExitCode() throws {
    let merge = try place.start(try #require(try jobs().last).script, phbatch: "exit 3")
    merge.waitUntilExit()
    #expect(merge.terminationStatus == 3)
  }

  /// A scheduler sends SIGTERM to process 1 only; phbatch then ends its work, and the shell waits.
  @Test(arguments: [0, 143]) func aTaskPassesSIGTERMToPhbatch(_ code: Int) throws {
    for job in try jobs() {
      let (begun, published) = (place.shared.path("begun"), place.shared.path("published"))
      for name in [begun, published] { try? FileManager.default.removeItem(atPath: name) }
      let process = try place.start(
        job.script,
        phbatch: """
          trap 'sleep 0.3; echo >published; exit \(code)' TERM
          echo >begun
          while :; do sleep 0.1; done
          """)
      for _ in 0..<200 where !FileManager.default.fileExists(atPath: begun) { usleep(50_000) }
      // The second signal arrives while phbatch publishes and the shell waits again.
      process.terminate()
      usleep(50_000)
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && Int(process.terminationStatus) == code)
      #expect(FileManager.default.fileExists(atPath: published))
    }
  }

  /// `kubectl apply` does nothing for a finished job of the same name.
  @Test func eachAttemptOfMissingShardsHasItsOwnNames() throws {
    let names = try ["1700000000", "1700000060", "1700000060"].map { time in
      try jobs("--retry", environment: ["SOURCE_DATE_EPOCH": time]).map(\.name)
    }
    #expect(names[1] == names[2])
    #expect(Set(names[0] + names[1]).count == 2 * names[0].count)
    let label = /phbatch-[0-9a-f]{8}-retry-20231114t221320z-(0|1|merge)/
    #expect(names[0].allSatisfy { $0.wholeMatch(of: label) != nil }, "\(names)")
    let first = try jobs().map(\.name)
    #expect(try jobs().map(\.name) == first && Set(first).isDisjoint(with: names[0]))
  }
}
