public import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension PhotoPlan {
  /// The plan as members of a JSON object: `action`, `why` and `files`.
  public var members: JSON.Object {
    if let recorded { return recorded }
    var object = JSON.Object()
    object["action"] = .string(action.word)
    object["why"] = .array(stale.map(\.json))
    object["files"] = .array(files.map(\.json))
    return object
  }
}

extension StaleOutput {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["output"] = .string(output)
    object["edit"] = edit.map(JSON.string)
    object["reasons"] = .array(
      reasons.map {
        .object(["reason": .string($0.kind.rawValue), "text": .string($0.description)])
      })
    return .object(object)
  }
}

extension PlannedFile {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["change"] = .string(change.rawValue)
    if let path { object.add(path, as: "file") }
    object["output"] = output.map(JSON.string)
    object["template"] = template.map(JSON.string)
    if isConditional { object["conditional"] = .bool(true) }
    return .object(object)
  }
}
