import ArgumentParser
import Foundation
import PhotoBatch
import PhotoRecipes

struct Phbatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phbatch",
    abstract: "Photos' non-destructive editing, for plain folders.",
    discussion: """
      A recipe says what to do with photos. 'phbatch run' applies it to a folder of them and writes \
      renditions, and beside each original a sidecar with its adjustments. Originals are never \
      touched.
      """,
    version: Engine.version,
    subcommands: [
      Run.self, Watch.self, Status.self, History.self, Verify.self, Adjust.self, Revert.self,
      Undo.self,
      Repair.self, Relink.self, Preview.self, Explain.self, Validate.self, Schema.self,
      Filters.self, Init.self, Import.self, Doctor.self,
    ])

  /// Runs the command that the arguments name, and exits with its code.
  static func start() async {
    do {
      var command = try parseAsRoot(ArgumentWords.normalized(CommandLine.arguments))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let code as PhotoBatch.ExitCode {
      Foundation.exit(code.rawValue)
    } catch let error as any UserError {
      Message.error(error)
      Foundation.exit(PhotoBatch.ExitCode(error).rawValue)
    } catch {
      exit(withError: error)
    }
  }
}
