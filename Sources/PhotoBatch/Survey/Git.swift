import Dispatch
import Foundation
import Glibc
import PhotoLibrary
import Synchronization
import SystemPackage

/// Runs the program git in a folder.
struct Git: Sendable {
  private let folder: OpenFile

  init(in folder: OpenFile) { self.folder = folder }

  /// The result of one call.
  struct Result: Sendable {
    let code: Int32
    let output: [UInt8]
    /// The first line that git wrote to stderr.
    let complaint: String
  }

  /// Environment variables that git sets for its hooks; they would select another repository than
  /// the one around the folder.
  ///
  /// - Source: git-rev-parse(1), `--local-env-vars`.
  private static let foreignVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
  ]

  /// Runs git with these arguments, on its own thread because it blocks.
  ///
  /// - Throws: `MissingInput` if git is not installed.
  func run(_ arguments: String...) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "phbatch.git").async {
        continuation.resume(with: Swift.Result { try call(arguments) })
      }
    }
  }

  private func call(_ arguments: [String]) throws -> Result {
    defer { withExtendedLifetime(folder) {} }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // The folder is named by its descriptor, because its path may not be UTF-8, or may already
    // belong to another folder.
    let place = folder.withDescriptor { "/proc/\(getpid())/fd/\($0.rawValue)" }
    process.arguments = ["git", "-C", place, "-c", "core.fsmonitor=false"] + arguments
    var environment = ProcessInfo.processInfo.environment
    for name in Self.foreignVariables { environment[name] = nil }
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_LITERAL_PATHSPECS"] = "1"
    environment["LC_ALL"] = "C"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let (output, complaints) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = complaints
    try process.run()
    let heard = Mutex(Data())
    let listening = DispatchGroup()
    DispatchQueue(label: "phbatch.git.stderr").async(group: listening) {
      let bytes = (try? complaints.fileHandleForReading.readToEnd()) ?? Data()
      heard.withLock { $0 = bytes }
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    listening.wait()
    process.waitUntilExit()
    let words = heard.withLock { String(decoding: $0, as: UTF8.self) }
    // env(1) ends with this code if the program is not found.
    if process.terminationStatus == 127 {
      throw MissingInput(
        "git, which --since needs, is not installed",
        hint: "install git, or list the photos with --files-from")
    }
    return Result(
      code: process.terminationStatus, output: Array(bytes),
      complaint: words.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
  }
}

extension Git.Result {
  /// The only line of the output, byte for byte.
  var line: [UInt8] { output.last == UInt8(ascii: "\n") ? output.dropLast() : output }

  var text: String { String(decoding: line, as: UTF8.self) }

  /// The paths of an output with `-z`.
  var paths: [FilePath] {
    output.split(separator: 0).compactMap { FilePath(bytes: $0) }
  }
}
