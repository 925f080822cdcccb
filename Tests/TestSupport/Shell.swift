import Foundation

/// Changes of the system that tests make: mounts, copies with all attributes of a file.
public enum Shell {
  /// A command did not end with 0.
  public struct Failure: Error {
    public let command: String
    public let code: Int32
  }

  /// Runs a command of `sh` to its end; what it says of a failure is not shown.
  ///
  /// - Throws: `Failure`, or why there is no shell.
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
