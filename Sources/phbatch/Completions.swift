import ArgumentParser
import PhotoBatch

/// The `completions` command, which prints the completion script for a shell.
///
/// The file is beside the file of the root command, because the command describes the root command.
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print a script that completes commands, options and files in a shell.",
    discussion: """
      EXAMPLES
        phbatch completions bash > ~/.local/share/bash-completion/completions/phbatch
        phbatch completions zsh > ~/.zfunc/_phbatch
        phbatch completions fish > ~/.config/fish/completions/phbatch.fish
      """)

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    fileprivate var parserShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  func run() throws { Message.result(Phbatch.completionScript(for: shell.parserShell)) }
}
