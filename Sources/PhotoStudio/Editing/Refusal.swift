import Notation
import SystemPackage

/// The reason why the studio refuses a request of the page.
struct Refusal: UserError, Hashable {
  /// The HTTP status of the response.
  let status: Int
  let message: String
  let hint: String
  /// The values that differ if the recipe's file and the edit have both changed.
  private(set) var differences: [RecipeDifference] = []

  init(_ status: Int, _ message: String, hint: String) {
    (self.status, self.message, self.hint) = (status, message, hint)
  }

  /// The library could not be read again after a save, a run or a reversion.
  init(unread error: any Error) {
    let reason = (error as? any UserError)?.message ?? "\(error)"
    self.init(
      409, "the library could not be read again: \(reason)",
      hint: "end the studio and open it again")
  }

  /// Another program has changed the recipe's file, and the edit has changed the recipe, too.
  init(changed recipe: FilePath, onDisk: [UInt8], mine: RecipeText) {
    self.init(
      412, "'\(recipe.string)' was changed by another program since it was opened",
      hint: "save that version under another name, or undo your change of the recipe here")
    differences = RecipeDifference.all(onDisk: onDisk, mine: mine.bytes)
  }

  init(_ obstacle: RecipeText.Obstacle) {
    status = 422
    switch obstacle {
    case .unreadable: (message, hint) = ("the recipe cannot be read", "")
    case .noStep(let id): (message, hint) = ("the recipe has no step '\(id)'", "reload the page")
    case .inherited(let id):
      message = "the step '\(id)' comes from the recipe that this one extends"
      hint = "turn it off here, or change it there"
    case .known(let id):
      (message, hint) = ("the recipe already has a step '\(id)'", "give the new one another id")
    case .noParameter(let name):
      (message, hint) = ("the recipe has no parameter '\(name)'", "reload the page")
    case .noDefault(let name):
      (message, hint) = ("the parameter '\(name)' needs a default", "set another value")
    }
  }
}
