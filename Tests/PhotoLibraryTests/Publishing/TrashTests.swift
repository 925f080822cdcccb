import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct TrashTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  init() throws { library = try TemporaryLibrary() }

  private func publish(
    _ publisher: Publisher<RealFileSystem>, _ changes: [(path: FilePath, text: String?)],
    keeps: Bool = false
  ) throws {
    let publications = try changes.map { change in
      var staged: StagedFile<OpenFile>?
      if let text = change.text {
        let file = try publisher.stage(in: "")
        try files.write(Array(text.utf8), to: file.file)
        staged = file
      }
      let expected = try files.status(at: change.path).map { ExpectedFile.identity($0.identity) }
      return Publication(
        change.path, staged, expected: expected ?? .absent, keepsDisplaced: keeps)
    }
    try publisher.publish(
      PublicationGroup(renditions: publications.dropLast(), sidecar: publications.last))
  }

  @Test func aRunWithoutChangesLeavesNothingInTheTrash() throws {
    #expect(try Trash.lastRuns(1, in: files).first == nil)
    _ = Publisher(files)
    #expect(try Trash.lastRuns(1, in: files).first == nil)
  }

  /// Folders in the trash are ignored if their names are not run numbers, or if the name is the
  /// largest run number, which has no successor.
  @Test(arguments: ["9223372036854775807", "-1", "+7", "007", "0"])
  func foldersInTheTrashThatAreNotRunNumbersAreNotListed(_ name: String) throws {
    try library.write(Trash.path.appending(name).appending("x"))
    let publisher = Publisher(files)
    try publish(publisher, [("1.web.jpg", "pixels 1"), ("1.jpg.phbatch.json", "sidecar 1")])
    #expect(try Trash.lastRuns(1, in: files).first?.number == 1)
  }

  @Test func theTrashReturnsTheChangesOfTheLastRun() throws {
    let first = Publisher(files)
    try publish(first, [("1.web.jpg", "pixels 1"), ("1.jpg.phbatch.json", "sidecar 1")])
    try publish(first, [("2.web.jpg", "pixels 2"), ("2.jpg.phbatch.json", "sidecar 2")])
    let run = try #require(try Trash.lastRuns(1, in: files).first)
    #expect(run.number == 1)
    #expect(run.changes.map { $0.sidecar?.path } == ["1.jpg.phbatch.json", "2.jpg.phbatch.json"])
    #expect(run.changes[0].sidecar?.before == .absent)
    #expect(run.changes[0].renditions.map(\.after) == [Digest(of: "pixels 1".utf8)])

    // Sidecars that a commit replaces are kept in the trash; replaced renditions are kept only on
    // request.
    try publish(Publisher(files), [("1.web.jpg", "pixels 3"), ("1.jpg.phbatch.json", "sidecar 3")])
    let second = try #require(try Trash.lastRuns(1, in: files).first)
    #expect(second.number == 2)
    #expect(try library.names(in: ".phbatch/trash") == ["1", "2"])
    let change = try #require(second.changes.first)
    #expect(change.renditions.map(\.before) == [.removed(Digest(of: "pixels 1".utf8))])
    guard case .kept(let path, let digest)? = change.sidecar?.before else {
      Issue.record("the sidecar is not kept")
      return
    }
    #expect(try library.text(path) == "sidecar 1")
    #expect(digest == Digest(of: "sidecar 1".utf8))
  }

  @Test func theTrashKeepsOnlyTheLastRuns() throws {
    for text in 1...(Trash.mostRuns + 2) {
      try publish(
        Publisher(files, command: "run \(text)"),
        [("1.web.jpg", "pixels \(text)"), ("1.jpg.phbatch.json", "sidecar \(text)")])
    }
    let found = try Trash.lastRuns(.max, in: files)
    #expect(found.map(\.number) == Array((3...(Trash.mostRuns + 2)).reversed()))
    #expect(found.last?.command == "run 3")
    let changes = try Trash.newestChanges(3, in: files) { $0 == "1.jpg" }
    #expect(changes.map { $0.changes.count } == [1, 1, 1])
    #expect(
      changes.map { $0.changes.first?.sidecar?.after }
        == [12, 11, 10].map { Digest(of: "sidecar \($0)".utf8) })
  }

  @Test func theTrashKeepsRemovedFilesOnRequest() throws {
    try publish(Publisher(files), [("1.web.jpg", "1"), ("1.jpg.phbatch.json", "s")])
    let run = Publisher(files)
    try publish(run, [("1.web.jpg", nil), ("1.jpg.phbatch.json", nil)], keeps: true)
    #expect(try library.names() == [".phbatch"])
    let change = try #require(try Trash.lastRuns(1, in: files).first?.changes.first)
    guard case .kept(let path, _)? = change.renditions.first?.before else {
      Issue.record("the rendition is not kept")
      return
    }
    #expect(try library.text(path) == "1")
    #expect(change.renditions.first?.after == nil)
    try Trash.clear(in: files)
    #expect(try Trash.lastRuns(1, in: files).first == nil)
  }

  /// The trash records the photo of each run, even if two runs within a second write identical
  /// sidecars.
  @Test func aChangeInTheTrashNamesItsPhotoEvenIfTheSidecarIsUnchanged() throws {
    try publish(Publisher(files), [("1.web.jpg", "1"), ("1.jpg.phbatch.json", "s")])
    try publish(Publisher(files), [("1.web.jpg", "2"), ("1.jpg.phbatch.json", "s")])
    let change = try #require(try Trash.lastRuns(1, in: files).first?.changes.first)
    #expect(change.sidecar?.path == "1.jpg.phbatch.json")
    #expect(change.sidecar?.after == Digest(of: "s".utf8))
    #expect(try library.text("1.jpg.phbatch.json") == "s")
  }

  @Test(arguments: [".phbatch", ".phbatch/trash", ".phbatch/trash/1"])
  func aTrashThatOtherUsersCanWriteIsRefused(_ path: String) throws {
    try publish(Publisher(files), [("1.web.jpg", "1"), ("1.jpg.phbatch.json", "s")])
    let place = library.absolute(FilePath(path)).string
    #expect(chmod(place, 0o777) == 0)
    #expect(throws: RecoveryError.open(FilePath(path))) { try Trash.lastRuns(1, in: files).first }
    #expect(chmod(place, 0o755) == 0)
    #expect(try Trash.lastRuns(1, in: files).first?.number == 1)
  }

  @Test func aTrashManifestWithChangedTextIsRefused() throws {
    try publish(Publisher(files), [("1.web.jpg", "1"), ("1.jpg.phbatch.json", "s")])
    let name = try #require(try library.names(in: ".phbatch/trash/1").first)
    let path = FilePath(".phbatch/trash/1").appending(name)
    let text = try library.text(path).replacing("1.web.jpg", with: "2.web.jpg")
    try library.write(path, text)
    #expect(throws: RecoveryError.forged(path)) { try Trash.lastRuns(1, in: files).first }
  }

  /// Without an identifier of the machine, the folder of journals has the key of the seal.
  @Test func withoutTheFolderOfJournalsAndAMachineIdentifierNoJournalHasTheSeal() throws {
    let seals = (0..<2).map { _ in JournalSeal(folder: nil, machine: nil).mark(of: "journal") }
    #expect(seals[0] != seals[1])
    let known = (0..<2).map { _ in JournalSeal(folder: nil, machine: "m").mark(of: "journal") }
    #expect(known[0] == known[1])
  }
}
