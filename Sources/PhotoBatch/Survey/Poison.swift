import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Photos that ended a worker, so that the next run does not try them again.
///
/// One JSON object a line, in `.phbatch/poison`. An entry holds for a file's bytes and the versions
/// of phbatch and libvips; one for a lack of time or memory also for the settings, and only up to
/// what the photo had. The file is disposable: without it, such photos cost time.
final class Poison: Sendable {
  struct Entry: Sendable, Hashable {
    /// Of the file that was read.
    var sha256: String
    /// In bytes: a file of another size need not be hashed.
    var size: Int
    /// phbatch, its revision, and libvips.
    var engine: String
    var reason: Reason
    var detail: String
    /// The settings digest, and the seconds or bytes that were not enough.
    var settings: String?
    var limit: Int?

    /// Whether trying again with `limit` seconds or bytes would come to the same.
    func forbids(_ engine: String, _ settings: String, _ limits: [Reason: Int]) -> Bool {
      guard engine == self.engine else { return false }
      guard let limit else { return true }
      return settings == self.settings && limits[reason] ?? .max <= limit
    }
  }

  static let file = OutputRoot.stateFolder.appending("poison")
  /// The most entries that are kept, the newest.
  private static let longest = 1000

  private let files: RealFileSystem
  private let entries: Mutex<[Entry]>

  /// Reads what is remembered in an output root; with `forgets`, nothing is.
  init(in files: RealFileSystem, forgets: Bool) {
    self.files = files
    let bytes = forgets ? nil : try? files.read(Self.file, limit: 1 << 24)
    let lines = (bytes ?? []).split(separator: UInt8(ascii: "\n"))
    entries = Mutex(
      lines.compactMap { line in
        JSONParser.parse(SourceText(name: "poison", bytes: Array(line))).json
          .flatMap { Entry($0) }
      })
  }

  static func engine(libvips: String) -> String {
    "\(Engine.version) (\(Engine.revision)), libvips \(libvips)"
  }

  /// The entries of files of this size.
  func entries(size: Int) -> [Entry] { entries.withLock { $0.filter { $0.size == size } } }

  /// Remembers a photo; one that cannot be written down is tried again by the next run.
  func add(_ entry: Entry) {
    entries.withLock { entries in
      entries.removeAll { $0.sha256 == entry.sha256 && $0.settings == entry.settings }
      entries.append(entry)
      let text = entries.suffix(Self.longest).map { $0.json.compactText + "\n" }.joined()
      try? files.replace(Self.file, with: Array(text.utf8))
    }
  }
}

extension Poison.Entry {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["sha256"] = .string(sha256)
    object["size"] = .integer(size)
    object["engine"] = .string(engine)
    object["reason"] = .string(reason.rawValue)
    object["detail"] = .string(detail)
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
      settings: json["settings"]?.string, limit: json["limit"]?.integer)
  }
}
