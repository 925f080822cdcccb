import Dispatch
import Glibc
import PhotoLibrary
import Synchronization
import SystemPackage
import Testing

@Suite struct OutputRootTests {
  let library: TemporaryLibrary
  let place: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    place = try TemporaryLibrary()
  }

  @Test func openingAnOutputFolderWritesNothing() throws {
    let root = try OutputRoot(library: library.path, output: place.path)
    #expect(root.isMirror)
    #expect(try library.names().isEmpty)
    #expect(try place.names().isEmpty)
  }

  /// A command can create its state folder while another command removes files that seem to remain
  /// from a killed run.
  @Test func creatingALibraryDuringARecoverySucceeds() throws {
    _ = try OutputRoot.create(library: library.path)
    let (files, path) = (library.files, library.path)
    let ignored = library.absolute(".phbatch/.gitignore").string
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      for _ in 0..<300 {
        do {
          if number == 0 {
            try Publisher(files).recover()
          } else {
            unlink(ignored)
            _ = try OutputRoot.create(library: path)
          }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func anOutputFolderRecordsThePathOfItsLibrary() throws {
    let output = place.absolute("new")
    let root = try OutputRoot.create(library: library.path, output: output)
    #expect(root.isMirror)
    #expect(try place.text("new/.phbatch/library") == "\(library.path.string)\n")
    #expect(try library.names().isEmpty)
    #expect(try OutputRoot(recognizing: output).library.path == library.path)
    #expect(try !OutputRoot(recognizing: library.path).isMirror)
  }

  @Test func anOutputFolderBelongsToOneLibraryOnly() throws {
    _ = try OutputRoot.create(library: library.path, output: place.path)
    let other = try TemporaryLibrary()
    #expect(throws: OutputRootError.mirror(place.path, of: library.path)) {
      try OutputRoot(library: other.path, output: place.path)
    }
    #expect(throws: OutputRootError.mirror(place.path, of: library.path)) {
      try OutputRoot(library: place.path)
    }
  }

  @Test func aLibraryIsRefusedAsOutputFolder() async throws {
    let root = try OutputRoot.create(library: place.path)
    withExtendedLifetime(try await LibraryLock.acquire(root, command: "run")) {}
    #expect(throws: OutputRootError.isLibrary(place.path)) {
      try OutputRoot(library: library.path, output: place.path)
    }
  }

  @Test func aLibraryAsItsOwnOutputFolderIsNotASeparateOutputRoot() throws {
    try library.link("self", to: library.path)
    #expect(try !OutputRoot(library: library.path, output: library.absolute("self")).isMirror)
  }

  @Test func anOutputFolderThatContainsTheLibraryIsRefused() throws {
    try library.write("photos/a.jpg")
    let photos = library.absolute("photos")
    #expect(throws: OutputRootError.holdsLibrary(library.path, library: photos)) {
      try OutputRoot(library: photos, output: library.path)
    }
  }

  @Test func anOutputFolderInTheLibraryMustBeEmptyOrIgnored() throws {
    try library.write("web/a.jpg")
    let web = library.absolute("web")
    #expect(throws: OutputRootError.holdsFiles(web)) {
      try OutputRoot(library: library.path, output: web)
    }
    try library.write(".phbatchignore", "/web/\n")
    #expect(try OutputRoot(library: library.path, output: web).isMirror)
    #expect(try OutputRoot.create(library: library.path, output: library.absolute("new")).isMirror)
  }

  @Test func anInvalidLibraryPathInTheStateFolderIsAnError() throws {
    try place.write(".phbatch/library", "photos\n")
    #expect(throws: OutputRootError.illegibleName(place.absolute(".phbatch/library"))) {
      try OutputRoot(library: library.path, output: place.path)
    }
  }

  @Test func aMissingLibraryOrOutputFolderIsAnError() throws {
    #expect(throws: FileSystemError(.open, library.absolute("none"), .noSuchFileOrDirectory)) {
      try OutputRoot(library: library.absolute("none"))
    }
    #expect(throws: FileSystemError.self) {
      try OutputRoot.create(library: library.path, output: place.absolute("a/b"))
    }
  }

  @Test func theFolderOfALibraryMayHaveAnyBytesAsName() throws {
    let name = FilePath(name: [0xFF, 0x0A])
    try place.files.createFolder(name)
    let odd = place.absolute(name)
    _ = try OutputRoot.create(library: odd, output: library.path)
    #expect(try OutputRoot(recognizing: library.path).library.path == odd)
  }
}
