import Notation

/// The reason why the studio refuses a request of the page.
struct Refusal: UserError, Hashable {
  /// The HTTP status of the response.
  let status: Int
  let message: String
  let hint: String

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
