import Foundation
import Glibc
import TestSupport
import Testing

/// Two libraries with the same photos: one for a single run, and one for the shards of a plan.
struct ShardPlace {
  static let fixed = ["SOURCE_DATE_EPOCH": "1700000000"]

  let alone: Workplace
  let shared: Workplace

  /// The photos are in seven folders; one folder has more than half of the photos, so a plan splits
  /// it.
  static let photos =
    (0..<14).map { "large/\($0).jpg" } + (0..<3).map { "\($0).jpg" }
    + (0..<2).map { "a/\($0).png" } + ["a/b/0.jpg", "c/0.jpg", "c/1.jpg", "d/e/0.jpg", "z z/ü.jpg"]

  init(_ photos: [String] = photos, output: String = #""name": "web", "format": "jpeg""#) throws {
    alone = try Workplace(photos)
    shared = try Workplace(photos)
    for place in [alone, shared] {
      // The results also contain a photo that fails and a photo that the recipe does not select.
      try place.folder.write("no photo", to: "photos/c/broken.jpg")
      try place.folder.write("text", to: "photos/a/readme.txt")
      try place.recipe(output: output)
      // Sidecars record the file dates of photos without dates in their metadata.
      for name in try place.folder.files() where name.hasPrefix("photos/") {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
          ofItemAtPath: place.path(name))
      }
    }
  }

  var planFile: String { shared.path("web.plan") }

  func plan(_ arguments: String...) throws -> CommandResult {
    try Command.run(
      ["plan", shared.path("recipe.json"), shared.library, "-o", planFile] + arguments,
      environment: Self.fixed)
  }

  func command(
    _ arguments: String..., environment: [String: String] = fixed
  ) throws
    -> CommandResult
  {
    try Command.run(arguments, environment: environment)
  }

  func shard(_ index: Int, _ arguments: String...) throws -> CommandResult {
    try Command.run(
      ["run", "--plan", planFile, "--shard", "\(index)"] + arguments, environment: Self.fixed)
  }

  func start(_ index: Int) throws -> RunningCommand {
    try Command.start(
      ["run", "--plan", planFile, "--shard", "\(index)"], environment: Self.fixed)
  }

  func merge(_ arguments: String...) throws -> CommandResult {
    try Command.run(["merge", planFile] + arguments, environment: Self.fixed)
  }

  /// Starts a script of a job with a test program in place of phbatch.
  func start(
    _ script: String, phbatch: String, environment: [String: String] = [:]
  ) throws -> Process {
    try shared.folder.writeProgram("#!/bin/sh\n\(phbatch)\n", to: "bin/phbatch")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(filePath: shared.path(""))
    process.environment = environment.merging(["PATH": "\(shared.path("bin")):/usr/bin:/bin"]) {
      $1
    }
    // The threads of the tests block signals, and a child process would inherit this.
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &usual)
    defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
    try process.run()
    return process
  }

  /// Makes a plan of two shards, and ends the first one in a commit.
  func interruptFirstShard() throws {
    _ = try plan("--shards", "2")
    let killed = try Command.run(
      ["run", "--plan", planFile, "--shard", "0"], environment: Self.fixed,
      prefix: Tracer.prefix("renameat2", injecting: "signal=KILL:when=9"))
    #expect(killed.code == 137)
    let journals = try shared.folder.files().filter { $0.hasSuffix(".commit") }
    #expect(!journals.isEmpty, "the shard was killed outside of a commit")
  }

  /// Runs the recipe over the library that is not divided into shards.
  func runAlone(_ arguments: String...) throws -> CommandResult {
    try Command.run(
      ["run", alone.path("recipe.json"), alone.library] + arguments, environment: Self.fixed)
  }

  /// The bytes of all files of a library, or of a folder beside it, without the state folder.
  static func tree(_ place: Workplace, below folder: String = "photos") throws -> [String: [UInt8]]
  {
    try place.snapshot(below: folder).compactMapValues(\.bytes)
  }

  /// The names of files whose bytes differ.
  func differences(below folder: String = "photos") throws -> [String] {
    let (first, second) = (
      try Self.tree(alone, below: folder), try Self.tree(shared, below: folder)
    )
    return Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }.sorted()
  }
}
