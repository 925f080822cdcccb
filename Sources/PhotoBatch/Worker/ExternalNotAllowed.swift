import PhotoRecipes

/// A recipe that runs a program, and a run that allows none.
public struct ExternalNotAllowed: CommandError, Hashable {
  public let message: String
  public let hint: String
  public var code: ExitCode { .usage }

  init(_ id: String, _ step: External) {
    let command = JSON.array(step.command.map(JSON.string)).compactText
    message = "the step '\(id)' runs another program: \(command)"
    hint = "say --allow-external if you trust the recipe"
  }
}
