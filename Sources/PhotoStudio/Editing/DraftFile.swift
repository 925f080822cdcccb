import Glibc
import Hashing
import Notation
import PhotoLibrary
import Synchronization
import SystemPackage

/// The file of a recipe's draft, in the state folder of the output root.
///
/// One studio at a time owns it, by a kernel lock on a file beside it. The lock ends with the
/// process, however the process ends.
final class DraftFile: Sendable {
  private static let folder = OutputRoot.stateFolder.appending("studio")
  /// The maximum size in bytes; own settings of 100,000 photos are smaller.
  private static let limit = 64 << 20

  private let root: OutputRoot
  private let path: FilePath
  private let lockPath: FilePath
  private let lock = Mutex<OpenFile?>(nil)

  /// Names the draft of the recipe with this absolute path; reads and writes nothing.
  init(of recipe: FilePath, in root: OutputRoot) {
    self.root = root
    let name = Hash.of(recipe.bytes).prefix(8).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
    path = Self.folder.appending("\(name).json")
    lockPath = Self.folder.appending("\(name).lock")
  }

  /// The draft of a studio that ended without saving; nil if there is none, if it is damaged, or if
  /// another studio is still editing it.
  func read() -> Draft? {
    guard (try? acquire(creates: false)) == true,
      let bytes = try? root.files.read(path, limit: Self.limit)
    else { return nil }
    return JSONParser.parse(SourceText(name: path.string, bytes: bytes)).json.flatMap { Draft($0) }
  }

  /// Writes the draft, unless another studio owns the file.
  func write(_ draft: Draft) throws {
    guard try acquire(creates: true) else { return }
    try root.files.replace(path, with: Array(draft.json.compactText.utf8))
  }

  /// Removes the draft, and the lock's file with it.
  ///
  /// Errors are ignored: the draft is then offered once more.
  func remove() {
    lock.withLock { held in
      guard held != nil else { return }
      try? root.files.remove(path)
      try? root.files.remove(lockPath)
      try? root.files.removeFolder(Self.folder)
      held = nil
    }
  }

  /// True if this studio owns the file.
  private func acquire(creates: Bool) throws -> Bool {
    try lock.withLock { held in
      if held != nil { return true }
      if try root.files.status(at: lockPath) == nil {
        guard creates else { return false }
        try root.prepare()
        try root.files.createFolders(Self.folder)
        try root.files.replace(lockPath, with: [])
      }
      let file = try root.files.open(lockPath)
      let isFree = file.withDescriptor { flock($0.rawValue, LOCK_EX | LOCK_NB) == 0 }
      if isFree { held = file }
      return isFree
    }
  }
}
