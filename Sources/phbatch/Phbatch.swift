import ArgumentParser
import Glibc
import Notation
import PhotoBatch
import PhotoRecipes

/// The command.
///
/// Each subcommand states its name, because ArgumentParser takes several percent of the time of a
/// short command to derive a name from a type.
struct Phbatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phbatch",
    abstract: "Non-destructive photo editing for plain folders.",
    discussion: """
      A recipe describes how to edit photos. 'phbatch run' applies it to a folder of photos and \
      writes renditions, and a sidecar with the adjustments beside each original. Originals are \
      never changed.
      """,
    version: Engine.version,
    subcommands: [
      Run.self, Plan.self, Merge.self, Submit.self, Watch.self, Status.self, History.self,
      Verify.self, Adjust.self, Revert.self,
      Undo.self,
      Repair.self, Relink.self, Prune.self, Preview.self, StudioCommand.self, Explain.self,
      Validate.self, Schema.self,
      Filters.self, Init.self, Import.self, Export.self, Doctor.self,
      Completions.self,
    ])

  /// Runs the command that the arguments name, and exits with its code.
  static func start() async {
    do {
      var command = try parseAsRoot(ArgumentWords.normalized(CommandLine.arguments))
      try SourceDate.check()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      end(with: .success)
    } catch let code as PhotoBatch.ExitCode {
      end(with: code)
    } catch let error as any UserError {
      Message.error(error)
      end(with: PhotoBatch.ExitCode(error))
    } catch {
      end(with: error)
    }
  }

  /// Exits after a usage error, or prints the help text or the version that the user requested.
  private static func end(with error: any Error) -> Never {
    guard exitCode(for: error).isSuccess else { exit(withError: error) }
    let text = fullMessage(for: error)
    if !text.isEmpty { Message.result(text) }
    end(with: .success)
  }

  /// Exits with the code of the command, or of the error if some results could not be written to
  /// stdout.
  ///
  /// Threads may still work, for example in a studio that ends. `exit` would destroy what libraries
  /// share while these threads use it: a thread that computes a digest crashes in OpenSSL.
  private static func end(with code: PhotoBatch.ExitCode) -> Never {
    guard let obstacle = Message.lostResults else { quick_exit(code.rawValue) }
    Message.say("Error: some results cannot be written to stdout: \(obstacle)")
    Message.say("  hint: all other work is done; run the command again to see its output")
    quick_exit((code == .success ? PhotoBatch.ExitCode(obstacle) : code).rawValue)
  }
}
