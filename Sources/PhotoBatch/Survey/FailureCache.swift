import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// The photos that crashed a worker, exceeded its time or memory, or turned out to be of a kind
/// that cannot be rendered, stored so that the next run does not try them again.
///
/// The file `.phbatch/poison` has one JSON object per line. An entry is valid only for the file's
/// bytes, the versions of phbatch and libvips, and the installed programs and libraries. Except
/// after a crash, an entry is also valid only for the same settings; after a timeout or lack of
/// memory, only if the new limit is not higher. The file may be deleted; the photos are then tried
/// again.
final class FailureCache: Sendable {
  struct Entry: Sendable, Hashable {
    /// The SHA-256 digest of the file that the worker read, in hexadecimal.
    var sha256: String
    /// The file's size in bytes; a file with another size need not be hashed.
    var size: Int
    /// The result of `EditContext.engine`.
    var engine: String
    var reason: Reason
    var detail: String
    /// The hint about a photo that cannot be rendered; nil after other failures.
    var hint: String?
    /// The settings digest of the failed edit; nil after a crash, which does not depend on
    /// settings.
    var settings: String?
    /// The limit that was reached, in seconds after a timeout and in bytes after a lack of memory;
    /// nil after other failures.
    var limit: Int?

    /// True if another attempt with this engine, these settings and these limits, in seconds or
    /// bytes, would fail in the same way.
    func forbids(_ engine: String, _ settings: String, _ limits: [Reason: Int]) -> Bool {
      engine == self.engine && settings == self.settings ?? settings
        && limit.map { limits[reason] ?? .max <= $0 } ?? true
    }
  }

  static let file = OutputRoot.stateFolder.appending("poison")
  /// The maximum number of entries; the newest are kept.
  private static let longest = 4000

  private struct State {
    var entries: [Entry]
    /// The number of lines in the file.
    var lines: Int
  }

  private let files: RealFileSystem
  private let path: FilePath
  private let state: Mutex<State>

  /// Reads the failures that earlier runs recorded in an output root; if `forgets` is true, begins
  /// with an empty cache.
  ///
  /// A shard also reads the failures in its own folder, and writes all failures there.
  init(in files: RealFileSystem, forgets: Bool, _ state: CommitState = .library) {
    self.files = files
    path = Self.path(state)
    let own = forgets ? [] : Self.read(path, files)
    let others = forgets || path == Self.file ? [] : Self.read(Self.file, files)
    self.state = Mutex(State(entries: others + own, lines: own.count))
  }

  private static func path(_ state: CommitState) -> FilePath { state.folder.appending("poison") }

  private static func read(_ path: FilePath, _ files: RealFileSystem) -> [Entry] {
    let bytes = try? files.read(path, limit: 1 << 24)
    return (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      JSONParser.parse(SourceText(name: "poison", bytes: Array(line))).json.flatMap { Entry($0) }
    }
  }

  /// Adds the failures that a shard recorded.
  func add(of state: CommitState) {
    for entry in Self.read(Self.path(state), files) { add(entry) }
  }

  /// The entries of files of this size.
  func entries(size: Int) -> [Entry] { state.withLock { $0.entries.filter { $0.size == size } } }

  /// Adds the entry of a photo that failed, to the cache and to its file.
  ///
  /// If the file cannot be written, the next run tries the photo again.
  func add(_ entry: Entry) {
    state.withLock { state in
      state.entries.removeAll {
        $0.sha256 == entry.sha256 && $0.settings == entry.settings && $0.engine == entry.engine
      }
      state.entries.append(entry)
      // Lines of replaced and of old entries are removed from time to time.
      if state.lines > 0, state.lines < 2 * Self.longest, append(entry) {
        state.lines += 1
      } else {
        let kept = state.entries.suffix(Self.longest)
        try? files.replace(path, with: Array(kept.map(\.line).joined().utf8))
        state.lines = kept.count
      }
    }
  }

  /// Adds a line to the file; returns false if it does not exist or cannot be written.
  private func append(_ entry: Entry) -> Bool {
    guard let file = try? files.openAtEnd(path) else { return false }
    return (try? files.write(Array(entry.line.utf8), to: file)) != nil
  }
}

extension FailureCache.Entry {
  fileprivate var line: String { json.compactText + "\n" }

  private var json: JSON {
    var object = JSON.Object()
    object["sha256"] = .string(sha256)
    object["size"] = .integer(size)
    object["engine"] = .string(engine)
    object["reason"] = .string(reason.rawValue)
    object["detail"] = .string(detail)
    object["hint"] = hint.map(JSON.string)
    object["settings"] = settings.map(JSON.string)
    object["limit"] = limit.map(JSON.integer)
    return .object(object)
  }

  fileprivate init?(_ json: JSON) {
    guard let sha256 = json["sha256"]?.string, let size = json["size"]?.integer,
      let engine = json["engine"]?.string, let detail = json["detail"]?.string,
      let reason = json["reason"]?.string.flatMap({ Reason(rawValue: $0) })
    else { return nil }
    self.init(
      sha256: sha256, size: size, engine: engine, reason: reason, detail: detail,
      hint: json["hint"]?.string, settings: json["settings"]?.string,
      limit: json["limit"]?.integer)
  }
}
