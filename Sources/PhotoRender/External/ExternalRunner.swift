public import PhotoRecipes

/// Runs the programs of a recipe: rendering starts no process itself.
public protocol ExternalRunner: Sendable {
  /// Runs a program to its end, with `input` as its stdin and `output` as its stdout.
  ///
  /// Both are open files of the caller's; `output` is empty.
  func run(_ step: External, input: Int32, output: Int32) throws(ExternalFailure)
}

/// Why a program that a recipe runs gave no photo back.
public struct ExternalFailure: UserError, Hashable {
  public let message: String
  public let hint: String

  public init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
