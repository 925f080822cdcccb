import Foundation
import Glibc
import TestSupport

extension Workplace {
  /// Starts a watch over the library, for which files are stable after 0.05 s.
  func watch(
    _ arguments: [String] = [], environment: [String: String] = [:], prefix: [String] = []
  ) throws -> RunningCommand {
    try Command.start(
      ["watch", path("recipe.json"), library, "--settle", "0.05"] + arguments,
      environment: environment, prefix: prefix)
  }

  /// Waits until a watch, which may not have started yet, has processed all earlier changes.
  func sync(prefix: [String] = []) throws -> CommandResult {
    try Command.run(["watch", "--sync", library, "--wait", "600"], prefix: prefix)
  }
}

extension RunningCommand {
  /// Waits for a line on stdout with this text; false if the command ended without that line.
  func says(_ text: String) throws -> Bool {
    let end = ContinuousClock.now + .seconds(600)
    while .now < end {
      if try outputSoFar().contains(text) { return true }
      guard isRunning else { return try outputSoFar().contains(text) }
      usleep(5_000)
    }
    return false
  }
}
