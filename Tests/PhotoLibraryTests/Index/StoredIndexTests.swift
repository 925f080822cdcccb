import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Indexes written by earlier versions stay readable; see Stored/README.md.
@Suite struct StoredIndexTests {
  /// Opens a stored index.
  ///
  /// Its seal is first replaced by an HMAC with this machine's key, or by the text that `seal`
  /// returns.
  private static func index(
    of library: StoredLibrary, mirror: Bool = false,
    seal: (_ table: [UInt8], _ state: FileStatus) -> String = LibraryIndex.seal
  ) throws -> LibraryIndex? {
    let folder = library.folder
    if mirror { try folder.write(library.library.string + "\n", to: "mirror/.phbatch/library") }
    let root = try OutputRoot(
      library: library.library, output: mirror ? folder["mirror"] : nil)
    var bytes = try root.files.read(".phbatch/index", limit: 1 << 20)
    let trailer = bytes.suffix(LibraryIndex.trailerLength)
    let offset = trailer.dropFirst(16).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let table = Array(bytes[offset..<trailer.startIndex])
    let state = try #require(try root.files.status(at: OutputRoot.stateFolder))
    bytes.replaceSubrange((bytes.count - 64)..., with: seal(table, state).utf8)
    try root.files.replace(".phbatch/index", with: bytes)
    return LibraryIndex(of: root)
  }

  @Test func everyFolderOfAStoredIndexIsRead() throws {
    let library = try StoredLibrary("0.1.0/plain", withState: true)
    let index = try #require(try Self.index(of: library))
    let folders: [FilePath] = ["", "trip", "trip/day 2"]
    #expect(Set(index.folders) == Set(folders.map { FolderKey(.library, $0) }))
    for (folder, photo) in zip(folders, ["a.png", "b.png", "c.png"]) {
      let record = try #require(index.record(of: FolderKey(.library, folder)))
      #expect(record.fingerprint.count == 32)
      let finding = try #require(record.findings.first)
      #expect(record.findings.count == 1 && finding.summary.isQuiet)
      #expect(finding.summary.counts == [FolderRecord.Count(reason: "up-to-date", photos: 1)])
      #expect(finding.photos == [FolderRecord.Photo(name: FileName(photo), reason: "up-to-date")])
      let rendition = photo.replacing(".png", with: ".web.png")
      #expect(Set(record.files.map(\.name)).isSuperset(of: [FileName(photo), FileName(rendition)]))
      for file in record.files {
        let bytes = try library.folder.read("library/\(folder.appending("\(file.name)").string)")
        #expect(file.digest == Digest(of: bytes), "\(file.name)")
      }
    }
  }

  @Test func aStoredIndexLinksAFolderToTheFoldersOfItsRenditions() throws {
    let index = try #require(
      try Self.index(of: StoredLibrary("0.1.0/variants", withState: true)))
    let linked = ["web", "all"].map { FolderKey(.library, $0) }
    #expect(Set(index.links(of: FolderKey(.library, ""))) == Set(linked))
  }

  @Test func aFileNameThatIsNotUTF8IsReadFromAStoredIndex() throws {
    let index = try #require(
      try Self.index(of: StoredLibrary("0.1.0/names", withState: true)))
    let record = try #require(index.record(of: FolderKey(.library, "")))
    let name = FileName(bytes: [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x70, 0x6E, 0x67])
    #expect(record.findings.first?.photos.map(\.name) == [name])
  }

  @Test func foldersOfAnOutputRootAreReadFromAStoredIndex() throws {
    let index = try #require(
      try Self.index(of: StoredLibrary("0.1.0/mirror", withState: true), mirror: true))
    #expect(index.folders.contains(FolderKey(.library, "trip")))
    #expect(index.links(of: FolderKey(.library, "trip")) == [FolderKey(.mirror, "trip")])
  }

  /// An index decides which files are not read, so only an index written by this machine is used.
  @Test func anIndexWrittenByAnotherMachineIsNotUsed() throws {
    let library = try StoredLibrary("0.1.0/plain", withState: true)
    let index = try Self.index(of: library) { table, _ in
      JournalSeal(key: Array("another machine".utf8)).mark(of: "index \(Digest(of: table))")
    }
    #expect(index == nil)
  }
}
