import Notation
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Journals and trash written by earlier versions stay readable; see Stored/README.md.
@Suite struct StoredJournalTests {
  /// Opens a stored library after replacing the seals of its journals, which are HMACs, by seals
  /// with this machine's key.
  private static func files(of library: StoredLibrary) throws -> RealFileSystem {
    let files = try RealFileSystem(root: library.library)
    try files.createFolders(JournalFolder<RealFileSystem>.path, permissions: .newStateFolder)
    let seal = try JournalFolder(Saver(files: files, durability: .none)).seal()
    for file in try library.folder.files()
    where file.hasSuffix(".commit") || (file.contains("/trash/") && file.hasSuffix(".json")) {
      let (json, _) = JSONParser.parse(
        SourceText(name: file, bytes: try library.folder.read(file)))
      let journal = try #require(json?["journal"])
      let sealed = JSON.object([
        "journal": journal, "seal": .string(seal.mark(of: journal.compactText)),
      ])
      try library.folder.write(sealed.compactText + "\n", to: file)
    }
    return files
  }

  @Test func anInterruptedCommitOfAnEarlierVersionIsCompleted() throws {
    let library = try StoredLibrary("0.1.0/interrupted", withState: true)
    let files = try Self.files(of: library)
    let report = try Publisher(files).recover()
    #expect(report.completed == ["a.one.png", "a.two.png", "a.png.phbatch.json"])
    #expect(report.undone == [])
    let bytes = try library.folder.read("library/a.png.phbatch.json")
    let sidecar = try Sidecar(SourceText(name: "sidecar", bytes: bytes))
    for rendition in try #require(sidecar.adjustments.first).renditions {
      let found = try library.folder.read("library/\(rendition.file.text)")
      #expect("\(Digest(of: found))" == rendition.sha256)
    }
    #expect(try Trash.lastRuns(1, in: files).first?.number == 2)
  }

  @Test func theLastRunOfAnEarlierVersionIsReadFromTheTrash() throws {
    let library = try StoredLibrary("0.1.0/undone", withState: true)
    let run = try #require(try Trash.lastRuns(1, in: Self.files(of: library)).first)
    #expect(run.number == 3)
    let change = try #require(run.changes.first)
    #expect(run.changes.count == 1)
    #expect(change.sidecar?.path == "a.png.phbatch.json")
    guard case .kept(let path, let digest) = change.sidecar?.before else {
      Issue.record("the sidecar before the run is not in the trash")
      return
    }
    #expect(Digest(of: try library.folder.read("library/\(path.string)")) == digest)
    let rendition = try #require(change.renditions.first)
    #expect(rendition.path == "a.web.png")
    #expect(rendition.after == Digest(of: try library.folder.read("library/a.web.png")))
  }
}
