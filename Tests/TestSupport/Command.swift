import Foundation
import Glibc

/// The `phbatch` command that was built together with the tests.
public enum Command {
  /// The path in the environment variable `PHBATCH`; if it is not set, `phbatch` in the folder of
  /// the test program.
  public static let executable: String = {
    if let named = ProcessInfo.processInfo.environment["PHBATCH"] { return named }
    let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return program.deletingLastPathComponent().appending(path: "phbatch").path
  }()

  /// Runs the command to its end; `prefix` is a program with arguments that starts the command,
  /// such as `["strace", "-f"]`.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    prefix: [String] = []
  ) throws -> CommandResult {
    try start(arguments, environment: environment, input: input, prefix: prefix).result()
  }

  /// Starts the command, for a test that acts on the command while it runs.
  public static func start(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    prefix: [String] = []
  ) throws -> RunningCommand {
    try RunningCommand(prefix + [executable] + arguments, environment, input)
  }
}

/// The result of a command that has ended.
public struct CommandResult: Sendable {
  /// The exit code, or 128 plus the signal.
  public let code: Int32
  /// The text on stdout.
  public let output: String
  /// The text on stderr.
  public let messages: String

  public var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The JSON objects on stdout, one per line.
  public var events: [[String: Any]] {
    get throws {
      try lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return object as? [String: Any] ?? [:]
      }
    }
  }
}

/// A running command.
public final class RunningCommand {
  private let process = Process()
  private let folder: URL

  public var number: Int32 { process.processIdentifier }
  public var isRunning: Bool { process.isRunning }

  init(_ words: [String], _ environment: [String: String], _ input: String?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Uses files for stdout and stderr, because the command would block on a full pipe.
    process.standardInput = try Self.input(input, folder)
    process.standardOutput = try Self.file(folder, "output")
    process.standardError = try Self.file(folder, "messages")
    _ = Self.signalsAreUsual
    try process.run()
  }

  /// Restores the default handling of signals.
  ///
  /// Programs that a shell starts in the background ignore SIGINT, and their child processes
  /// inherit this.
  private static let signalsAreUsual: Void = {
    for number in [SIGINT, SIGQUIT] { signal(number, SIG_DFL) }
  }()

  private static func input(_ text: String?, _ folder: URL) throws -> FileHandle {
    guard let text else { return .nullDevice }
    let place = folder.appending(path: "input")
    try Data(text.utf8).write(to: place)
    return try FileHandle(forReadingFrom: place)
  }

  private static func file(_ folder: URL, _ name: String) throws -> FileHandle {
    let place = folder.appending(path: name)
    try Data().write(to: place)
    return try FileHandle(forWritingTo: place)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  public func send(_ signal: Int32) { kill(number, signal) }

  /// The text on stdout up to now.
  public func outputSoFar() throws -> String { try text("output") }

  /// Waits until the command ends.
  public func result() throws -> CommandResult {
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return CommandResult(
      code: process.terminationStatus + (isSignal ? 128 : 0), output: try text("output"),
      messages: try text("messages"))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }
}
