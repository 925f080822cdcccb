import Notation
import PhotoBatch
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Measures live pictures, `LivePictures RECIPE PHOTO EDGE KEY FROM TO COUNT`: opens the photo in a
/// worker, moves one setting in steps, and prints as JSON the milliseconds from each request to its
/// JPEG file.
@main
enum LivePictures {
  static func main() throws {
    Worker.runIfAsked()
    let words = CommandLine.arguments
    guard words.count == 8, let edge = Int(words[3]), let from = Double(words[5]),
      let to = Double(words[6]), let count = Int(words[7]), count > 1
    else { throw Usage.wrong }
    let document = try RecipeDocument(contentsOf: FilePath(words[1]))
    let worker = LiveWorker(BatchOptions())
    let subject = try LiveWorker.subject(FilePath(words[2]))
    var picture = LivePicture(longEdge: edge)
    func show(_ value: Double) throws -> (Double, ShownPicture, Int) {
      let start = ContinuousClock.now
      let recipe = try document.recipe(
        overrides: [Assignment(key: words[4], value: .number(value))]
      ).recipe
      let (shown, jpeg) = try worker.show(recipe, on: subject, picture)
      return ((ContinuousClock.now - start).milliseconds, shown, jpeg.count)
    }
    let opening = try show(from).0
    var object = JSON.Object()
    object["opening"] = .number(opening)
    for isMoving in [true, false] {
      picture.isMoving = isMoving
      var rows: [JSON] = []
      for number in 0..<count {
        let value = from + (to - from) * Double(number) / Double(count - 1)
        let (time, shown, bytes) = try show(value)
        rows.append(
          .object([
            "total": .number(time), "planning": .number(shown.planning),
            "rendering": .number(shown.rendering), "bytes": .integer(bytes),
            "width": .integer(shown.size.width), "height": .integer(shown.size.height),
          ]))
      }
      object[isMoving ? "moving" : "resting"] = .array(rows)
    }
    print(JSON.object(object).compactText)
  }

  private enum Usage: Error { case wrong }
}
