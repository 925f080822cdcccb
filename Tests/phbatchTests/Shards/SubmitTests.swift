import Foundation
import TestSupport
import Testing

/// `phbatch submit`, which creates jobs for schedulers.
///
/// Tests/schedulers checks them with the schedulers' schemas.
@Suite struct SubmitTests {
  private func submit(_ place: ShardPlace, _ arguments: String...) throws -> CommandResult {
    try Command.run(["submit", place.planFile] + arguments)
  }

  @Test func submitPrintsTheScriptForSlurm() throws {
    let place = try ShardPlace()
    _ = try place.plan("--shards", "4", "--jobs", "2")
    let job = try submit(place, "--engine", "slurm", "--print", "--max-parallel", "3")
    #expect(job.code == 0, "\(job.messages)")
    #expect(job.output.contains("#SBATCH --array=0-3%3\n"))
    #expect(job.output.contains("#SBATCH --cpus-per-task=2\n"))
    #expect(job.output.contains("--plan \(place.planFile) --shard auto --jobs 2 --memory "))
    try place.shared.folder.write(job.output, to: "job")
    try Shell.run("sh -n '\(place.shared.path("job"))'")
    _ = try place.shard(1)
    _ = try place.shard(2)
    let rest = try submit(place, "--engine", "slurm", "--print", "--retry")
    #expect(rest.output.contains("#SBATCH --array=0,3\n"))
    for index in [0, 3] { _ = try place.shard(index) }
    let none = try submit(place, "--engine", "slurm", "--print", "--retry")
    #expect(none.code == 0 && none.output.isEmpty && none.messages.contains("no shard is left"))
    #expect(try place.merge().code == 3)
    let merged = try submit(place, "--engine", "slurm", "--print")
    #expect(merged.code == 0 && merged.output.isEmpty && merged.messages == none.messages)
  }

  @Test func submitRefusesWrongOptions() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan()
    for (arguments, message) in [
      (["--engine", "kubernetes"], "--image and --claim"),
      (["--engine", "aws-batch", "--image", "x"], "--queue and --file-system"),
      (
        [
          "--engine", "aws-batch", "--image", "x", "--queue", "q", "--file-system", "fs-1",
          "--max-parallel", "2",
        ], "--max-parallel works with slurm and kubernetes"
      ),
      (["--engine", "lsf"], "invalid"),
    ] {
      let result = try Command.run(["submit", place.planFile] + arguments)
      #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
    }
    let missing = try Command.run(
      ["submit", "--engine", "slurm", place.planFile], environment: ["PATH": "/nowhere"],
      prefix: ["/usr/bin/env"])
    #expect(missing.code == 66 && missing.messages.contains("no 'sbatch'"), "\(missing.messages)")
  }

  /// A container mounts the common folder of all files, which must not be one of its system.
  @Test func jobsOfContainersNeedACommonFolder() throws {
    let place = try ShardPlace(["a.jpg"])
    let plan = "/dev/shm/phbatch-\(UUID().uuidString).plan"
    defer { try? FileManager.default.removeItem(atPath: plan) }
    #expect(try place.plan("-o", plan).code == 3)
    for options in [
      ["kubernetes", "--claim", "photos"],
      ["aws-batch", "--queue", "photos", "--file-system", "fs-0123456789abcdef0"],
    ] {
      let result = try Command.run(
        ["submit", plan, "--image", "phbatch", "--engine"] + options)
      #expect(result.code == 64 && result.output.isEmpty, "\(result.messages)")
      #expect(result.messages.contains("in common, at which a container"), "\(result.messages)")
      #expect(result.messages.contains("put them below one folder"), "\(result.messages)")
    }
    #expect(try Command.run(["submit", plan, "--engine", "slurm", "--print"]).code == 0)
  }

  @Test func submitFailsIfSlurmRefusesTheJob() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan()
    try place.shared.folder.writeProgram("#!/bin/sh\ncat >/dev/null\necho 7\n", to: "bin/sbatch")
    let path = ["PATH": "\(place.shared.path("bin")):/usr/bin:/bin"]
    func submit() throws -> CommandResult {
      try Command.run(
        ["submit", "--engine", "slurm", place.planFile], environment: path, prefix: ["/usr/bin/env"]
      )
    }
    let accepted = try submit()
    #expect(accepted.code == 0 && accepted.output == "7\n", "\(accepted.messages)")
    try place.shared.folder.writeProgram("#!/bin/sh\nexit 1\n", to: "bin/sbatch")
    let refused = try submit()
    #expect(refused.code == 74)
    #expect(refused.messages.contains("'sbatch' did not accept the job: it ended with code 1"))
    #expect(refused.messages.contains("hint: "))
  }

  /// The templates in packaging/ equal the output of the command for a plan of 16 shards.
  @Test func theJobTemplatesInTheRepositoryEqualTheCommandsOutput() throws {
    let place = try ShardPlace(["a.jpg"])
    _ = try place.plan("--shards", "16")
    let folder = place.shared.path("")
    for (engine, file, options) in [
      ("slurm", "slurm/phbatch.sh", ["--print"]),
      (
        "kubernetes", "kubernetes/phbatch.json", ["--image", "phbatch:latest", "--claim", "photos"]
      ),
      (
        "aws-batch", "aws-batch/phbatch.sh",
        ["--image", "phbatch:latest", "--queue", "photos", "--file-system", "fs-0123456789abcdef0"]
      ),
    ] {
      let result = try Command.run(["submit", "--engine", engine, place.planFile] + options)
      let plan = try #require(result.output.firstMatch(of: /phbatch-([0-9a-f]{8})/))
      let text = result.output.replacing(plan.output.1, with: "00000000")
        .replacing(folder, with: "/srv/photos")
      let path = "\(Self.packaging)/\(file)"
      if ProcessInfo.processInfo.environment["PHBATCH_RECORD"] != nil {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "\(file)")
    }
  }

  private static let packaging = URL(filePath: #filePath)
    .appending(path: "../../../../packaging").standardizedFileURL.path
}
