import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

extension JSON.Object {
  /// Adds a path as text, with its bytes in base64 beside it where they are not UTF-8.
  public mutating func add(_ path: FilePath, as key: String) {
    let text = String(decoding: path.bytes, as: UTF8.self)
    self[key] = .string(text)
    if Array(text.utf8) != path.bytes { self["\(key)Bytes"] = .string(Base64.encode(path.bytes)) }
  }
}
