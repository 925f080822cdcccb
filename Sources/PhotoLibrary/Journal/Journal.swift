import Notation
import PhotoRecipes
import SystemPackage

/// The changes of a commit, recorded before the first of them is made.
///
/// Once the journal is on disk, each group of changes that belong together is either completed or
/// taken back: immediately, or in the recovery after a crash.
struct Journal: Sendable, Hashable {
  /// The identifier, which begins with a number that orders the commits of one run.
  let id: String
  /// True if all units succeed or fail together.
  let isAtomic: Bool
  /// The number of the run; files that the run replaces or removes are moved to its trash folder.
  let run: Int
  var units: [Unit]

  /// The files of one photo: renditions, then the sidecar.
  struct Unit: Sendable, Hashable {
    var entries: [Entry]
  }

  /// The change of the file with one name.
  struct Entry: Sendable, Hashable {
    let path: FilePath
    /// The temporary path.
    ///
    /// It has the new bytes before the change, and the old bytes after it.
    let temporary: FilePath
    /// The digest of the new bytes; nil if the file is removed.
    let new: Digest?
    /// The digest of the old bytes; nil if no file has the name before the change.
    let old: Digest?
    /// The name in the trash of the old file; nil if the old file is not kept.
    let trashName: FilePath.Component?
  }

  /// The units in groups; all units of a group must succeed or fail together.
  var wholes: [[Unit]] { isAtomic ? [units] : units.map { [$0] } }
}

extension Journal {
  private static let version = 1

  /// The text of the journal with a seal that only this machine can compute.
  func text(_ seal: JournalSeal) -> [UInt8] {
    var object = JSON.Object()
    object["version"] = .integer(Self.version)
    object["id"] = .string(id)
    object["atomic"] = .bool(isAtomic)
    object["run"] = .integer(run)
    object["units"] = .array(units.map { .array($0.entries.map(\.json)) })
    let journal = JSON.object(object)
    let sealed = JSON.object([
      "journal": journal, "seal": .string(seal.mark(of: journal.compactText)),
    ])
    return sealed.compactBytes + [UInt8(ascii: "\n")]
  }

  /// Reads a journal.
  ///
  /// - Throws: `.illegible` unless the journal is complete and has this format; `.forged` if
  ///   another machine wrote it, or if it names paths that phbatch never publishes.
  init(_ text: [UInt8], _ seal: JournalSeal) throws(JournalFlaw) {
    let source = SourceText(name: "journal", bytes: text)
    let (json, diagnostics) = JSONParser.parse(source)
    guard let json, diagnostics.isEmpty, let journal = json["journal"],
      let mark = json["seal"]?.string, journal["version"]?.integer == Self.version,
      let id = journal["id"]?.string, let isAtomic = journal["atomic"]?.bool,
      let run = journal["run"]?.integer, let units = journal["units"]?.array
    else { throw .illegible }
    guard mark == seal.mark(of: journal.compactText) else { throw .forged }
    self.init(id: id, isAtomic: isAtomic, run: run, units: [])
    for unit in units {
      guard let entries = unit.array else { throw .illegible }
      var read: [Entry] = []
      for entry in entries { read.append(try Entry(entry)) }
      self.units.append(Unit(entries: read))
    }
  }
}

/// The defect of a journal's text.
enum JournalFlaw: Error {
  case illegible
  case forged
}

extension Journal.Entry {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["path"] = Self.json(path)
    object["temporary"] = Self.json(temporary)
    object["new"] = new?.json
    object["old"] = old?.json
    object["trash"] = trashName.map { .string($0.string) }
    return .object(object)
  }

  fileprivate init(_ json: JSON) throws(JournalFlaw) {
    guard let path = Self.path(json["path"]), let temporary = Self.path(json["temporary"])
    else { throw .illegible }
    let new = try json["new"].map { json throws(JournalFlaw) in try Digest(json) }
    let old = try json["old"].map { json throws(JournalFlaw) in try Digest(json) }
    let trashName = json["trash"]?.string.flatMap { FilePath.Component($0) }
    guard new != nil || old != nil, trashName == nil || trashName?.kind == .regular else {
      throw .illegible
    }
    guard path.isPublishable, let name = temporary.lastComponent, temporary.staysBelow,
      TemporaryName.describes(FileName(name))
    else { throw .forged }
    self.init(path: path, temporary: temporary, new: new, old: old, trashName: trashName)
  }

  private static func json(_ path: FilePath) -> JSON {
    var object = JSON.Object()
    RecordedName(bytes: path.bytes).write(to: &object)
    return .object(object)
  }

  private static func path(_ json: JSON?) -> FilePath? {
    guard let text = json?["file"]?.string else { return nil }
    let encoded = json?["fileBytes"]?.string.flatMap { Base64.decode($0) }
    return FilePath(bytes: encoded ?? Array(text.utf8))
  }
}

extension FilePath {
  /// True if the path, as written, stays below the root.
  fileprivate var staysBelow: Bool {
    !isAbsolute && !isEmpty && components.allSatisfy { $0.kind == .regular }
  }

  /// True if a rendition or a sidecar may have this path: it is below the root, is not in the state
  /// folder, and does not name a temporary file.
  fileprivate var isPublishable: Bool {
    guard staysBelow, let name = lastComponent else { return false }
    return !TemporaryName.describes(FileName(name))
      && !starts(with: JournalFolder<RealFileSystem>.stateFolder)
  }
}

extension Digest {
  fileprivate var json: JSON {
    .object(["bytes": .integer(Int(count)), "sha256": .string("\(self)")])
  }

  fileprivate init(_ json: JSON) throws(JournalFlaw) {
    guard let text = json["sha256"]?.string, let count = json["bytes"]?.integer,
      let digest = Digest(hexadecimal: text, count: Int64(count))
    else { throw .illegible }
    self = digest
  }
}
