import Foundation

/// Runs shell commands with which tests change the system: mounts, and copies with all attributes
/// of a file.
public enum Shell {
  /// The error of a command that did not exit with 0.
  public struct Failure: Error {
    public let command: String
    public let code: Int32
  }

  /// Runs a command of `sh` to its end; its error messages are not shown.
  ///
  /// - Throws: `Failure`, or the error of starting the shell.
  public static func run(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: command, code: process.terminationStatus)
    }
  }
}
