import FoundationEssentials
import Glibc
import Notation
import PhotoRecipes

/// Finds the programs that a recipe runs, in the same way as a shell.
enum ProgramSearch {
  /// The reason why a program cannot be started; nil if it can.
  static func problem(of program: String) -> Problem? {
    if program.contains("/") {
      guard FileManager.default.fileExists(atPath: program) else {
        return .contradiction(
          "there is no program '\(program)'", remedy: "install it, or correct its path in 'command'"
        )
      }
      return isProgram(program)
        ? nil
        : .contradiction(
          "'\(program)' cannot be run", remedy: "begin 'command' with a program")
    }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    let isFound = folders.split(separator: ":", omittingEmptySubsequences: false).contains {
      isProgram("\($0.isEmpty ? "." : $0)/\(program)")
    }
    return isFound
      ? nil
      : .contradiction(
        "there is no program '\(program)' in PATH",
        remedy: "install it, or give its path in 'command'")
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}

/// The error of a recipe that runs a program, in a run that does not allow programs.
public struct ExternalNotAllowed: CommandError, Hashable {
  public let message: String
  public let hint: String
  public var code: ExitCode { .usage }

  init(_ id: String, _ step: External) {
    let command = JSON.array(step.command.map(JSON.string)).compactText
    message = "the step '\(id)' runs another program: \(command)"
    hint = "use --allow-external if you trust the recipe"
  }
}
