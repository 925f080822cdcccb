import Foundation
import TestSupport
import Testing

/// The scripts that `phbatch submit --engine slurm` creates, run with test programs in place of
/// phbatch and scontrol.
@Suite struct SlurmScriptTests {
  private let place: ShardPlace

  init() throws {
    place = try ShardPlace(["a.jpg"])
    _ = try place.plan()
  }

  /// The script between the lines `<<'END'` and `END`.
  private func script(_ end: String) throws -> String {
    let job = try place.command("submit", place.planFile, "--engine", "slurm", "--print").output
    let parts = job.components(separatedBy: "<<'\(end)'\n")
    return try #require(parts.dropFirst().first?.components(separatedBy: "\n\(end)\n").first)
  }

  /// Runs a script with a phbatch of these commands.
  ///
  /// - Returns: The exit code of the script, and the calls of scontrol.
  private func run(
    _ script: String, phbatch: String, restarts: Int = 0
  ) throws -> (code: Int32, calls: String?) {
    try place.shared.folder.writeProgram("#!/bin/sh\necho \"$@\" >>calls\n", to: "bin/scontrol")
    let process = try place.start(
      script, phbatch: phbatch,
      environment: [
        "SLURM_JOB_ID": "8", "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "0",
        "SLURM_RESTART_COUNT": "\(restarts)",
      ])
    process.waitUntilExit()
    let calls = try? place.shared.folder.read("calls")
    return (process.terminationStatus, calls.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test(arguments: [
    (0, 0, 0, false), (3, 0, 0, false), (4, 0, 0, false), (64, 0, 64, false), (66, 0, 66, false),
    (74, 0, 74, false), (75, 0, 0, true), (75, 5000, 0, true), (75, 5040, 75, false),
    (130, 0, 0, true), (137, 4, 0, true), (137, 5, 137, false), (143, 0, 0, true),
  ])
  func theTasksRunShards(
    _ code: Int, _ restarts: Int, _ expected: Int, _ isRepeated: Bool
  ) throws {
    let end = try run(script("TASK"), phbatch: "exit \(code)", restarts: restarts)
    #expect(Int(end.code) == expected)
    #expect(end.calls == (isRepeated ? "requeue 7_0\n" : nil))
  }

  /// The merge returns its own exit code, and is repeated while the library is in use.
  @Test(arguments: [
    (0, 0, 0, false), (2, 0, 2, false), (3, 0, 3, false), (4, 0, 4, false), (70, 0, 70, false),
    (75, 0, 0, true), (75, 3000, 0, true), (75, 3360, 75, false), (137, 4, 0, true),
    (137, 5, 137, false),
  ])
  func theMergeIsRepeated(
    _ code: Int, _ restarts: Int, _ expected: Int, _ isRepeated: Bool
  ) throws {
    let end = try run(script("MERGE"), phbatch: "exit \(code)", restarts: restarts)
    #expect(Int(end.code) == expected)
    #expect(end.calls == (isRepeated ? "requeue 8\n" : nil))
  }

  /// The merge stops before its time limit, and is repeated; it ends if the job is cancelled.
  @Test(arguments: [("USR1", 0, "requeue 8\n"), ("TERM", 143, nil)] as [(String, Int, String?)])
  func aStoppedMergeIsRepeatedUnlessCancelled(
    _ signal: String, _ expected: Int, _ calls: String?
  ) throws {
    let end = try run(
      script("MERGE"), phbatch: "kill -\(signal) $PPID; while :; do sleep 0.1; done")
    #expect(Int(end.code) == expected)
    #expect(end.calls == calls)
  }

  /// The signal arrives when phbatch was started, but its process number is not known yet.
  @Test(arguments: [("USR1", 0, "requeue 7_0\n"), ("TERM", 143, nil)] as [(String, Int, String?)])
  func aSignalRightAfterTheStartStopsATask(
    _ signal: String, _ expected: Int, _ calls: String?
  ) throws {
    let task = try script("TASK").replacing("& child=", with: "& kill -\(signal) $$; child=")
    #expect(task.contains("kill -\(signal) $$"))
    let end = try run(task, phbatch: "while :; do sleep 0.1; done")
    #expect(Int(end.code) == expected)
    #expect(end.calls == calls)
  }

  /// The time limit of the merge grows with the photos of the plan, not with the time of a shard.
  @Test func theMergeHasTimeForAllPhotosOfThePlan() throws {
    func limit() throws -> String? {
      try script("MERGE").split(separator: "\n").first { $0.contains("--time=") }.map(String.init)
    }
    #expect(try limit() == "#SBATCH --time=11")
    let bytes = try place.shared.folder.read("web.plan")
    let plan = String(decoding: bytes, as: UTF8.self)
    // 29,999 photos that are not due, and the one that is.
    for (left, minutes) in [(29_999, 11), (30_000, 12), (9_999_999, 344)] {
      var text = plan.replacing(/"photosLeft":[0-9]+/, with: "\"photosLeft\":\(left)")
      let length = try #require(plan.firstMatch(of: /"length":"0*([0-9]+)"/).flatMap { Int($0.1) })
      let grown = String(length + text.utf8.count - plan.utf8.count)
      text = text.replacing(
        /"length":"[0-9]+"/,
        with: "\"length\":\"\(String(repeating: "0", count: 20 - grown.count))\(grown)\"")
      try place.shared.folder.write(text, to: "web.plan")
      #expect(try limit() == "#SBATCH --time=\(minutes)")
    }
  }
}
