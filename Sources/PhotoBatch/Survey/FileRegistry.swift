import Glibc
import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// The paths of the files that recipes used in earlier runs over an output root, by the files'
/// digests.
///
/// A recorded edit is rendered again only with files of the recorded digests. The registry only
/// states the path at which such a file may be; `open` then checks the file's digest. If the
/// registry is lost, the next run of a recipe adds the recipe's files again.
struct FileRegistry: Sendable {
  private static let path: FilePath = ".phbatch/files.json"
  /// The maximum size of the registry in bytes, enough for about 100,000 files.
  private static let limit = 16 << 20
  /// The number of entries above which entries of missing files are removed.
  private static let mostEntries = 10_000

  private var locations: [String: String] = [:]
  private var isChanged = false
  private let opened = OpenedFiles()

  /// Reads the registry; it is empty if its file is missing or unreadable.
  init(of root: OutputRoot) {
    guard let bytes = try? root.files.read(Self.path, limit: Self.limit),
      let json = JSONParser.parse(SourceText(name: Self.path.string, bytes: bytes)).json
    else { return }
    for member in json.object?.members ?? [] { locations[member.key] = member.value.string }
  }

  /// Reads the registry, and adds the files of a recipe.
  init(of root: OutputRoot, adding files: NamedFiles) {
    self.init(of: root)
    add(files)
  }

  /// Adds the files of a recipe.
  private mutating func add(_ files: NamedFiles) {
    for entry in files.entries.values {
      let place = entry.location.string
      guard locations[entry.sha256] != place else { continue }
      locations[entry.sha256] = place
      isChanged = true
    }
  }

  /// Saves new entries; errors are ignored, because no run depends on the registry.
  func save(in root: OutputRoot) {
    guard isChanged else { return }
    var kept = locations
    if kept.count > Self.mostEntries {
      kept = kept.filter { unsafe access($0.value, F_OK) == 0 }
    }
    let members = kept.sorted { $0.key < $1.key }
    let json = JSON.object(
      JSON.Object(members.map { JSON.Object.Member($0.key, .string($0.value)) }))
    try? root.files.replace(Self.path, with: json.canonicalBytes)
  }

  /// Opens the registered file with this digest; nil if its path is unknown or the file has
  /// changed.
  func open(sha256: String) -> OpenFile? {
    if let file = opened.file(sha256: sha256) { return file }
    guard let location = locations[sha256] else { return nil }
    let path = FilePath(location)
    guard let name = path.lastComponent,
      let files = try? RealFileSystem(root: path.removingLastComponent()),
      let file = try? files.open(FilePath(root: nil, [name])),
      let identity = try? files.status(of: file).identity,
      !opened.isOther(identity, than: sha256), let digest = try? Digest(of: file, in: files)
    else { return nil }
    if "\(digest)" != sha256 {
      opened.note(identity, isOtherThan: sha256)
      return nil
    }
    opened.keep(file, sha256: sha256, in: files)
    return file
  }
}

/// Keeps files open that were found by their digests, so that a run over many photos hashes each
/// file only once.
private final class OpenedFiles: Sendable {
  private struct Entry {
    let file: OpenFile
    let files: RealFileSystem
    let identity: FileIdentity
  }

  private static let limit = 50

  private let entries = Mutex<[String: Entry]>([:])
  /// For each digest, the identity of the file at the registered path if its bytes have another
  /// digest.
  private let others = Mutex<[String: FileIdentity]>([:])

  /// The open file with this digest; nil if it is not open or has changed since it was hashed.
  func file(sha256: String) -> OpenFile? {
    entries.withLock { entries in
      guard let entry = entries[sha256] else { return nil }
      if (try? entry.files.status(of: entry.file).identity) == entry.identity { return entry.file }
      entries[sha256] = nil
      return nil
    }
  }

  func isOther(_ identity: FileIdentity, than sha256: String) -> Bool {
    others.withLock { $0[sha256] == identity }
  }

  func note(_ identity: FileIdentity, isOtherThan sha256: String) {
    others.withLock { $0[sha256] = identity }
  }

  func keep(_ file: OpenFile, sha256: String, in files: RealFileSystem) {
    guard let identity = try? files.status(of: file).identity else { return }
    entries.withLock { entries in
      if entries.count >= Self.limit { entries = [:] }
      entries[sha256] = Entry(file: file, files: files, identity: identity)
    }
  }
}
