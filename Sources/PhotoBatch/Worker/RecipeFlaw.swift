import Notation
import PhotoRecipes
import PhotoRender

/// A flaw in a part of a recipe because of which no photo can be rendered, as a worker found it.
struct RecipeFlaw: Sendable, Hashable {
  /// The text in the recipe that causes the flaw, such as a font or a file name.
  var text: String
  /// The key in the recipe that the text belongs to; nil if it may be any key.
  var key: String?
  var message: String
  var hint: String

  init(_ error: RenderError) {
    (text, key) = error.culprit ?? ("", nil)
    (message, hint) = (error.message, error.hint)
  }

  /// Creates the flaw of a part that a worker failed to check.
  init(_ part: RecipePart, _ failure: WorkerProcess.Failure) {
    (text, key) = part.place
    let known = PhotoFailure(failure)
    message = "\(part) cannot be checked: \(known.detail ?? "")"
    hint =
      switch failure {
      case .outOfMemory: "raise --memory, or \(part.relief)"
      case .timedOut: "raise --timeout, or \(part.relief)"
      case .crashed where part.files.isEmpty: "change it, and report a bug in phbatch"
      default: known.hint ?? ""
      }
  }

  init?(_ json: JSON) {
    guard let text = json["text"]?.string, let message = json["message"]?.string else {
      return nil
    }
    self.text = text
    key = json["key"]?.string
    self.message = message
    hint = json["hint"]?.string ?? ""
  }

  var json: JSON {
    var object = JSON.Object()
    object["text"] = .string(text)
    object["key"] = key.map(JSON.string)
    object["message"] = .string(message)
    object["hint"] = .string(hint)
    return .object(object)
  }

  /// The flaw as a problem of a document.
  var problem: Problem { .contradiction(message, remedy: hint) }
}
