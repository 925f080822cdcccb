import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct LibraryIndexTests {
  let library: TemporaryLibrary
  let root: OutputRoot
  static let file = FilePath(".phbatch/index")

  init() throws {
    library = try TemporaryLibrary()
    root = try OutputRoot.create(library: library.path)
  }

  private static func record(_ path: String, _ number: UInt8) -> FolderRecord {
    var record = FolderRecord(
      key: FolderKey(.library, FilePath(path)), fingerprint: [UInt8](repeating: number, count: 32))
    record.links = [FolderKey(.mirror, FilePath(path)), FolderKey(.library, "else/where")]
    record.findings = [
      FolderRecord.Finding(
        recipe: [UInt8](repeating: 7, count: 32), isQuiet: false,
        photos: [
          FolderRecord.Photo(name: FileName("a.jpg"), reason: "up-to-date"),
          FolderRecord.Photo(
            name: FileName(bytes: [0xFF, 0x0A]), reason: "buried", detail: "why",
            hint: "what to do",
            warnings: ["one", "two"]),
          FolderRecord.Photo(name: FileName("c.jpg"), reason: ""),
        ])
    ]
    record.files = [
      FolderRecord.KnownFile(
        name: FileName("a.jpg"),
        identity: FileIdentity(inode: .max, size: 3, modified: -5, changed: .max),
        digest: Digest(of: [1, 2, 3]))
    ]
    return record
  }

  private static let records = [record("", 1), record("a", 2), record("a/b", 3)]

  private func write(_ records: [FolderRecord] = records) throws {
    try LibraryIndex.write(in: root, old: nil, keeping: [], records)
  }

  private func found() -> [FolderRecord]? {
    guard let index = LibraryIndex(of: root) else { return nil }
    return index.folders.compactMap { index.record(of: $0) }.sorted {
      $0.key.path.string < $1.key.path.string
    }
  }

  @Test func theIndexReturnsTheWrittenRecords() throws {
    #expect(LibraryIndex(of: root) == nil)
    try write()
    #expect(found() == Self.records)
    let index = try #require(LibraryIndex(of: root))
    let key = FolderKey(.library, "a")
    #expect(index.holds(key, fingerprint: [UInt8](repeating: 2, count: 32)))
    #expect(!index.holds(key, fingerprint: [UInt8](repeating: 3, count: 32)))
    #expect(!index.holds(FolderKey(.mirror, "a"), fingerprint: [UInt8](repeating: 2, count: 32)))
    let summary = index.summary(of: key, recipe: [UInt8](repeating: 7, count: 32))
    #expect(summary?.counts.map(\.reason) == ["", "buried", "up-to-date"])
  }

  @Test func unchangedFoldersAreCopiedFromTheOldIndex() throws {
    try write()
    let old = try #require(LibraryIndex(of: root))
    let new = Self.record("new", 9)
    try LibraryIndex.write(in: root, old: old, keeping: [FolderKey(.library, "a/b")], [new])
    #expect(found() == [Self.records[2], new])
  }

  @Test func anUnchangedIndexIsNotWrittenAgain() throws {
    try write()
    let old = try #require(LibraryIndex(of: root))
    let before = try library.files.status(at: Self.file)
    let kept = Self.records.dropFirst().map(\.key)
    #expect(
      try !LibraryIndex.write(in: root, old: old, keeping: kept, [Self.records[0]]))
    #expect(try library.files.status(at: Self.file) == before)
    #expect(try LibraryIndex.write(in: root, old: old, keeping: kept, []))
    #expect(found()?.count == 2)
  }

  @Test func aTruncatedIndexIsIgnored() throws {
    try write()
    let bytes = try library.files.read(Self.file, limit: 1 << 20)
    for count in Array(stride(from: 0, to: bytes.count, by: 97)) + [bytes.count - 1] {
      try library.files.replace(
        Self.file, with: Array(bytes[..<count]), permissions: .ownerReadWrite)
      #expect(LibraryIndex(of: root) == nil, "\(count) bytes")
    }
  }

  @Test func theIndexReturnsNoDamagedRecords() throws {
    try write()
    let bytes = try library.files.read(Self.file, limit: 1 << 20)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      try library.files.replace(Self.file, with: damaged, permissions: .ownerReadWrite)
      for record in found() ?? [] { #expect(Self.records.contains(record), "byte \(place)") }
    }
  }

  @Test func aDamagedBlockOfTheIndexIsReplacedByTheNextRun() throws {
    try write()
    var bytes = try library.files.read(Self.file, limit: 1 << 20)
    bytes[4] ^= 1
    try library.files.replace(Self.file, with: bytes, permissions: .ownerReadWrite)
    let old = try #require(LibraryIndex(of: root))
    #expect(old.record(of: Self.records[0].key) == nil)
    let kept = Self.records.dropFirst().map(\.key)
    #expect(try LibraryIndex.write(in: root, old: old, keeping: kept, [Self.records[0]]))
    #expect(found() == Self.records)
  }

  @Test func anIndexOfAnotherFormatVersionIsIgnored() throws {
    try write()
    var bytes = try library.files.read(Self.file, limit: 1 << 20)
    let version = bytes.count - LibraryIndex.trailerLength + LibraryIndex.magic.count - 2
    #expect(bytes[version] == UInt8(ascii: "1"))
    bytes[version] = UInt8(ascii: "2")
    try library.files.replace(Self.file, with: bytes, permissions: .ownerReadWrite)
    #expect(LibraryIndex(of: root) == nil)
  }

  /// An index whose seal (an HMAC) was made with another key than this machine's is not used.
  @Test func anIndexSealedByAnotherMachineIsIgnored() throws {
    try write()
    var bytes = try library.files.read(Self.file, limit: 1 << 20)
    bytes.replaceSubrange(
      (bytes.count - 64)..., with: "\(Digest(of: Array("index".utf8)))".utf8)
    try library.files.replace(Self.file, with: bytes, permissions: .ownerReadWrite)
    #expect(LibraryIndex(of: root) == nil)
  }

  @Test(arguments: [Self.file, ".phbatch"]) func anIndexThatOtherUsersCanWriteIsIgnored(
    _ path: FilePath
  ) throws {
    try write()
    #expect(LibraryIndex(of: root) != nil)
    let mode: mode_t = path == Self.file ? 0o620 : 0o722
    #expect(chmod(library.absolute(path).string, mode) == 0)
    #expect(LibraryIndex(of: root) == nil)
  }

  @Test func anIndexThatIsASymbolicLinkIsIgnored() throws {
    try write()
    try library.files.rename(Self.file, to: "elsewhere", .replacing)
    try library.link(Self.file, to: "../elsewhere")
    #expect(LibraryIndex(of: root) == nil)
  }
}

@Suite struct FileClockTests {
  @Test func timestampsCloseToTheStartOfTheRunAreNotTrusted() {
    let clock = FileClock(start: 1000, margin: 10)
    func identity(_ modified: Int64, _ changed: Int64) -> FileIdentity {
      FileIdentity(inode: 1, size: 1, modified: modified, changed: changed)
    }
    #expect(clock.trusts(identity(989, 989)))
    #expect(!clock.trusts(identity(990, 5)))
    #expect(!clock.trusts(identity(5, 990)))
    #expect(!clock.trusts(identity(5, 2000)))
  }
}

@Suite struct WalkTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func fingerprints() -> [FilePath: [UInt8]] {
    let walked = Scan(library.files).walk { ($0.path, $0.fingerprint(trustsInodes: true)) }
    return Dictionary(walked.folders) { first, _ in first }
  }

  @Test func aWalkFindsTheSameFoldersAsAScan() throws {
    for path in ["b/x.jpg", "a/z/1.jpg", "a-b/2.jpg", "a/y/3.jpg", "a.jpg", ".hidden/4.jpg"] {
      try library.write(FilePath(path))
    }
    try library.write("b/.phbatchignore", "x*\n")
    let walked = Scan(library.files).walk { $0.scanned() }
    #expect(walked.failures.isEmpty)
    #expect(walked.folders == (try Scan(library.files).map { try $0.get() }))
    #expect(walked.folders.map(\.path) == ["", "a", "a/y", "a/z", "a-b", "b"])
    #expect(try Scan(library.files).list("b").scanned() == walked.folders[5])
  }

  @Test func theFingerprintOfAFolderChangesWithEveryChangeInIt() throws {
    try library.write("a/1.jpg", "one")
    try library.write("a/b/2.jpg", "two")
    var known = fingerprints()
    #expect(fingerprints() == known)
    func changed() -> [FilePath] {
      let now = fingerprints()
      defer { known = now }
      return now.filter { known[$0.key] != $0.value }.map(\.key).sorted { $0.string < $1.string }
    }
    #expect(changed() == [])
    #expect(chmod(library.absolute("a/1.jpg").string, 0o600) == 0)
    #expect(changed() == ["a"])
    try library.files.rename("a/1.jpg", to: "a/3.jpg", .keeping)
    #expect(changed() == ["a"])
    try library.write("a/b/new")
    #expect(changed() == ["a/b"])
    // A folder's ignore rules also apply to the folders below it, so all of these folders count as
    // changed.
    try library.write("a/.phbatchignore", "*.tif\n")
    #expect(changed() == ["a", "a/b"])
    try library.write("a/.phbatchignore", "*.png\n")
    #expect(changed() == ["a", "a/b"])
    try library.files.remove("a/b/new")
    #expect(changed() == ["a/b"])
  }
}
