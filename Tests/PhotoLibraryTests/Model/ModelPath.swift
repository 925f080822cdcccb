import Synchronization
import SystemPackage

/// A path of the model; there is one object for each path, so that paths are compared quickly.
final class ModelPath: Hashable, Sendable {
  let path: FilePath
  /// The folder; nil for paths at the top of the library.
  let folder: ModelPath?

  private static let known = Mutex<[String: ModelPath]>([:])

  private init(_ path: FilePath, in folder: ModelPath?) {
    self.path = path
    self.folder = folder
  }

  /// The object for a path; nil for the library itself.
  static func folder(_ path: FilePath) -> ModelPath? { path.isEmpty ? nil : of(path) }

  static func of(_ path: FilePath) -> ModelPath {
    let text = path.string
    if let known = known.withLock({ $0[text] }) { return known }
    let new = ModelPath(path, in: folder(path.removingLastComponent()))
    return known.withLock { known in
      if let other = known[text] { return other }
      known[text] = new
      return new
    }
  }

  /// True for the folder itself, too.
  func isBelow(_ folder: ModelPath?) -> Bool {
    guard let folder else { return true }
    return self == folder || self.folder?.isBelow(folder) ?? false
  }

  static func == (a: ModelPath, b: ModelPath) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
