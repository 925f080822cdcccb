import Synchronization
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct RenditionLedgerTests {
  let library: TemporaryLibrary
  var ledger: RenditionLedger<RealFileSystem> { RenditionLedger(library.files) }
  private let path = RenditionLedger<RealFileSystem>.path

  init() throws {
    library = try TemporaryLibrary()
    try library.files.createFolders(".phbatch")
  }

  private func record(_ text: String, of original: String? = nil) -> PublishedRendition {
    PublishedRendition(
      Digest(of: text.utf8), original: original.map { Digest(of: $0.utf8) })
  }

  private func append(_ texts: String...) throws {
    try ledger.prepare()
    try ledger.append(
      texts.map { record($0) }, Saver(files: library.files, durability: .batch))
  }

  private func knows(_ text: String) -> Bool {
    let digest = Digest(of: text.utf8)
    let bySize = ledger.records(of: [], sizes: [digest.count])
    let byDigest = ledger.records(of: [digest], sizes: [])
    #expect(Set(byDigest).isSubset(of: bySize))
    return byDigest == [record(text)]
  }

  private func bytes() throws -> [UInt8] { try library.files.read(path, limit: 1 << 24) }

  @Test func theLedgerFindsTheRecordsOfSeveralRuns() throws {
    #expect(!knows("one"))
    try append("one", "three")
    try append("four!")
    #expect(knows("one") && knows("three") && knows("four!"))
    #expect(!knows("two"))
    #expect(try bytes().count == 4 * PublishedRendition.size)
  }

  @Test func theLedgerRecordsTheDigestOfTheOriginal() throws {
    try ledger.prepare()
    try ledger.append(
      [record("pixels", of: "photo")], Saver(files: library.files, durability: .none))
    let found = ledger.records(of: [], sizes: [6])
    #expect(found.map(\.original) == [DigestPrefix(Digest(of: "photo".utf8))])
  }

  /// A command that runs for long finds the renditions that it published itself.
  @Test func recordsThatAreAppendedLaterAreFound() throws {
    let published = PublishedRenditions(library.files)
    func contains(_ text: String) -> Bool {
      published.contain(Digest(of: text.utf8), of: [])
    }
    #expect(!contains("one"))
    try append("one")
    #expect(contains("one") && !contains("two"))
    try append("two", "three")
    #expect(contains("one") && contains("two") && contains("three"))
    // A new ledger has none of the old records.
    try library.files.replace(path, with: [])
    try append("four", "five", "six", "seven")
    #expect(contains("four") && contains("seven") && !contains("one"))
  }

  /// A file that is not a ledger is replaced; in a truncated ledger, the complete records stay
  /// valid.
  @Test func aDamagedLedgerLosesOnlyItsDamagedRecords() throws {
    try library.write(path, "no ledger, but somebody's text that is longer than a header")
    #expect(!knows("one"))
    try append("one")
    #expect(knows("one"))
    try append("two")
    let whole = try bytes()
    try library.files.replace(path, with: Array(whole.dropLast(7)))
    #expect(knows("one") && !knows("two"))
    try append("three")
    #expect(knows("one") && !knows("two") && knows("three"))
    // After a power failure, a file may end with zeros instead of a record.
    try library.files.replace(
      path, with: try bytes() + [UInt8](repeating: 0, count: PublishedRendition.size))
    try append("four")
    #expect(knows("one") && knows("three") && knows("four"))
    #expect(ledger.records(of: [], sizes: [0]).isEmpty)
  }

  /// Records after a truncated one are readable, because a run may append them after a full disk
  /// has truncated a record.
  @Test func ledgerRecordsAfterATruncatedOneAreReadable() throws {
    try append("one", "two")
    try library.files.replace(path, with: Array(try bytes().dropLast(7)))
    try ledger.append([record("three")], Saver(files: library.files, durability: .batch))
    #expect(knows("one") && !knows("two") && knows("three"))
  }

  @Test func aDeletedLedgerIsCreatedAgain() throws {
    try append("one")
    try library.files.remove(path)
    try ledger.append([record("two")], Saver(files: library.files, durability: .batch))
    #expect(!knows("one") && knows("two"))
  }

  /// A record contains the first 16 bytes of the rendition's digest, and then of the original's
  /// digest.
  @Test func aLedgerRecordContainsTheFirstSixteenBytesOfBothDigests() throws {
    let (rendition, original) = (Digest(of: "pixels".utf8), Digest(of: "photo".utf8))
    let bytes = PublishedRendition(rendition, original: original).bytes
    let count: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 6]
    let digests = [rendition, original].flatMap { $0.bytes.prefix(16) }
    #expect(bytes == count + digests)
    let read = bytes.withUnsafeBytes { PublishedRendition($0) }
    #expect(read == PublishedRendition(rendition, original: original))
  }

  /// A large ledger is compacted in several writes.
  ///
  /// If one of them fails, the old ledger stays unchanged.
  @Test func aFailedCompactionInPartsKeepsTheOldLedger() throws {
    let records = (0..<70_000).map { record("\($0 / 2)") }
    try ledger.prepare()
    try ledger.append(records, Saver(files: library.files, durability: .none))
    let before = try bytes()
    let writes = Mutex(0)
    let observed = ObservedFileSystem(library.files) { call in
      guard case .write = call else { return nil }
      return writes.withLock {
        $0 += 1
        return $0 == 4 ? .noSpace : nil
      }
    }
    #expect(throws: FileSystemError.self) { try RenditionLedger(observed).prepare() }
    #expect(try bytes() == before)
    let names = try library.files.names(in: ".phbatch")
    #expect(names == [FileName("published")])
    try ledger.prepare()
    #expect(try bytes().count == 35_001 * PublishedRendition.size)
    #expect(knows("0") && knows("34999"))
  }

  @Test func repeatedRecordsAreRemovedWhenTheLedgerHasDoubled() throws {
    try append("first")
    let many = [PublishedRendition](repeating: record("same"), count: 66_000)
    try ledger.append(many, Saver(files: library.files, durability: .none))
    try append("last")
    #expect(knows("first") && knows("same") && knows("last"))
    #expect(try bytes().count == 4 * PublishedRendition.size)
  }
}
