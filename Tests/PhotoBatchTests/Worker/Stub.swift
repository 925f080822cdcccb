import Foundation
import SystemPackage
import TestSupport

@testable import PhotoBatch

/// Starts workers that misbehave; see `Tests/WorkerStub`.
enum Stub {
  static var executable: String {
    URL(filePath: Command.executable).deletingLastPathComponent().appending(path: "WorkerStub")
      .path
  }

  /// Runs the program with these arguments and returns its output.
  static func run(_ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: executable)
    process.arguments = words
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes a script that starts misbehaving workers: always, or only the first time if `once` is
  /// true.
  static func script(
    _ role: String, once: Bool = false, in folder: TemporaryFolder
  ) throws -> String {
    let mark = once ? folder["mark"].string : ""
    let script = """
      #!/bin/sh
      exec '\(executable)' \(role) '\(mark)' '\(Command.executable)' "$@"

      """
    let name = "worker-\(role)"
    try folder.writeProgram(script, to: name)
    return folder[name].string
  }
}

/// A temporary library with a recipe; its runs take place in the test's own process.
struct Library {
  let folder: TemporaryFolder

  /// Creates the photos, and a recipe that selects them by their headers if `conditions` are given.
  init(_ photos: [String], selecting conditions: String? = nil) throws {
    folder = try TemporaryFolder()
    for name in photos {
      let bytes =
        try name.hasSuffix(".png")
        ? SyntheticPhoto.png(width: 400, height: 300)
        : SyntheticPhoto.jpeg(width: 400, height: 300)
      try folder.write(bytes, to: "photos/\(name)")
    }
    try folder.write(
      """
      {"identifier": "org.example.stub", "version": "1.0.0", "variant": "web",
       \(conditions.map { "\"select\": {\"where\": \($0)}," } ?? "")
       "filters": [{"filter": "exposure", "stops": 0.5}],
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """, to: "recipe.json")
  }

  func run(_ options: BatchOptions) async throws -> [AssetOutcome] {
    let batch = try Batch(
      recipe: folder["recipe.json"], library: folder["photos"], options: options)
    let outcomes = Outcomes()
    _ = try await batch.run { event in
      if case .finished(let outcome) = event { outcomes.add(outcome) }
    }
    return outcomes.all
  }

  func reasons(_ options: BatchOptions) async throws -> [String: Reason] {
    Dictionary(
      uniqueKeysWithValues: try await run(options).map { ($0.path.string, $0.reason) })
  }
}
