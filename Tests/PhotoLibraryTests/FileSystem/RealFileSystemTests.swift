import Foundation
import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct RealFileSystemTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  init() throws { library = try TemporaryLibrary() }

  private func failure(_ body: () throws -> Void) -> Errno? {
    do {
      try body()
      return nil
    } catch { return (error as? FileSystemError)?.errno }
  }

  @Test func aNewFileIsReadableByItsOwnerOnlyAndReplacesNoFile() throws {
    let file = try files.create("new.tmp")
    #expect(try files.status(of: file).permissions == [.ownerRead, .ownerWrite])
    #expect(failure { _ = try files.create("new.tmp") } == .fileExists)
    try files.write(Array("ab".utf8), to: file)
    try files.write(Array("cd".utf8), to: file)
    #expect(try files.read(file, at: 1, count: 2) == Array("bc".utf8))
    #expect(try files.read(file, at: 4, count: 2).isEmpty)
    #expect(try library.text("new.tmp") == "abcd")
    #expect(failure { _ = try files.read("new.tmp", limit: 3) } == .fileTooLarge)
  }

  @Test func manyFilesAreSynchronizedWithTheErrorOfEach() throws {
    let good = try (0..<20).map { try files.create(FilePath("\($0).tmp")) }
    let pipe = try FileDescriptor.pipe()
    defer { try? pipe.readEnd.close() }
    // The kernel cannot synchronize a pipe.
    let bad = OpenFile(pipe.writeEnd, "pipe")
    for all in [[], good, [bad], good + [bad] + good] {
      let results = files.synchronize(all)
      #expect(results.count == all.count)
      for (file, error) in zip(all, results) {
        #expect(error?.errno == (file === bad ? .invalidArgument : nil))
      }
    }
  }

  @Test(arguments: [
    "../x.jpg", "/etc/passwd", "a/../../x.jpg", "out/passwd", "link.jpg", "loop", "inner/in.jpg",
  ])
  func noPathLeadsThroughALinkOrOutOfTheLibrary(_ path: String) throws {
    try library.write("a/in.jpg")
    try library.link("out", to: "/etc")
    try library.link("link.jpg", to: "a/in.jpg")
    try library.link("loop", to: "loop")
    try library.link("inner", to: "a")
    let expected: Set<Errno> = [.improperLink, .tooManySymbolicLinkLevels]
    let found = failure { _ = try files.open(FilePath(path)) }
    #expect(found.map(expected.contains) == true)
    let name = "new-\(UUID().uuidString)"
    let created = failure {
      _ = try files.create(FilePath(path).removingLastComponent().appending(name))
    }
    #expect(created == nil || created.map(expected.contains) == true)
    let outside = try RealFileSystem(root: library.path.removingLastComponent())
    #expect(try outside.status(at: FilePath(name)) == nil)
  }

  @Test func onlyRegularFilesAreOpenedAndNotFoldersOrPipes() throws {
    try library.makeFIFO("fifo.jpg")
    try library.write("folder.jpg/inside")
    #expect(failure { _ = try files.open("fifo.jpg") } == .notSupported)
    #expect(failure { _ = try files.open("folder.jpg") } == .isDirectory)
    #expect(failure { _ = try files.open("missing.jpg") } == .noSuchFileOrDirectory)
    #expect(failure { _ = try files.open("fifo.jpg/x.jpg") } == .notDirectory)
    #expect(try files.status(at: "fifo.jpg")?.kind == .other)
    #expect(try files.status(at: "folder.jpg")?.kind == .directory)
  }

  @Test func aRenameKeepsReplacesOrExchangesTheFileAtTheNewName() throws {
    try library.write("a", "A")
    try library.write("b", "B")
    #expect(failure { try files.rename("a", to: "b", .keeping) } == .fileExists)
    try files.rename("a", to: "b", .exchanging)
    #expect(try library.text("a") == "B")
    #expect(failure { try files.rename("a", to: "c", .exchanging) } == .noSuchFileOrDirectory)
    try files.rename("a", to: "b", .replacing)
    #expect(try library.names() == ["b"])
    #expect(try library.text("b") == "B")
    try files.rename("b", to: "c", .keeping)
    #expect(try library.names() == ["c"])
  }

  @Test func aHardLinkIsASecondNameOfTheFileAndReplacesNoFile() throws {
    try library.write("a", "A")
    try library.write("b", "B")
    #expect(failure { try files.link("a", to: "b") } == .fileExists)
    #expect(failure { try files.link("none", to: "c") } == .noSuchFileOrDirectory)
    try files.link("a", to: "c")
    #expect(try files.status(at: "a")?.identity.inode == files.status(at: "c")?.identity.inode)
  }

  @Test func onlyEmptyFoldersAreRemoved() throws {
    try library.write("a/file")
    #expect(failure { try files.removeFolder("a") } == .directoryNotEmpty)
    try files.remove("a/file")
    try files.removeFolder("a")
    #expect(try library.names() == [])
  }

  @Test func aFileLockIsHeldByOneProcessAtATime() throws {
    func isFree() throws -> Bool {
      try files.openLock("lock").withDescriptor { flock($0.rawValue, LOCK_EX | LOCK_NB) == 0 }
    }
    var lock: OpenFile? = try files.lock("lock", .exclusive)
    #expect(try !isFree())
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try isFree())
  }

  @Test func theStatusOfAFileContainsItsOwnerAndCreationTime() throws {
    try library.write("a")
    let status = try #require(try files.status(at: "a"))
    #expect(status.owner == geteuid())
    #expect(status.born <= status.identity.changed)
  }

  @Test func theIdentityOfAFileChangesWhenTheFileIsReplaced() throws {
    try library.write("a", "one")
    let before = try files.status(at: "a")
    #expect(try files.status(at: "a") == before)
    try library.write("a", "two")
    #expect(try files.status(at: "a") != before)
    #expect(before?.identity.size == 3)
    #expect(before?.kind == .regular)
  }

  @Test(arguments: [
    [0xFF, 0xFE, 0x2E, 0x6A, 0x70, 0x67], Array("line\nbreak.jpg".utf8), Array("-rf.jpg".utf8),
    Array("e\u{301}.jpg".utf8), [UInt8](repeating: 0x78, count: 255),
  ])
  func fileNamesOfAnyBytesAreReadAndWritten(_ name: [UInt8]) throws {
    let path = FilePath(name: name)
    try library.write(path, "x")
    #expect(try files.names(in: "") == [FileName(bytes: name[...])])
    #expect(try files.names(in: "").compactMap(\.component) == Array(path.components))
    #expect(path.bytes == name)
    #expect(try library.text(path) == "x")
  }

  @Test func tooLongFileNamesAreRefused() {
    let path = FilePath(name: [UInt8](repeating: 0x78, count: 256))
    #expect(failure { _ = try files.create(path) } == .fileNameTooLong)
  }

  @Test func theRootOfAFileSystemMustBeAFolder() throws {
    try library.write("file", "")
    #expect(failure { _ = try RealFileSystem(root: library.absolute("file")) } == .notDirectory)
    #expect(
      failure { _ = try RealFileSystem(root: library.absolute("none")) } == .noSuchFileOrDirectory)
  }

  @Test func createFoldersCreatesOnlyTheMissingFolders() throws {
    try library.write("a/file")
    try files.createFolders("a/b/c")
    try files.createFolders("a/b/c")
    #expect(try files.status(at: "a/b/c")?.kind == .directory)
    #expect(failure { try files.createFolders("a/file/d") } == .notDirectory)
    #expect(failure { try files.createFolders("a/file") } == .notDirectory)
  }

  @Test func errorMessagesEscapeControlCharactersInFileNames() {
    let path = FilePath(name: [0x1B, 0x5B, 0x33, 0x31, 0x6D, 0xFF, 0x0A])
    let message = FileSystemError(.open, path, .noSpace).message
    #expect(message == "cannot open '\\u{1B}[31m\u{FFFD}\\n': No space left on device")
  }

  /// These characters would show `a\u{202E}gpj.exe` as `aexe.jpg`, or break the line.
  @Test func namesAreShownWithEscapesForTheDirectionOfWriting() {
    let controls: [ClosedRange<Unicode.Scalar>] = [
      "\u{200E}"..."\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}",
    ]
    for scalar in controls.flatMap({ $0.lowerBound.value...$0.upperBound.value }) {
      let escape = "\\u{\(String(scalar, radix: 16, uppercase: true))}"
      let name = Unicode.Scalar(scalar).map { "é\($0)gpj.exe" } ?? ""
      #expect(FilePath(name).displayed == "é\(escape)gpj.exe")
      #expect(FileName(name).description == "é\(escape)gpj.exe")
    }
  }
}
