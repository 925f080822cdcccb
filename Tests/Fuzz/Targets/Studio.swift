import Notation
import PhotoStudio

extension FuzzTarget {
  /// The requests and the WebSocket messages of a browser, and the edits of a recipe's text.
  static let studio = [
    FuzzTarget("http") { bytes in
      do throws(HTTPProblem) {
        let request = try HTTPRequest(head: bytes[...])
        _ = try request.bodySize()
        _ = Access().refusal(of: request, needsToken: true)
      } catch {
        _ = "\(error)"
      }
    },
    FuzzTarget("websocket") { bytes in
      var decoder = WebSocketDecoder()
      do throws(WebSocketDecoder.Problem) {
        for start in stride(from: 0, to: bytes.count, by: 7) {
          decoder.feed(bytes[start..<min(start + 7, bytes.count)])
          while try decoder.next() != nil {}
        }
      } catch {
        _ = error.rawValue
      }
    },
    FuzzTarget("recipe-text") { bytes in
      var (text, key) = (RecipeText(bytes), "new")
      while String(decoding: bytes, as: UTF8.self).contains(key) { key += "x" }
      do throws(RecipeText.Obstacle) {
        for step in text.ownSteps.sorted(by: { $0.key < $1.key }).prefix(4) {
          try text.set([key, "inner"], of: step, to: .number(1))
          precondition(JSONTable(SourceText(name: "text", bytes: text.bytes)) != nil)
          try text.set([key], of: step, to: nil)
          precondition(text.bytes == bytes, "a change and its inverse changed the text")
          try text.moveStep(step, before: nil)
          precondition(JSONTable(SourceText(name: "text", bytes: text.bytes)) != nil)
          if let base = text.withoutOwnSteps { precondition(base.ownSteps.isEmpty) }
          try text.setParameter(key, to: .number(1), declared: .object(JSON.Object()))
          precondition(JSONTable(SourceText(name: "text", bytes: text.bytes)) != nil)
          text = RecipeText(bytes)
        }
      } catch {
        _ = "\(error)"
      }
    },
  ]
}
