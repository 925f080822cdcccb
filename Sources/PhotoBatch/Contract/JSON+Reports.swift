public import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

extension JSON.Object {
  /// Adds a path as text; if the text does not reproduce the path's bytes, also adds the bytes in
  /// Base64.
  public mutating func add(_ path: FilePath, as key: String) {
    let text = String(decoding: path.bytes, as: UTF8.self)
    self[key] = .string(text)
    if Array(text.utf8) != path.bytes { self["\(key)Bytes"] = .string(Base64.encode(path.bytes)) }
  }

  /// Creates the first members of a report about a photo: its path and, if its sidecar has a
  /// problem, the problem.
  init(photo path: FilePath, problem: Reason?) {
    self.init()
    add(path, as: "file")
    self["problem"] = problem.map { .string($0.rawValue) }
  }

  /// Creates the first members of a report about an edit: its identifier, version and date.
  init(edit identifier: String, version: String, date: String) {
    self.init()
    self["identifier"] = .string(identifier)
    self["version"] = .string(version)
    self["date"] = .string(date)
  }

  /// Creates a report about one stack of a photo; `variant` is nil for the main stack, and `edits`
  /// begins with the oldest edit.
  init(stack variant: String?, edits: [JSON]) {
    self.init()
    self["variant"] = variant.map(JSON.string)
    self["adjustments"] = .array(edits)
  }
}
