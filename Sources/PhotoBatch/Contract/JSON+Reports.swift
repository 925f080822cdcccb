public import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

extension JSON.Object {
  /// A path as text, with its bytes in base64 where they are not UTF-8.
  public mutating func add(_ path: FilePath, as key: String) {
    let text = String(decoding: path.bytes, as: UTF8.self)
    self[key] = .string(text)
    if Array(text.utf8) != path.bytes { self["\(key)Bytes"] = .string(Base64.encode(path.bytes)) }
  }

  /// The photo's path and the problem with its sidecar, with which reports of photos begin.
  init(photo path: FilePath, problem: Reason?) {
    self.init()
    add(path, as: "file")
    self["problem"] = problem.map { .string($0.rawValue) }
  }

  /// The edit's identifier, version and date, with which reports of edits begin.
  init(edit identifier: String, version: String, date: String) {
    self.init()
    self["identifier"] = .string(identifier)
    self["version"] = .string(version)
    self["date"] = .string(date)
  }

  /// One stack of a photo, oldest edit first.
  init(stack variant: String?, edits: [JSON]) {
    self.init()
    self["variant"] = variant.map(JSON.string)
    self["adjustments"] = .array(edits)
  }
}
