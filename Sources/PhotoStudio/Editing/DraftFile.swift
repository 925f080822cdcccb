import Glibc
import Hashing
import Notation
import PhotoLibrary
import Synchronization
import SystemPackage

/// The file of a recipe's draft, in the state folder of the output root.
///
/// One studio at a time owns it, by a kernel lock on a file beside it. The lock ends with the
/// process, however the process ends. One thread at a time may call functions that write.
final class DraftFile: Sendable {
  /// The result of reading the file when a studio opens.
  enum Finding: Sendable {
    /// There is no draft, or another studio is still editing it.
    case none
    case draft(Draft)
    /// The draft is damaged, or was written by another version of phbatch.
    case unreadable(Unreadable)
  }

  /// A draft that cannot be read; it is never overwritten.
  struct Unreadable: Sendable, Hashable {
    /// The path of the file in the output root, under its new name if it has one.
    let path: FilePath
    let isRenamed: Bool
  }

  private static let folder = OutputRoot.stateFolder.appending("studio")
  /// The maximum size in bytes; own settings of 100,000 photos are usually smaller.
  static let largestSize = 64 << 20

  private let root: OutputRoot
  /// The maximum size in bytes of a file that is written or read.
  private let limit: Int
  private let path: FilePath
  private let lockPath: FilePath
  /// The lock of the owner, and the file to which it appends.
  private struct Held {
    let lock: OpenFile
    /// Nil until the file is written, and after an error, which can leave a part of a line.
    var writer: OpenFile?
    /// The size of the file in bytes.
    var size = 0
    /// The size in bytes of the part that was written as a whole.
    var whole = 0
  }
  private let held = Mutex<Held?>(nil)

  /// Names the draft of the recipe with this absolute path; reads and writes nothing.
  init(of recipe: FilePath, in root: OutputRoot, limit: Int = largestSize) {
    (self.root, self.limit) = (root, limit)
    let name = Hash.of(recipe.bytes).prefix(8).map { $0.digits(2, radix: 16) }.joined()
    path = Self.folder.appending("\(name).json")
    lockPath = Self.folder.appending("\(name).lock")
  }

  /// Finds the draft of a studio that ended without saving.
  ///
  /// A draft that cannot be decoded is renamed, so that it stays when this studio writes its own. A
  /// draft that can be decoded in part stays in its place, and is copied, for the same reason.
  func read() -> Finding {
    do {
      guard try root.files.status(at: path) != nil else { return .none }
      if try acquire() == .other { return .none }
      // A larger file was not written by this version.
      if let bytes = try? root.files.read(path, limit: limit), var draft = Draft(bytes) {
        if draft.damage != nil { draft.damage?.copy = try copied(bytes) }
        return .draft(draft)
      }
    } catch {
      release()
      return .unreadable(Unreadable(path: path, isRenamed: false))
    }
    defer { release() }
    let aside = try? setAside()
    return .unreadable(Unreadable(path: aside ?? path, isRenamed: aside != nil))
  }

  /// The names for damaged drafts: `x.json.damaged`, `x.json.damaged-2` and so on.
  private var names: some Sequence<FilePath> {
    (1...).lazy.map { [path] in
      FilePath("\(path.string).damaged" + ($0 == 1 ? "" : "-\($0)"))
    }
  }

  /// Writes a copy of the damaged draft under the first free name, unless an earlier studio has.
  private func copied(_ bytes: [UInt8]) throws -> FilePath {
    for name in names {
      if try root.files.status(at: name) == nil {
        // The lock prevents that another studio takes the name meanwhile.
        try root.files.replace(name, with: bytes)
        return name
      }
      if (try? root.files.read(name, limit: limit)) == bytes { return name }
    }
    return path
  }

  /// Renames the draft to the first free name.
  private func setAside() throws -> FilePath {
    guard let aside = try names.first(where: { try root.files.status(at: $0) == nil }) else {
      return path
    }
    try root.files.rename(path, to: aside, .replacing)
    try root.files.synchronize(folder: Self.folder)
    return aside
  }

  /// Writes the whole draft.
  ///
  /// - Throws: `Refusal` if another studio owns the file, or has left a draft in it, or if the draft
  ///   is too large to be read again.
  func write(_ draft: Draft) throws {
    switch try acquire() {
    case .already: break
    case .now:
      if try root.files.status(at: path) == nil { break }
      held.withLock { $0 = nil }
      throw Refusal(
        409, "another studio has left a draft of this recipe in '\(path.string)'",
        hint: "end this studio and open it again to continue or discard that draft")
    case .other:
      throw Refusal(
        409, "another studio has unsaved changes of this recipe", hint: "save the changes here")
    }
    let bytes = draft.bytes
    held.withLock { $0?.writer = nil }
    guard bytes.count <= limit else {
      throw Refusal(
        409, "the draft would be larger than \(limit >> 20) MiB", hint: "save the changes")
    }
    try root.files.replace(path, with: bytes)
    let writer = try root.files.openAtEnd(path)
    held.withLock { held in
      held?.writer = writer
      held?.size = bytes.count
      held?.whole = bytes.count
    }
  }

  /// Appends a change to the draft.
  ///
  /// - Returns: False if the whole draft must be written instead: this studio has not written it
  ///   yet, its file was removed, or its file would become too large or much longer than its
  ///   content.
  func append(_ change: Draft.Change) throws -> Bool {
    let line = change.line
    let found = held.withLock { held -> OpenFile? in
      defer { held?.writer = nil }
      guard let held, held.size <= 2 * held.whole + (1 << 20), held.size + line.count <= limit
      else { return nil }
      return held.writer
    }
    guard let writer = found,
      try root.files.status(at: path)?.identity.inode
        == root.files.status(of: writer).identity.inode
    else { return false }
    try root.files.write(line, to: writer)
    try root.files.synchronize(writer)
    held.withLock { held in
      held?.writer = writer
      held?.size += line.count
    }
    return true
  }

  /// Removes the draft, and the lock's file with it.
  ///
  /// Errors are ignored: the draft is then offered once more.
  func remove() {
    held.withLock { held in
      guard held != nil else { return }
      try? root.files.remove(path)
    }
    release()
  }

  /// Ends the ownership of the file, and removes the lock's file and an empty folder.
  private func release() {
    held.withLock { held in
      guard held != nil else { return }
      try? root.files.remove(lockPath)
      try? root.files.removeFolder(Self.folder)
      held = nil
    }
  }

  /// The owner of the file.
  private enum Owner {
    /// This studio owned it before, or owns it from now on.
    case already, now
    case other
  }

  /// Makes this studio the owner of the file, unless another studio owns it.
  private func acquire() throws -> Owner {
    try held.withLock { held in
      if held != nil { return .already }
      try root.prepare()
      while true {
        try root.files.createFolders(Self.folder)
        let file = try root.files.openLock(lockPath)
        if !file.withDescriptor({ flock($0.rawValue, LOCK_EX | LOCK_NB) == 0 }) { return .other }
        // An owner that ends removes the lock's file, so the locked file may have no name.
        let named = try root.files.status(at: lockPath)
        if try named?.identity.inode == root.files.status(of: file).identity.inode {
          held = Held(lock: file)
          return .now
        }
      }
    }
  }
}
